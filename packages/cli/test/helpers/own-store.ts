import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { temporaryFolder } from './folder.ts';

/**
 * A store that is made once for a test file. Each test has a copy of its own, on which no server runs: what one test changes, no other
 * finds.
 *
 * @param make makes the store at a path, and closes it
 */
export function ownStore(make: (path: string) => Promise<void>) {
  const folder = temporaryFolder();
  const made = join(folder.path, 'made.db');
  let tests = 0;
  const path = (): string => join(folder.path, `topup-${tests}.db`);
  beforeAll(() => make(made));
  beforeEach(() => {
    tests += 1;
    copyFileSync(made, path());
  });
  afterAll(() => folder[Symbol.dispose]());
  return {
    get path() {
      return path();
    },
    get url() {
      return `file:${path()}`;
    },
    /** A path for a file beside it that does not exist yet. */
    fileIn: (name: string): string => join(folder.path, `${tests}-${name}`),
  };
}
