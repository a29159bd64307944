import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';

/** The code of an error that says that this process, or this machine, may open no more files; null for any other error. */
export const openFilesCode = (error: unknown): string | null =>
  error instanceof Error && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE')
    ? error.code
    : null;

/** As many files as a connection of SQLite has open at once: database, log, shared memory, journal, a temporary one, and some more. */
const filesOfSqlite = 8;

/** The limit's code if SQLite can't open all that it needs, because it keeps the reason for itself; null if it can. */
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

/** What to do about it, for an operator. */
export const raiseOpenFiles = (code: string): string =>
  `too many files are open (${code}). Raise the limit of open files and start again: \`ulimit -n 65536\` in a shell, LimitNOFILE=65536 in a unit of systemd.`;
