import { readFile } from 'node:fs/promises';
import type { CatalogProblem } from '@topup-kit/core/engine';
import type { Catalog } from '@topup-kit/core/store';
import { exitCodes, Problem, reasonOf, systemCode } from '../../errors/cli-error.ts';

const fileProblem = (message: string, cause: unknown): Problem =>
  new Problem(message, {
    code: 'CATALOG_FILE',
    exitCode: systemCode(cause) === 'ENOENT' ? exitCodes.notFound : exitCodes.failure,
    cause,
  });

async function readJson(file: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw fileProblem(`${file} can't be read: ${reasonOf(error)}.`, error);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw fileProblem(`${file} is not JSON: ${reasonOf(error)}.`, error);
  }
}

/** Every broken rule by the place where it is broken. */
const rulesByPath = (problems: readonly CatalogProblem[]): Record<string, string[]> =>
  Object.fromEntries(
    [...Map.groupBy(problems, ({ path }) => path || '(file)')].map(([path, rules]) => [
      path,
      rules.map(({ rule }) => rule),
    ]),
  );

/** Reads a catalogue file; all that is wrong with it is told at once. */
export async function readCatalog(file: string): Promise<Catalog> {
  const { readCatalogFile } = await import('@topup-kit/core/engine');
  const read = readCatalogFile(await readJson(file));
  if ('catalog' in read) return read.catalog;
  const { length } = read.problems;
  throw new Problem(`${file} breaks ${length === 1 ? 'a rule' : `${length} rules`} of catalogues.`, {
    code: 'INVALID_CATALOG',
    exitCode: exitCodes.failure,
    fields: rulesByPath(read.problems),
  });
}
