import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { isKeyText } from '@topup-kit/core/engine';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { outputError } from '../src/errors/cli-error.ts';
import { main } from '../src/main.ts';
import { fixtureOrder } from './helpers/order.ts';
import { home, run, until } from './helpers/run.ts';
import { startSandbox } from './helpers/servers.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'topup-cli-'));
  path = join(folder, 'topup.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

const keys = (...args: string[]) => run(['keys', ...args], { environment: { TOPUP_STORE: `file:${path}` } });

async function made(...args: string[]): Promise<{ key: string; key_id: string }> {
  return JSON.parse((await keys('create', '--name', 'checkout', ...args, '--json')).stdout);
}

describe('keys create', () => {
  it('prints the key alone on stdout, and what to know of it on stderr', async () => {
    const { code, stdout, stderr } = await keys('create', '--name', 'checkout', '--mode', 'live');

    expect(code).toBe(0);
    expect(stdout).toMatch(/^tk_live_\w{36}\n$/);
    expect(isKeyText(stdout.trim())).toBe(true);
    expect(stderr.replace(/key_\w+/, '<id>').replace(path, '<path>')).toMatchInlineSnapshot(`
      "Made <id> for account default in the new store
      <path>.
      The key is shown only once: the store keeps only its hash.
      "
    `);
  });

  it('prints what it created under --json', async () => {
    expect(
      await made('--mode', 'live', '--account', 'web-shop', '--scope', 'catalog:read', 'orders:read'),
    ).toEqual({
      key: expect.stringMatching(/^tk_live_/),
      key_id: expect.stringMatching(/^key_/),
      name: 'checkout',
      account_id: 'web-shop',
      scopes: ['catalog:read', 'orders:read'],
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      revoked_at: null,
    });
  });

  it.each([
    ['--mode', ['--mode', 'sandbox'], {}],
    ['TOPUP_MODE', [], { TOPUP_MODE: 'sandbox' }],
  ])('makes a test key by %s', async (_case, args, environment) => {
    const store = ['--store', `file:${path}`];

    expect((await run(['keys', 'create', '--name', 'x', ...args, ...store], { environment })).stdout).toMatch(
      /^tk_test_/,
    );
  });

  it('makes the key of the mode that the store serves', async () => {
    await using _server = await startSandbox(`file:${path}`);

    expect((await keys('create', '--name', 'x')).stdout).toMatch(/^tk_test_/);
    expect(await keys('create', '--name', 'x', '--mode', 'live')).toMatchObject({
      code: 2,
      stderr: `Error: ${path} belongs to a sandbox server, so its keys can't be live keys.\n`,
    });
  });

  it('asks which servers it is to open, on a store that no server was started on', async () => {
    const { code, stdout, stderr } = await keys('create', '--name', 'x');

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('add --mode sandbox or --mode live');
  });

  it('needs a name', async () => {
    expect(await keys('create', '--name', ' ')).toMatchObject({ code: 2 });
    expect(existsSync(path)).toBe(false);
  });

  it('ignores invalid settings that it does not need', async () => {
    const environment = { TOPUP_STORE: `file:${path}`, PORT: 'none' };

    expect(await run(['keys', 'create', '--name', 'x', '--mode', 'live'], { environment })).toMatchObject({
      code: 0,
    });
  });
});

describe('beside a running server', () => {
  const status = async (baseUrl: string, key: string): Promise<number> =>
    (await fetch(`${baseUrl}/games`, { headers: { 'X-API-KEY': key } })).status;

  it('a new key works within a second, and a revoked one stops working within another', async () => {
    await using server = await startSandbox(`file:${path}`);

    const { key, key_id } = await made();
    await until(async () => (await status(server.baseUrl, key)) === 200, 1_000);

    expect(await keys('revoke', key_id, '--yes')).toMatchObject({ code: 0 });
    await until(async () => (await status(server.baseUrl, key)) === 401, 1_000);
  });

  it('a key of another account does not see an order', async () => {
    await using server = await startSandbox(`file:${path}`);
    const order = [...fixtureOrder, '--base-url', server.baseUrl, '--json'];
    const as = (TOPUP_API_KEY: string) => ({ environment: { TOPUP_API_KEY } });
    const owner = await made('--account', 'web-shop');
    const colleague = await made('--account', 'web-shop');
    const stranger = await made('--account', 'other-shop');

    const { orderId } = JSON.parse((await run(order, as(owner.key))).stdout);
    const show = ['orders', 'show', orderId, '--base-url', server.baseUrl];

    expect(await run(show, as(colleague.key))).toMatchObject({ code: 0 });
    expect(await run(show, as(stranger.key))).toMatchObject({ code: 3 });
  });

  it('a key without the scope is rejected', async () => {
    await using server = await startSandbox(`file:${path}`);
    const { key } = await made('--scope', 'catalog:read');

    const order = await run([...fixtureOrder, '--base-url', server.baseUrl], {
      environment: { TOPUP_API_KEY: key },
    });

    expect(order).toMatchObject({ code: 4, stderr: expect.stringContaining('FORBIDDEN') });
  });
});

describe('keys list', () => {
  it('shows the keys, and never a key itself', async () => {
    const { key, key_id } = await made('--mode', 'live');
    await made('--account', 'web-shop', '--scope', 'orders:read');
    await keys('revoke', key_id, '--yes');

    const { code, stdout } = await keys('list');

    expect(code).toBe(0);
    expect(stdout).not.toContain(key);
    expect(
      stdout.replaceAll(/key_\w+/g, 'key_0000000000').replaceAll(/\d+ \w+ 20.*?GMT\+7/g, '<time>'),
    ).toMatchInlineSnapshot(`
      "KEY ID          NAME      ACCOUNT   MAY          CREATED                   STATE
      key_0000000000  checkout  default   everything   <time>  revoked
      key_0000000000  checkout  web-shop  orders:read  <time>  active
      "
    `);
  });

  it('is a document without hashes under --json', async () => {
    const { key_id } = await made('--mode', 'live');
    await keys('revoke', key_id, '--yes');

    const { stdout } = await keys('list', '--json');

    expect(JSON.parse(stdout)).toMatchObject({ keys: [{ key_id, revoked_at: expect.stringMatching(/Z$/) }] });
    expect(stdout).not.toContain('hash');
  });
});

describe('keys revoke', () => {
  it('keeps the first time when it is done twice', async () => {
    const { key_id } = await made('--mode', 'live');
    const first = JSON.parse((await keys('revoke', key_id, '--yes', '--json')).stdout);

    expect(JSON.parse((await keys('revoke', key_id, '--json')).stdout)).toEqual(first);
  });

  it('does nothing without a confirmation', async () => {
    const { key_id } = await made('--mode', 'live');

    expect(await keys('revoke', key_id)).toEqual({
      code: 2,
      stdout: '',
      stderr:
        `Error: This needs --yes: Key ${key_id} (checkout, account default) stops working within a second, for good.\n` +
        'Nothing was done.\n',
    });
    expect(JSON.parse((await keys('list', '--json')).stdout)).toMatchObject({ keys: [{ revoked_at: null }] });
  });

  it('--dry-run says what it would do', async () => {
    const { key_id } = await made('--mode', 'live');

    expect(await keys('revoke', key_id, '--dry-run')).toEqual({
      code: 0,
      stdout: `Nothing was changed. ${key_id} (checkout) would be revoked.\n`,
      stderr: '',
    });
    expect(JSON.parse((await keys('revoke', key_id, '--dry-run', '--json')).stdout)).toMatchObject({
      ...{ key_id, revoked_at: null, dry_run: true },
    });
  });

  it('of a key that is not there: exit 3', async () => {
    await made('--mode', 'live');

    expect(await keys('revoke', 'key_none')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(`Error: There is no key key_none in ${path}.\n`),
    });
  });
});

describe('a store that can not be worked on', () => {
  it.each([[['list']], [['revoke', 'key_none']]])('keys %j makes no new one', async (args) => {
    const { code, stderr } = await keys(...args);

    expect(code).toBe(3);
    expect(stderr).toContain(`Error: There is no store at ${path}.\n`);
    expect(existsSync(path)).toBe(false);
  });

  it('memory: is rejected with the reason', async () => {
    expect(await run(['keys', 'create', '--name', 'x', '--store', 'memory:'])).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'Error: memory: is inside the process of one server, where no other process can reach it.\n' +
        'Run the server on file:PATH, and name the same with --store or TOPUP_STORE.\n',
    });
  });

  it('a folder', async () => {
    expect(await run(['keys', 'list', '--store', `file:${folder}`])).toEqual({
      code: 1,
      stdout: '',
      stderr: `Error: ${folder} is a folder, not a file.\n`,
    });
  });
});

describe('a key that could not be printed', () => {
  it('is revoked at once', async () => {
    const said: string[] = [];
    const full = outputError(new Error('ENOSPC: no space left on device, write'));

    const code = await main(['keys', 'create', '--name', 'x', '--mode', 'live', '--store', `file:${path}`], {
      stdin: Readable.from([]),
      stdout: { write: () => Promise.reject(full) },
      stderr: { write: (text) => said.push(text) },
      environment: { HOME: home, NO_COLOR: '1' },
    });

    expect(code).toBe(1);
    expect(said.join('').replace(/key_\w+/, '<id>')).toBe(
      'Error: The key could not be printed, so <id> was revoked.\nCreate another one where the output can be written.\n',
    );
    const { keys: all } = JSON.parse((await keys('list', '--json')).stdout);
    expect(all).toEqual([expect.objectContaining({ revoked_at: expect.any(String) })]);
  });
});

it('keys list fits 60 columns', async () => {
  await made('--mode', 'live', '--account', 'a-shop-with-a-very-long-name-of-its-own');

  const { stdout } = await run(['keys', 'list', '--store', `file:${path}`], { columns: 60 });

  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(60);
  expect(stdout).toContain('active');
});

it.each(['--name', '--account'])('%s accepts at most 255 characters', async (flag) => {
  const others = flag === '--name' ? [] : ['--name', 'x'];

  const { code, stderr } = await keys('create', '--mode', 'live', ...others, flag, 'x'.repeat(256));

  expect(code).toBe(2);
  expect(stderr).toContain(`${flag} must have 1 to 255 characters.`);
  expect(existsSync(path)).toBe(false);
  expect((await keys('create', '--mode', 'live', ...others, flag, 'x'.repeat(255))).code).toBe(0);
});
