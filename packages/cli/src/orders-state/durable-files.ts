import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { syncFolder } from '@topup-kit/server/internal/folders';

const unfinished = '.new';
/** Nobody takes longer than this, in milliseconds, to write one small file. */
const longestWrite = 60_000;

function writeAndSync(path: string, text: string): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Writes a new file, whole and on the disk when this returns; a crash leaves it whole or not there. */
export function writeDurably(path: string, text: string): void {
  const written = path + unfinished;
  try {
    writeAndSync(written, text);
    renameDurably(written, path);
  } catch (error) {
    rmSync(written, { force: true });
    throw error;
  }
}

/** Renames a file, which only one of those who try at the same time can do. */
export function renameDurably(from: string, to: string): void {
  renameSync(from, to);
  syncFolder(dirname(to));
}

/** Removes what processes left behind that were killed while they wrote. */
export function removeLeftovers(folder: string): void {
  for (const name of readdirSync(folder).filter((one) => one.endsWith(unfinished))) {
    const path = join(folder, name);
    const there = statSync(path, { throwIfNoEntry: false });
    if (there && Date.now() - there.mtimeMs > longestWrite) rmSync(path, { force: true });
  }
}
