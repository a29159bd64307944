import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData, type Problem } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { expect, inject, it } from 'vitest';

/**
 * Resolution as before package.json had `exports`, which TypeScript 6 deprecates, finds `.` by `main`; it knows no
 * subpaths, and none are faked for it.
 */
const isSubpathOfOldResolution = (problem: Problem): boolean =>
  problem.kind === 'NoResolution' && problem.resolutionKind === 'node10' && problem.entrypoint !== '.';

it('publint finds nothing to say', async () => {
  const pkgDir = join(inject('project'), 'node_modules/@topup-kit/sdk');

  const { messages } = await publint({ pkgDir, pack: false, strict: true });

  expect(messages).toEqual([]);
});

it('types and code agree for every way to import', async () => {
  const checked = await checkPackage(createPackageFromTarballData(await readFile(inject('tarball'))));

  if (!checked.types) throw new Error('the package has no types');
  expect(Object.keys(checked.entrypoints)).toEqual(['.', './light', './proxy']);
  expect(checked.problems.filter((problem) => !isSubpathOfOldResolution(problem))).toEqual([]);
});
