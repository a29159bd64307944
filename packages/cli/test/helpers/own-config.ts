import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { temporaryFolder } from './folder.ts';

/** A folder for each test of a file, with the path of a config file that doesn't exist yet. */
export function ownConfig() {
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder[Symbol.dispose]());

  const fileIn = (name: string): string => join(folder.path, name);
  return {
    fileIn,
    get folder() {
      return folder.path;
    },
    get path() {
      return fileIn('config.json');
    },
    keep: (config: unknown): void =>
      writeFileSync(fileIn('config.json'), typeof config === 'string' ? config : JSON.stringify(config), {
        mode: 0o600,
      }),
    /** The content of the config file. */
    kept: () => JSON.parse(readFileSync(fileIn('config.json'), 'utf8')),
  };
}
