import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { CliError, exitCodes, reasonOf, systemCode } from '../errors/cli-error.ts';
import type { Io } from '../io.ts';

/** Parses the content of a file. @throws CliError with this code if the content is unreadable or invalid. */
export async function parseFile(name: string, content: Promise<string>, code: string): Promise<unknown> {
  const fail = (problem: string, cause: unknown): CliError =>
    new CliError(`${name} ${problem}: ${reasonOf(cause)}.`, {
      code,
      exitCode: systemCode(cause) === 'ENOENT' ? exitCodes.notFound : exitCodes.failure,
      cause,
    });
  const json = await content.catch((error: unknown) => {
    throw fail("can't be read", error);
  });
  try {
    // Removes the byte order mark that editors on Windows write.
    return JSON.parse(json.replace(/^\ufeff/, ''));
  } catch (error) {
    throw fail('is not JSON', error);
  }
}

/** Reads JSON from a file, or from stdin for `-`. @throws CliError if the content is unreadable or invalid. */
export const readJsonFile = (io: Pick<Io, 'stdin'>, file: string): Promise<unknown> =>
  file === '-' ? parseFile('stdin', text(io.stdin), 'FILE') : parseFile(file, readFile(file, 'utf8'), 'FILE');
