import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Store } from '@topup-kit/core/store';
import { openStore } from '@topup-kit/server';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { temporaryFolder } from './folder.ts';

/** Opens the store in a file, works on it, and closes it. */
export async function inStore<Result>(
  path: string,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const store = openStore({ kind: 'file', path });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Changes rows of the store in a file. */
export function edit(path: string, sql: string): void {
  using db = new DatabaseSync(path);
  db.exec(sql);
}

/**
 * A folder for each test of a file, with a copy of a store that is made once, on which no server runs: what one test changes, no other
 * finds.
 *
 * @param make makes the store at a path, and closes it; without it, no test has one yet
 */
export function ownStore(make?: (path: string) => Promise<unknown>) {
  const all = temporaryFolder();
  const made = join(all.path, 'made.db');
  let folder = '';
  let tests = 0;
  const fileIn = (name: string): string => join(folder, name);
  const path = (): string => fileIn('topup.db');
  if (make) beforeAll(() => make(made));
  beforeEach(() => {
    tests += 1;
    folder = join(all.path, String(tests));
    mkdirSync(folder);
    if (make) copyFileSync(made, path());
  });
  afterAll(() => all[Symbol.dispose]());
  return {
    /** A path for a file beside it that does not exist yet. */
    fileIn,
    get folder() {
      return folder;
    },
    get path() {
      return path();
    },
    get url() {
      return `file:${path()}`;
    },
    inStore: <Result>(work: (store: Store) => Promise<Result>): Promise<Result> => inStore(path(), work),
    edit: (sql: string): void => edit(path(), sql),
  };
}
