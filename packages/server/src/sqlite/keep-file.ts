import { closeSync, constants, copyFileSync, existsSync, fsyncSync, linkSync, openSync } from 'node:fs';

/** Returns the current time in the form `20261120T145501Z`. */
const timeInName = (): string => new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '');

/** Returns a free name next to a store for a kept file, such as `topup.db.before-20261120T145501Z`; neither it nor its log exists. */
export function keptName(path: string, what: string): string {
  const name = `${path}.${what}-${timeInName()}`;
  let free = name;
  for (let count = 2; existsSync(free) || existsSync(`${free}-wal`); count += 1) free = `${name}-${count}`;
  return free;
}

/** Copies a file into a new file, which is on the disk on return. The copy takes no time if the file system can share content. */
export function copyDurably(path: string, copy: string): void {
  copyFileSync(path, copy, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  const opened = openSync(copy, 'r+');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

/** Gives a file a second name by a hard link, so that the first name always exists. Copies the file if links are not supported. */
export function linkOrCopy(path: string, other: string): void {
  try {
    linkSync(path, other);
  } catch {
    copyDurably(path, other);
  }
}
