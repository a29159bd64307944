import { closeSync, constants, copyFileSync, existsSync, fsyncSync, linkSync, openSync } from 'node:fs';

/** The current time in the form `20261120T145501Z`. */
const timeInName = (): string => new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '');

/** A name beside a store for a file that is kept, such as `topup.db.before-20261120T145501Z`; neither it nor a log of it is there yet. */
export function keptName(path: string, what: string): string {
  const name = `${path}.${what}-${timeInName()}`;
  let free = name;
  for (let count = 2; existsSync(free) || existsSync(`${free}-wal`); count += 1) free = `${name}-${count}`;
  return free;
}

/** Copies a file into a new one that is on the disk when this returns; at no cost where the file system can share the content. */
export function copyDurably(path: string, copy: string): void {
  copyFileSync(path, copy, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  const opened = openSync(copy, 'r+');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

/** Keeps a file under a second name by a hard link, so that the first name never goes missing. Copies it where links are not supported. */
export function linkOrCopy(path: string, other: string): void {
  try {
    linkSync(path, other);
  } catch {
    copyDurably(path, other);
  }
}
