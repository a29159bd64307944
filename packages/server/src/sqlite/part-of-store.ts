import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { realPath } from './server-lock.ts';

/** With what every file of SQLite begins. */
const header = 'SQLite format 3\0';

function isDatabase(path: string): boolean {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false;
  const file = openSync(path, 'r');
  try {
    const begin = Buffer.alloc(header.length);
    readSync(file, begin, 0, header.length, 0);
    return begin.toString('latin1') === header;
  } finally {
    closeSync(file);
  }
}

/** Whether a file is a database, a store or a backup, or stands beside one as a part of it. */
export function isPartOfStore(path: string): boolean {
  const file = realPath(path);
  return isDatabase(file) || isDatabase(file.replace(/(-wal|-shm|-journal|\.lock)$/, ''));
}
