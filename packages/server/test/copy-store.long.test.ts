import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundled } from '../../../test/shared.ts';
import { contentOf, filledFile } from './helpers/filled-store.ts';
import { startPostgres, type TestPostgres } from './helpers/postgres.ts';
import { tempFolder } from './helpers/store-file.ts';

let database: TestPostgres;
beforeAll(async () => {
  database = await startPostgres();
}, 60_000);
afterAll(() => database[Symbol.asyncDispose]());

describe('a copy of a store', () => {
  it('continues a killed copy until it is complete, in both directions', async () => {
    const path = join(tempFolder(), 'shop.db');
    await filledFile(path, 1_600);
    const url = await database.newSchema();
    const program = await bundled(new URL('helpers/copy-program.ts', import.meta.url));
    /** Kills the copy when it reports progress for the n-th time; resolves with its last line. */
    const copyUntil = async (from: string, to: string, lines: number): Promise<string> => {
      const env = { PATH: process.env.PATH, FROM: from, TO: to };
      const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'inherit'] });
      const ended = once(child, 'exit');
      let count = 0;
      let last = '';
      for await (const line of createInterface(child.stdout)) {
        count += 1;
        last = line;
        if (count === lines) child.kill('SIGKILL');
      }
      await ended;
      return last;
    };
    const returned = join(tempFolder(), 'back.db');
    for (const [from, to] of [
      [path, url],
      [url, returned],
    ] as const) {
      let kills = 0;
      while ((await copyUntil(from, to, 2 + 5 * kills)) !== 'resumed') kills += 1;
      expect(kills).toBeGreaterThan(2);
    }
    expect(contentOf(returned)).toEqual(contentOf(path));
  }, 60_000);
});
