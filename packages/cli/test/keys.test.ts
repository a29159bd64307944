import { existsSync } from 'node:fs';
import { Readable } from 'node:stream';
import { isKeyText } from '@topup-kit/core/contract';
import { describe, expect, it } from 'vitest';
import { outputError } from '../src/errors/cli-error.ts';
import { main } from '../src/main.ts';
import { fixtureOrder } from './helpers/order.ts';
import { ownStore } from './helpers/own-store.ts';
import { home, run, until } from './helpers/run.ts';
import { startSandbox } from './helpers/servers.ts';

const own = ownStore();

const keys = (...args: string[]) => run(['keys', ...args], { environment: { TOPUP_STORE: own.url } });

async function made(
  ...args: string[]
): Promise<{ key: string; key_id: string; expires_at: string | null; scopes: string[] }> {
  return JSON.parse((await keys('create', '--name', 'checkout', ...args, '--json')).stdout);
}

describe('keys create', () => {
  it('prints only the key on stdout, and prints notes on stderr', async () => {
    const { code, stdout, stderr } = await keys('create', '--name', 'checkout', '--mode', 'live');

    expect(code).toBe(0);
    expect(stdout).toMatch(/^tk_live_\w{36}\n$/);
    expect(isKeyText(stdout.trim())).toBe(true);
    expect(stderr.replace(/key_\w+/, '<id>').replace(own.path, '<path>')).toMatchInlineSnapshot(`
      "Made <id> for account default in the new store
      <path>.
      The key is shown only once: the store keeps only its hash.
      "
    `);
  });

  it('prints the new key under --json', async () => {
    expect(
      await made('--mode', 'live', '--account', 'web-shop', '--scope', 'catalog:read', 'orders:read'),
    ).toEqual({
      key: expect.stringMatching(/^tk_live_/),
      key_id: expect.stringMatching(/^key_/),
      name: 'checkout',
      account_id: 'web-shop',
      scopes: ['catalog:read', 'orders:read'],
      state: 'active',
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      expires_at: null,
      last_used_at: null,
      revoked_at: null,
      replaced_by: null,
      replaces: null,
    });
  });

  it('creates a trusted key only on request', async () => {
    expect((await made('--mode', 'live')).scopes).toEqual(['catalog:read', 'orders:read', 'orders:write']);
    const { key_id, scopes } = await made('--mode', 'live', '--scope', 'orders:write', '--trusted');
    expect(scopes).toEqual(['orders:write', 'customers:ip']);
    const listed = await keys('list');
    expect(listed.stdout).toMatch(new RegExp(`${key_id} .* orders:write, trusted `));
    // A rotated key stays what it was.
    const { stdout } = await keys('rotate', key_id, '--json');
    expect(JSON.parse(stdout).scopes).toEqual(['orders:write', 'customers:ip']);
  });

  it('accepts scopes separated by commas, and rejects unknown scopes', async () => {
    const { scopes } = await made('--mode', 'live', '--scope', 'catalog:read,orders:read', 'orders:write');
    expect(scopes).toEqual(['catalog:read', 'orders:read', 'orders:write']);
    const { code, stderr } = await keys('create', '--name', 'x', '--scope', 'catalog:read,orders');
    expect(code).toBe(2);
    expect(stderr).toContain(
      "'catalog:read,orders' is invalid. Allowed choices are catalog:read, orders:read, orders:write.",
    );
  });

  it.each([
    ['--mode', ['--mode', 'sandbox'], {}],
    ['TOPUP_MODE', [], { TOPUP_MODE: 'sandbox' }],
  ])('creates a test key with %s', async (_case, args, environment) => {
    const store = ['--store', own.url];

    expect((await run(['keys', 'create', '--name', 'x', ...args, ...store], { environment })).stdout).toMatch(
      /^tk_test_/,
    );
  });

  it("creates a key for the store's mode", async () => {
    await using _server = await startSandbox(own.url);

    expect((await keys('create', '--name', 'x')).stdout).toMatch(/^tk_test_/);
    expect(await keys('create', '--name', 'x', '--mode', 'live')).toMatchObject({
      code: 2,
      stderr: `Error: ${own.path} belongs to a sandbox server, so its keys can't be live keys.\n`,
    });
  });

  it('requires a name for a new key', async () => {
    expect(await keys('create', '--name', ' ')).toMatchObject({ code: 2 });
    expect(existsSync(own.path)).toBe(false);
  });

  it("ignores invalid settings that keys create doesn't use", async () => {
    const environment = { TOPUP_STORE: own.url, PORT: 'none' };

    expect(await run(['keys', 'create', '--name', 'x', '--mode', 'live'], { environment })).toMatchObject({
      code: 0,
    });
  });
});

describe('keys create --expires', () => {
  const day = 24 * 60 * 60_000;

  it('counts an expiry duration from now', async () => {
    const before = Date.now();
    const { expires_at } = await made('--mode', 'live', '--expires', '90d');

    const left = Date.parse(expires_at ?? '') - before - 90 * day;
    expect(left).toBeGreaterThanOrEqual(0);
    expect(left).toBeLessThan(30_000);
  });

  it("accepts a date as the end of that day in the store's time zone", async () => {
    expect(await made('--mode', 'live', '--expires', '2099-12-31')).toMatchObject({
      expires_at: '2099-12-31T17:00:00.000Z',
    });
  });

  it.each(['soon', '4000d', '2099-02-31', '99999999999999999d'])(
    'rejects the expiry %s, and exits with 2',
    async (text) => {
      const { code, stderr } = await keys('create', '--name', 'x', '--mode', 'live', '--expires', text);

      expect(code).toBe(2);
      expect(stderr).toContain('Give a duration such as 90d (at most 3650d), or a time such as 2026-12-31');
      expect(existsSync(own.path)).toBe(false);
    },
  );

  it.each(['0d', '2020-01-01'])(
    'rejects the expiry %s, which is not in the future, creates no store, and exits with 2',
    async (text) => {
      const { code, stderr } = await keys('create', '--name', 'x', '--mode', 'live', '--expires', text);

      expect(code).toBe(2);
      expect(stderr).toContain(`--expires ${text} is not in the future.`);
      expect(existsSync(own.path)).toBe(false);
    },
  );
});

describe('keys rotate', () => {
  it("prints only the new key on stdout, and the old key's end on stderr", async () => {
    const { key_id } = await made('--mode', 'live', '--account', 'web-shop', '--scope', 'catalog:read');
    const before = Date.now();

    const { code, stdout, stderr } = await keys('rotate', key_id, '--overlap', '7d');

    expect(code).toBe(0);
    expect(stdout).toMatch(/^tk_live_\w{36}\n$/);
    expect(isKeyText(stdout.trim())).toBe(true);
    expect(stderr).toMatch(/^Made key_\w+ in /);
    expect(stderr).toContain(`${key_id} (checkout) stops working `);
    const { keys: all } = JSON.parse((await keys('list', '--json')).stdout);
    expect(all).toEqual([
      expect.objectContaining({ key_id, replaced_by: all[1].key_id }),
      expect.objectContaining({
        ...{ name: 'checkout', account_id: 'web-shop', scopes: ['catalog:read'], expires_at: null },
      }),
    ]);
    const until = Date.parse(all[0].expires_at) - before - 7 * 24 * 60 * 60_000;
    expect(until).toBeGreaterThanOrEqual(0);
    expect(until).toBeLessThan(30_000);
  });

  it('prints the new key and the time when the old key ends under --json', async () => {
    const { key_id } = await made('--mode', 'live');

    const rotated = JSON.parse((await keys('rotate', key_id, '--overlap', '2w', '--json')).stdout);

    const { keys: all } = JSON.parse((await keys('list', '--json')).stdout);
    const { key, old_key, ...next } = rotated;
    expect(isKeyText(key)).toBe(true);
    expect([old_key, next]).toEqual(all);
    expect(all).toMatchObject([
      { key_id, state: 'active', replaced_by: next.key_id, replaces: null },
      { key_id: next.key_id, state: 'active', replaced_by: null, replaces: key_id },
    ]);
    const left = Date.parse(old_key.expires_at) - Date.parse(next.created_at);
    expect(left).toBe(14 * 24 * 60 * 60_000);
    const again = JSON.parse((await keys('rotate', next.key_id, '--json')).stdout);
    expect([again.replaces, again.old_key.replaces]).toEqual([next.key_id, key_id]);
  });

  it('keeps both keys valid for a day by default', async () => {
    const { key_id } = await made('--mode', 'live');
    await keys('rotate', key_id);

    const { keys: all } = JSON.parse((await keys('list', '--json')).stdout);
    const left = Date.parse(all[0].expires_at) - Date.parse(all[1].created_at);
    expect(left).toBe(24 * 60 * 60_000);
  });

  it('ends the old key immediately with --overlap 0s', async () => {
    await using server = await startSandbox(own.url);
    const { key, key_id } = await made();

    const { stdout, stderr } = await keys('rotate', key_id, '--overlap', '0s');

    expect(stderr).toContain(`${key_id} (checkout) no longer works.`);
    const status = async (one: string): Promise<number> =>
      (await fetch(`${server.baseUrl}/games`, { headers: { 'X-API-KEY': one } })).status;
    await until(async () => (await status(stdout.trim())) === 200, 1_000);
    expect(await status(key)).toBe(401);
  });
});

describe('next to a running server', () => {
  const status = async (baseUrl: string, key: string): Promise<number> =>
    (await fetch(`${baseUrl}/games`, { headers: { 'X-API-KEY': key } })).status;

  it('accepts a new key within a second, and rejects a revoked key within another second', async () => {
    await using server = await startSandbox(own.url);

    const { key, key_id } = await made();
    await until(async () => (await status(server.baseUrl, key)) === 200, 1_000);

    expect(await keys('revoke', key_id, '--yes')).toMatchObject({ code: 0 });
    await until(async () => (await status(server.baseUrl, key)) === 401, 1_000);
  });

  it("hides an order from another account's key", async () => {
    await using server = await startSandbox(own.url);
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

  it('rejects a key that lacks the required scope', async () => {
    await using server = await startSandbox(own.url);
    const { key } = await made('--scope', 'catalog:read');

    const order = await run([...fixtureOrder, '--base-url', server.baseUrl], {
      environment: { TOPUP_API_KEY: key },
    });

    expect(order).toMatchObject({ code: 4, stderr: expect.stringContaining('FORBIDDEN') });
  });
});

describe('keys list', () => {
  it('lists keys without showing the secret part', async () => {
    const { key, key_id } = await made('--mode', 'live');
    await made('--account', 'web-shop', '--scope', 'orders:read');
    await keys('revoke', key_id, '--yes');

    const { code, stdout } = await keys('list');

    expect(code).toBe(0);
    expect(stdout).not.toContain(key);
    expect(
      stdout.replaceAll(/key_\w+/g, 'key_0000000000').replaceAll(/\d+ \w+ 20\d\d/g, '<day>'),
    ).toMatchInlineSnapshot(`
      "KEY ID          NAME      ACCOUNT   MAY          LAST USED  CREATED      STATE
      key_0000000000  checkout  default   everything   never      <day>  revoked
      key_0000000000  checkout  web-shop  orders:read  never      <day>  active
      "
    `);
  });

  it("shows each key's expiry and last use", async () => {
    const { key_id } = await made('--mode', 'live', '--expires', '2099-12-31T10:00+07:00');
    await own.inStore((store) => store.recordKeyUses(new Map([[key_id, Date.UTC(2026, 2, 28, 3)]])));

    const { stdout } = await keys('list');

    expect(stdout).toContain('28 Mar 2026, 10:00 GMT+7');
    expect(stdout).toContain('until 31 Dec 2099, 10:00 GMT+7');
    expect(JSON.parse((await keys('list', '--json')).stdout)).toMatchObject({
      keys: [{ key_id, expires_at: '2099-12-31T03:00:00.000Z', last_used_at: '2026-03-28T03:00:00.000Z' }],
    });
  });
});

describe('keys revoke', () => {
  it('keeps the time of the first revocation when a key is revoked again', async () => {
    const { key_id } = await made('--mode', 'live');
    const first = JSON.parse((await keys('revoke', key_id, '--yes', '--json')).stdout);

    expect(JSON.parse((await keys('revoke', key_id, '--json')).stdout)).toEqual(first);
  });
});

describe("a store that can't be used", () => {
  it.each([[['list']], [['revoke', 'key_none']]])('creates no key with keys %j', async (args) => {
    const { code, stderr } = await keys(...args);

    expect(code).toBe(3);
    expect(stderr).toContain(`Error: There is no store at ${own.path}.\n`);
    expect(existsSync(own.path)).toBe(false);
  });

  it('rejects memory: as a store for keys, and gives the reason', async () => {
    expect(await run(['keys', 'create', '--name', 'x', '--store', 'memory:'])).toEqual({
      code: 2,
      stdout: '',
      stderr:
        "Error: memory: exists only inside the server's process, so no other command can open it.\n" +
        'Run the server on file:PATH, and give the same value with --store or TOPUP_STORE.\n',
    });
  });

  it('rejects a folder as a store for keys', async () => {
    expect(await run(['keys', 'list', '--store', `file:${own.folder}`])).toEqual({
      code: 2,
      stdout: '',
      stderr: `Error: ${own.folder} is a folder, not a file.\nName a file with TOPUP_STORE (or --store), such as file:./data/topup.db.\n`,
    });
  });
});

describe("a key that can't be printed", () => {
  it("revokes a new key immediately if it can't be printed", async () => {
    const said: string[] = [];
    const full = outputError(new Error('ENOSPC: no space left on device, write'));

    const code = await main(['keys', 'create', '--name', 'x', '--mode', 'live', '--store', own.url], {
      stdin: Readable.from([]),
      stdout: { write: () => Promise.reject(full) },
      stderr: { write: (text) => said.push(text) },
      environment: { HOME: home, NO_COLOR: '1' },
    });

    expect(code).toBe(1);
    expect(said.join('').replace(/key_\w+/, '<id>')).toBe(
      'Error: The key could not be printed, so <id> was revoked.\nCreate another key where the output can be written.\n',
    );
    const { keys: all } = JSON.parse((await keys('list', '--json')).stdout);
    expect(all).toEqual([expect.objectContaining({ revoked_at: expect.any(String) })]);
  });
});

it('fits keys list into 60 columns', async () => {
  await made('--mode', 'live', '--account', 'a-shop-with-a-very-long-name-of-its-own');

  const { stdout } = await run(['keys', 'list', '--store', own.url], { columns: 60 });

  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(60);
  expect(stdout).toContain('active');
});

describe("a rotated key whose replacement can't be printed", () => {
  it("revokes a replacement that can't be printed, and keeps the old key, which can be rotated again", async () => {
    const { key_id } = await made('--mode', 'live');
    const said: string[] = [];

    const code = await main(['keys', 'rotate', key_id, '--store', own.url], {
      stdin: Readable.from([]),
      stdout: { write: () => Promise.reject(outputError(new Error('ENOSPC'))) },
      stderr: { write: (text) => said.push(text) },
      environment: { HOME: home, NO_COLOR: '1' },
    });

    expect(code).toBe(1);
    expect(said.join('')).toContain(`${key_id} stops working `);
    expect(said.join('')).toContain('Rotate it again where the output can be written.');
    const { keys: all } = JSON.parse((await keys('list', '--json')).stdout);
    expect(all).toMatchObject([{ revoked_at: null }, { revoked_at: expect.any(String) }]);
    const again = JSON.parse((await keys('rotate', key_id, '--json')).stdout);
    expect(again).toMatchObject({ key: expect.stringMatching(/^tk_live_/), expires_at: null });
  });
});

it.each(['--name', '--account'])('accepts at most 255 characters for %s', async (flag) => {
  const others = flag === '--name' ? [] : ['--name', 'x'];

  const { code, stderr } = await keys('create', '--mode', 'live', ...others, flag, 'x'.repeat(256));

  expect(code).toBe(2);
  expect(stderr).toContain(`${flag} must have 1 to 255 characters.`);
  expect(existsSync(own.path)).toBe(false);
  expect((await keys('create', '--mode', 'live', ...others, flag, 'x'.repeat(255))).code).toBe(0);
});
