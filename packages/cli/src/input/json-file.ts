import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { CliError, exitCodes, reasonOf, systemCode } from '../errors/cli-error.ts';
import type { Io } from '../io.ts';

const unreadable = (message: string, cause: unknown): CliError =>
  new CliError(message, {
    code: 'FILE',
    exitCode: systemCode(cause) === 'ENOENT' ? exitCodes.notFound : exitCodes.failure,
    cause,
  });

/** Reads JSON from a file, or from stdin for `-`. @throws CliError if it is unreadable or invalid. */
export async function readJsonFile(io: Pick<Io, 'stdin'>, file: string): Promise<unknown> {
  const name = file === '-' ? 'stdin' : file;
  const content = await (file === '-' ? text(io.stdin) : readFile(file, 'utf8')).catch((error: unknown) => {
    throw unreadable(`${name} can't be read: ${reasonOf(error)}.`, error);
  });
  try {
    // Editors on Windows write a byte order mark.
    return JSON.parse(content.replace(/^\ufeff/, ''));
  } catch (error) {
    throw unreadable(`${name} is not JSON: ${reasonOf(error)}.`, error);
  }
}
