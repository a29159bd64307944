import { readFile } from 'node:fs/promises';
import { readCatalogFile } from '@topup-kit/core/engine';
import { sandboxCatalog } from '@topup-kit/core/sandbox';
import type { Catalog, Store } from '@topup-kit/core/store';
import { ConfigError } from './config/variable.ts';

/** How many broken rules of a catalogue file are listed. */
const maxProblems = 10;

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`The catalogue file ${path} can't be read: ${reason}.`, { cause: error });
  }
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`The catalogue file ${path} is not JSON: ${reason}.`);
  }
}

/**
 * Reads a catalogue file.
 *
 * @throws ConfigError that names the file, and the path and rule of what is wrong in it.
 */
async function loadCatalogFile(path: string): Promise<Catalog> {
  const read = readCatalogFile(parseJson(path, await readText(path)));
  if ('catalog' in read) return read.catalog;
  const listed = read.problems
    .slice(0, maxProblems)
    .map(({ path: at, rule }) => `\n  ${at || '(file)'}: ${rule}`);
  const more = read.problems.length - listed.length;
  throw new ConfigError(
    `The catalogue file ${path} breaks ${read.problems.length === 1 ? 'a rule' : `${read.problems.length} rules`}:${listed.join('')}${more > 0 ? `\n  and ${more} more` : ''}`,
  );
}

/**
 * The first catalogue of an empty store: the file's, or in a sandbox the sandbox's. A store that has one keeps it,
 * whatever the file says.
 *
 * @returns null when the store has a catalogue.
 */
export async function firstCatalog(
  store: Store,
  from: { file: string | undefined; sandbox: boolean },
): Promise<Catalog | null> {
  if ((await store.readCatalog()) !== null) return null;
  if (from.file !== undefined) return loadCatalogFile(from.file);
  if (from.sandbox) return sandboxCatalog();
  throw new ConfigError(
    'The store has no catalogue yet: set TOPUP_CATALOG (or --catalog) to a catalogue file.',
  );
}
