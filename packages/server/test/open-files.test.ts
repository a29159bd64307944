import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, vi } from 'vitest';
import { readConfig, startServer } from '../src/index.ts';
import { explainPostgresError } from '../src/postgres/postgres-error.ts';
import { makeStore, tempFolder } from './helpers/store-file.ts';

const { readFile } = vi.hoisted(() => ({ readFile: vi.fn<() => Promise<string>>() }));
vi.mock(import('node:fs/promises'), async (original) => ({
  ...(await original()),
  // Safe: the code reads only the catalogue.
  readFile: readFile as never,
}));

const sourceOf = (path: string): string => new URL(`../src/${path}`, import.meta.url).href;

const limit = 200;

/**
 * In a process that may open few files and has all of them open but so many, for each of `numbers`: what opening the store says.
 */
async function openWithFew(path: string, numbers: readonly number[]): Promise<string[]> {
  const script = `
    import { closeSync, openSync } from 'node:fs';
    import { createSqliteStore } from ${JSON.stringify(sourceOf('sqlite/index.ts'))};
    const path = ${JSON.stringify(path)};
    await createSqliteStore({ path }).close();
    const held = [];
    const fill = () => { try { for (;;) held.push(openSync('/dev/null')); } catch {} };
    const said = [];
    for (const free of ${JSON.stringify(numbers)}) {
      fill();
      for (let count = 0; count < free; count += 1) closeSync(held.pop());
      try { const store = createSqliteStore({ path }); await store.close(); said.push('opened'); }
      catch (error) { said.push(error.problem + ': ' + error.message); }
    }
    for (const file of held) closeSync(file);
    console.log(JSON.stringify(said));`;
  const node = [process.execPath, '--conditions=@topup-kit/source', '--input-type=module-typescript'];
  const { stdout } = await promisify(execFile)('sh', [
    '-c',
    `ulimit -n ${limit}; exec "$@"`,
    'sh',
    ...node,
    '--eval',
    script,
  ]);
  return JSON.parse(stdout);
}

it('explains that too many open files prevent opening a store, and how to fix that', async () => {
  const path = join(tempFolder(), 'topup.db');
  await makeStore(path);
  const said = await openWithFew(path, [0, 1, 2, 3, 4, 12]);
  expect(said.pop()).toBe('opened');
  const explained = /^too_many_files: .*too many files are open \(EMFILE\)\. Raise the limit .*ulimit -n/;
  expect(said[0]).toMatch(explained);
  for (const one of said) expect(one).toMatch(new RegExp(`^opened$|${explained.source}`));
});

it('explains that too many open files prevent reading a catalogue, and how to fix that', async () => {
  readFile.mockRejectedValue(Object.assign(new Error('open EMFILE'), { code: 'EMFILE' }));
  const settings = { TOPUP_MODE: 'sandbox', TOPUP_STORE: 'memory:', PORT: '0', TOPUP_CATALOG: 'shop.json' };
  await expect(startServer(readConfig(settings))).rejects.toThrow(
    /shop\.json can't be read: too many files are open \(EMFILE\)\. Raise the limit /,
  );
});

it('explains that too many open files prevent connecting to a database', () => {
  const cause = Object.assign(new Error('connect EMFILE'), { code: 'EMFILE' });
  expect(explainPostgresError(cause, 'PostgreSQL at db/topup')).toMatchObject({
    problem: 'unreachable',
    message: expect.stringMatching(/^PostgreSQL at db\/topup can't be reached: too many files .*\(EMFILE\)/),
  });
});
