import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

const unfinished = '.new';
/** Nobody takes longer than this, in milliseconds, to write one small file. */
const longestWrite = 60_000;

/** A name is on the disk only when its folder is. */
function syncFolder(folder: string): void {
  // Windows opens no folders, and keeps names in its journal.
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Makes a folder for this user alone that a crash of the machine does not undo. */
export function makeFolder(folder: string): void {
  const first = mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) syncFolder(dirname(made));
}

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
