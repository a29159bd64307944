import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData, type Problem } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { expect, inject, it } from 'vitest';

/**
 * The old module resolution without `exports`, which TypeScript 6 deprecates, finds `.` by `main`. It doesn't support
 * subpaths, and this package doesn't emulate them.
 */
const isSubpathOfOldResolution = (problem: Problem): boolean =>
  problem.kind === 'NoResolution' && problem.resolutionKind === 'node10' && problem.entrypoint !== '.';

it('publint has no complaints', async () => {
  const pkgDir = join(inject('project'), 'node_modules/@topup-kit/sdk');

  const { messages } = await publint({ pkgDir, pack: false, strict: true });

  expect(messages).toEqual([]);
});

it('types and code agree for every kind of import', async () => {
  const checked = await checkPackage(createPackageFromTarballData(await readFile(inject('tarball'))));

  if (!checked.types) throw new Error('the package has no types');
  expect(Object.keys(checked.entrypoints)).toEqual(['.', './light', './proxy']);
  expect(checked.problems.filter((problem) => !isSubpathOfOldResolution(problem))).toEqual([]);
});
