import { closeSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Flushes a folder to the disk, so that files created, renamed or removed in it survive a power cut. */
export function syncFolder(folder: string): void {
  // Windows can't open a folder as a file, and its file system journals names.
  if (process.platform === 'win32') return;
  const opened = openSync(folder, 'r');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/**
 * Creates a folder that only this user can open (mode 0700) and that survives a power cut. It creates one level at a time, because Node's
 * recursive option never returns if the folder can't be created, such as in /proc.
 */
export function makeFolder(folder: string): void {
  if (isFolder(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have created the folder at the same time.
    if (!isFolder(folder)) throw error;
  }
  syncFolder(parent);
}
