import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';

/** Returns the code of an error that says that this process or machine may open no more files; null for any other error. */
export const openFilesCode = (error: unknown): string | null =>
  error instanceof Error && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE')
    ? error.code
    : null;

/** Files that one SQLite connection may open: database, log, shared memory, journal, a temporary file, and some more. */
const filesOfSqlite = 8;

/** Returns the limit's code if SQLite can't open enough files, because SQLite doesn't report the reason; null if it can. */
export function findOpenFilesLimit(): string | null {
  const opened: number[] = [];
  try {
    while (opened.length < filesOfSqlite) opened.push(openSync(devNull, 'r'));
    return null;
  } catch (error) {
    return openFilesCode(error);
  } finally {
    for (const file of opened) closeSync(file);
  }
}

/** Returns advice for an operator. */
export const raiseOpenFiles = (code: string): string =>
  `too many files are open (${code}). Raise the limit of open files and start again: \`ulimit -n 65536\` in a shell, LimitNOFILE=65536 in a unit of systemd.`;
