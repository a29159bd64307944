import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockForServer, openStore } from '@topup-kit/server/internal';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { usePostgres } from '../../server/test/helpers/shared-postgres.ts';
import { progressWords } from '../src/commands/database/copy.ts';
import { fixtureOrder } from './helpers/order.ts';
import { run } from './helpers/run.ts';
import { startSandbox } from './helpers/servers.ts';

const database = usePostgres();
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'topup-cli-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

let url: string;
let path: string;
let count = 0;
beforeEach(async () => {
  url = await database.newSchema();
  path = join(folder, `shop-${count++}.db`);
  await using server = await startSandbox(`file:${path}`);
  await run([...fixtureOrder, '--base-url', server.baseUrl]);
});

const copy = (...args: string[]) => run(['db', 'copy', ...args]);
const shown = 'postgres://127.0.0.1';

it('creates no store in an empty database for a read', async () => {
  const empty = await database.newSchema();
  for (const args of [
    ['orders', 'list', '--store', empty],
    ['keys', 'list', '--store', empty],
    ['db', 'copy', '--from', empty, '--to', `file:${path}.copy`],
  ])
    expect(await run(args)).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringMatching(/^Error: PostgreSQL at .* has no store yet: no server has used it\.\n/),
    });
  expect((await run(['db', 'status', '--store', empty])).stderr).toContain('has no store yet');
});

describe('db copy', () => {
  it('copies a shop to PostgreSQL and back, and shows its content', async () => {
    const { code, stdout, stderr } = await copy('--from', `file:${path}`, '--to', url);
    expect([code, stderr]).toEqual([
      0,
      '\nCopied and compared: both stores are equal. Start servers only on the new store, and\nkeep the old store until you have checked the new one.\nVerified: 1 order, and all records agree.\n',
    ]);
    expect(stdout).toMatch(
      new RegExp(`^  From +${path}\n  To +${shown}:\\d+/postgres\n\n +TABLE +ROWS +SHA-256\n`),
    );
    expect(stdout).toMatch(/\n +orders +1 {2}[0-9a-f]{16}\n/);
    const back = `${path}.back`;
    // The store that other commands use needs no flag.
    const { stdout: json } = await run(['db', 'copy', '--to', `file:${back}`, '--json'], {
      environment: { TOPUP_STORE: url },
    });
    const document = JSON.parse(json);
    expect(document).toMatchObject({ from: expect.stringContaining(shown), to: back, resumed: false });
    expect(document.tables).toContainEqual({
      table: 'orders',
      rows: 1,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const orders = (store: string) =>
      run(['orders', 'list', '-q', '--store', store]).then((ran) => ran.stdout);
    expect(await orders(`file:${back}`)).toMatch(/^INV-[^\n]+\n$/);
    expect(await orders(`file:${back}`)).toBe(await orders(`file:${path}`));
  });

  it('explains why a copy is impossible, and leaves both stores unchanged', async () => {
    const lock = lockForServer(path, { pid: process.pid, address: '127.0.0.1:4000' });
    expect(await copy('--from', `file:${path}`, '--to', url)).toMatchObject({
      code: 6,
      stderr: expect.stringMatching(
        /^Error: Another server \(pid \d+, 127\.0\.0\.1:4000\) already serves .*\nStop all servers/,
      ),
    });
    lock.release();
    const store = openStore({ kind: 'postgres', url });
    await store.claimMode('live');
    await store.close();
    expect(await copy('--from', `file:${path}`, '--to', url)).toMatchObject({
      code: 6,
      stdout: '',
      stderr: expect.stringMatching(
        /^Error: PostgreSQL at .* is not empty: there are rows in its table mode\.\nNothing was changed\./,
      ),
    });
    expect(await copy('--from', url, '--to', `file:${path}`)).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('exists already'),
    });
    expect(await copy('--from', `file:${path}.none`, '--to', await database.newSchema())).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('Check the name of the store with --from.'),
    });
  });

  it('continues a stopped copy with the same command', async () => {
    const args = ['db', 'copy', '--from', `file:${path}`, '--to', url];
    expect(await run(args, { signal: AbortSignal.abort('SIGINT') })).toMatchObject({
      code: 130,
      stderr: expect.stringContaining('Run the same command again to continue.'),
    });
    const status = await run(['orders', 'list', '--store', url]);
    expect(status).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is an unfinished copy of another store'),
    });
    const { stdout } = await run([...args, '--json']);
    expect(JSON.parse(stdout).resumed).toBe(true);
  });

  it.each([
    [[], 'db copy needs the other store: --from, --to or both.'],
    [['--from', 'file:a.db', '--to', 'file:b.db'], 'Both are store files'],
    [['--from', 'postgres://h/a', '--to', 'postgres://h/b'], 'Use pg_dump and pg_restore.'],
    [['--from', 'a.db', '--to', 'postgres://h/b'], '--from must be file:PATH or postgres://..., not "a.db".'],
    [['--from', 'file:a.db', '--to', 'memory:'], "memory: exists only inside the server's process"],
  ])('rejects db copy %j', async (args, message) => {
    expect(await copy(...args)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(message),
    });
  });

  it('shows the progress of a copy as a bar', () => {
    const words = (done: number, total: number) => progressWords({ step: 'copying', done, total });
    expect(words(0, 8)).toBe('Copying ░░░░░░░░░░░░░░░░░░░░ 0 %');
    expect(words(2, 8)).toBe('Copying █████░░░░░░░░░░░░░░░ 25 %');
    expect(words(8, 8)).toBe('Copying ████████████████████ 100 %');
    expect(progressWords({ step: 'comparing', done: 1, total: 2 })).toMatch(/^Comparing █{10}░{10} 50 %$/);
  });
});
