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

const temporarySuffix = '.new';
/** In milliseconds; writing one small file never takes longer. */
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

/** Writes a new file, complete and synced when this returns; after a crash it is complete or missing. */
export function writeDurably(path: string, text: string): void {
  const written = path + temporarySuffix;
  try {
    writeAndSync(written, text);
    renameDurably(written, path);
  } catch (error) {
    rmSync(written, { force: true });
    throw error;
  }
}

/** Renames a file and syncs its folder; of several processes that try at once, only one succeeds. */
export function renameDurably(from: string, to: string): void {
  renameSync(from, to);
  syncFolder(dirname(to));
}

/** Removes the temporary files of processes that were killed while writing. */
export function removeLeftovers(folder: string): void {
  for (const name of readdirSync(folder).filter((one) => one.endsWith(temporarySuffix))) {
    const path = join(folder, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats && Date.now() - stats.mtimeMs > longestWrite) rmSync(path, { force: true });
  }
}
