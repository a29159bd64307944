import { type statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { checkRoom } from '../src/commands/doctor/store.ts';
import { saveOrder } from '../src/pending-orders/journal.ts';
import { fixtureOrder } from './helpers/order.ts';
import { ownConfig } from './helpers/own-config.ts';
import { ownStore } from './helpers/own-store.ts';
import { run } from './helpers/run.ts';
import { failureOf, withoutAnyTimes } from './helpers/screens.ts';
import { closedBaseUrl, startJsonService, startSandbox } from './helpers/servers.ts';

const own = ownConfig();
const made = ownStore(async (path) => {
  await using server = await startSandbox(`file:${path}`);
  await run([...fixtureOrder, '--base-url', server.baseUrl]);
});
let environment: Record<string, string>;
beforeEach(() => {
  environment = { TOPUP_CONFIG: own.path, TOPUP_STORE: made.url, XDG_STATE_HOME: own.folder };
});

const plain = (text: string): string =>
  withoutAnyTimes(text)
    .replaceAll(made.path, '<store>')
    .replaceAll(`${made.folder}/`, '<file>')
    .replaceAll(own.path, '<config>')
    .replaceAll(own.folder, '<folder>')
    .replaceAll(/http:\/\/[\d.]+:\d+/g, '<service>')
    .replaceAll(/127\.0\.0\.1:\d+/g, '<host>')
    .replaceAll(/key_\w{10}/g, '<key>')
    .replaceAll(/INV-\d{14}-[A-Z]{8}/g, '<order id>')
    .replaceAll(/(ormat\s+|ormat": |_version": |supports up to )\d+/g, '$1"<n>"')
    .replaceAll(/in \d+ ms/g, 'in <n> ms')
    .replaceAll(/\d+ (seconds (ahead|behind))/g, '<n> $1')
    .replaceAll(/topup \d.* on Node .*/g, '<versions>');

interface Check {
  name: string;
  state: string;
  found: string;
  fix: string | null;
}
/** The checks with these names; all without any. */
async function found(baseUrl: string | null, ...names: string[]): Promise<string> {
  const where = baseUrl === null ? [] : ['--base-url', baseUrl];
  const { stdout } = await run(['doctor', '--json', ...where], { environment });
  const { checks }: { checks: Check[] } = JSON.parse(stdout);
  return plain(
    checks
      .filter(({ name }) => names.length === 0 || names.includes(name))
      .map(
        ({ name, state, found, fix }) =>
          `${name} ${state}: ${found}\n${fix === null ? '' : `${fix.replaceAll(/^/gm, '  ')}\n`}`,
      )
      .join(''),
  );
}
const edit = made.edit;
const games = { success: true, games: [], populerGames: [] };

describe('doctor on the store', () => {
  it('shows open refunds first', async () => {
    edit(
      `INSERT INTO refunds (refund_id, order_id, amount, units, created_at, state)
       SELECT order_id || '-R1', order_id, 22404, '[1]', ${Date.now()}, 'to-pay' FROM orders`,
    );
    expect(await found(await closedBaseUrl(), 'refunds')).toBe(
      'refunds warning: 1 refund of Rp 22,404 in total must be paid by hand\n' +
        '  Pay the customers back, and record each:\n  topup refunds list\n',
    );
  });
});

describe('doctor on the service', () => {
  it.each([
    [200, games, {}],
    [200, { success: true }, {}],
    [200, games, { Date: 'Thu, 01 Jan 2099 00:00:00 GMT' }],
    [200, games, { Date: 'Thu, 01 Jan 2020 00:00:00 GMT' }],
    [401, {}, {}],
    [403, {}, {}],
    [404, {}, {}],
    [429, {}, {}],
    [500, {}, {}],
    [503, {}, {}],
  ])('explains a service that responds with %i %j %j', async (status, body, headers) => {
    await using service = await startJsonService(status, body, headers);
    expect(await found(service.baseUrl, 'service', 'key', 'clock', 'health')).toMatchSnapshot();
  });

  it("explains a service that doesn't respond", async () => {
    const closed = await closedBaseUrl();
    expect(await found(closed)).toMatchInlineSnapshot(`
      "versions ok: <versions>
      configuration ok: no <config>, and none is needed for a sandbox on this machine
      service failed: Nothing listens at <host> (ECONNREFUSED). The base URL comes from --base-url.
        Start the service, or check the host and port of the base URL.
      key skipped: the well-known sandbox key could not be checked
      store ok: <store> is intact: 1 order, no key in addition to the well-known one; no server runs on it
      orders ok: all orders that were started here are finished
      "
    `);
    environment.TOPUP_BASE_URL = closed;
    expect(await found(null, 'service')).toMatchInlineSnapshot(`
      "service failed: Nothing listens at <host> (ECONNREFUSED). The base URL comes from TOPUP_BASE_URL.
        Start the service, or check the host and port of the base URL.
      "
    `);
  });

  it('names the key that the service receives', async () => {
    await using service = await startJsonService(200, games);
    environment.TOPUP_API_KEY = 'tk_live_0123456789abcdefghij';
    expect(await found(service.baseUrl, 'key')).toMatchInlineSnapshot(`
      "key ok: the key of TOPUP_API_KEY (****ghij) is accepted
      "
    `);
    environment.TOPUP_API_KEY = 'a b';
    expect(await found(service.baseUrl, 'key')).toMatchInlineSnapshot(`
      "key failed: The key of TOPUP_API_KEY is not valid.
        A key is visible ASCII characters without spaces or line breaks. Copy the whole key again.
      "
    `);
    delete environment.TOPUP_API_KEY;
    const { port } = new URL(service.baseUrl);
    expect(await found(`http://0.0.0.0:${port}/api`, 'service', 'key')).toMatchInlineSnapshot(`
      "service warning: <service>/api, by --base-url, responds without encryption
        Use https: otherwise others can read the key on the network.
      key failed: there is no key for this service
        Set TOPUP_API_KEY, or save the key in a profile:
        topup login
      "
    `);
    own.keep({ profile: 'shop', profiles: { shop: { base_url: service.baseUrl, api_key: 'short' } } });
    expect(await found(null, 'configuration', 'service', 'key')).toMatchInlineSnapshot(`
      "configuration ok: profile shop of <config>
      service ok: <service>/api, by profile shop, responds in <n> ms
      key ok: the key of profile shop (****) is accepted
      "
    `);
    environment.TOPUP_PROFILE = 'shop';
    expect(await found(null, 'configuration')).toMatchInlineSnapshot(`
      "configuration ok: profile shop of <config>, by TOPUP_PROFILE
      "
    `);
  });

  it('names the fault that a service simulates', async () => {
    await using server = await startSandbox();
    const on = ['--base-url', server.baseUrl];
    await run(['sandbox', 'advance', '3d', ...on]);
    expect(
      await found(server.baseUrl, 'service', 'scenario', 'key', 'clock', 'health'),
    ).toMatchInlineSnapshot(`
      "service ok: <service>/api, by --base-url, responds in <n> ms
      key ok: the well-known sandbox key is accepted
      clock ok: agrees with the service's; sandbox clock: 3 days ahead of real time
      health ok: the service accepts orders
      "
    `);
    for (const scenario of ['maintenance', 'offline', 'supplier-down']) {
      await run(['sandbox', 'scenario', scenario, ...on]);
      expect(await found(server.baseUrl, 'service', 'scenario', 'key', 'health')).toMatchSnapshot();
    }
  });
});

describe('doctor on the store', () => {
  let closed: string;
  beforeEach(async () => {
    closed = await closedBaseUrl();
  });

  it('reports no problem for a healthy store', async () => {
    expect(await found(closed, 'store')).toMatchInlineSnapshot(`
      "store ok: <store> is intact: 1 order, no key in addition to the well-known one; no server runs on it
      "
    `);
    environment.TOPUP_STORE = 'memory:';
    expect(await found(closed, 'store')).toMatchInlineSnapshot(`
      "store skipped: memory: is inside a server's process
      "
    `);
    environment.TOPUP_STORE = `file:${made.fileIn('none.db')}`;
    expect(await found(closed, 'store')).toMatchInlineSnapshot(`
      "store warning: there is no <file>none.db, which TOPUP_STORE names
        Start a server on it, or use another with --store or TOPUP_STORE.
      "
    `);
    await run(['keys', 'create', '--name', 'x', '--mode', 'live', '--store', environment.TOPUP_STORE]);
    expect(await found(closed, 'store')).toMatchInlineSnapshot(`
      "store ok: <file>none.db is intact: 0 orders, 1 active key; no server runs on it
      "
    `);
  });

  it('explains that a store is damaged, old or another file', async () => {
    writeFileSync(made.fileIn('text.db'), 'a text'.repeat(1_000));
    environment.TOPUP_STORE = `file:${made.fileIn('text.db')}`;
    expect(await found(closed, 'store')).toMatchInlineSnapshot(`
      "store failed: <file>text.db is not a store of this kit, or it is damaged.
        Restore a damaged store from a backup; see \`topup restore --help\`.
      "
    `);
    environment.TOPUP_STORE = made.url;
    edit('PRAGMA user_version = 2');
    expect(await found(closed, 'store')).toMatchInlineSnapshot(`
      "store failed: <store> has format "<n>" and needs an upgrade to format "<n>": topup db upgrade --store file:<store>
        Stop its server first. The command first copies the file.
        A server of this version does the same when it starts.
      "
    `);
    edit('PRAGMA user_version = 999');
    expect(await found(closed, 'store')).toMatchInlineSnapshot(`
      "store failed: <store> was written by a newer version of the kit (format "<n>"; this version supports up to "<n>").
        Update topup first: it must be at least as new as the version that wrote the store.
      "
    `);
  });

  it('warns about keys that expire soon', async () => {
    const create = (name: string, days: number) =>
      run(['keys', 'create', '--name', name, '--expires', `${days}d`], { environment });
    await create('later', 9);
    expect(await found(closed, 'expiry')).toMatchInlineSnapshot(`
      "expiry warning: key <key> (later) expires <time>
        Replace it, and give the new key to its user before then:
        topup keys rotate <key>
      "
    `);
    await create('first', 3);
    expect(await found(closed, 'expiry')).toMatchInlineSnapshot(`
      "expiry warning: key <key> (first) expires <time>, and 1 other key within two weeks
        Replace it, and give the new key to its user before then:
        topup keys rotate <key>
      "
    `);
    await create('third', 12);
    expect(await found(closed, 'expiry', 'store')).toMatchInlineSnapshot(`
      "store ok: <store> is intact: 1 order, 3 keys in addition to the well-known one; no server runs on it
      expiry warning: key <key> (first) expires <time>, and 2 other keys within two weeks
        Replace it, and give the new key to its user before then:
        topup keys rotate <key>
      "
    `);
  });
});

describe('doctor on this machine', () => {
  it('finds unfinished orders, oldest first', async () => {
    const closed = await closedBaseUrl();
    expect(await found(closed, 'orders', 'configuration', 'versions')).toMatchInlineSnapshot(`
      "versions ok: <versions>
      configuration ok: no <config>, and none is needed for a sandbox on this machine
      orders ok: all orders that were started here are finished
      "
    `);
    const request = {
      game: 'mobile-legends',
      product_id: 901,
      payment_method_id: 12,
      id: '1 2',
      whatsapp: '08',
    };
    const order = { base_url: 'https://shop.example/api', api_key_hash: 'a', request };
    saveOrder({ environment }, order);
    expect(await found(closed, 'orders')).toMatchInlineSnapshot(`
      "orders warning: 1 order was started here and not finished, the oldest <time>
        To finish it, run the same command:
        topup orders create --id '1 2' --game mobile-legends --product 901 --payment-method 12 --whatsapp 08 --base-url https://shop.example/api
      "
    `);
    saveOrder({ environment }, { ...order, request: { ...request, id: '3', email: 'a@b.example' } });
    expect(await found(closed, 'orders')).toMatchInlineSnapshot(`
      "orders warning: 2 orders were started here and not finished, the oldest <time>
        To finish it, run the same command:
        topup orders create --id '1 2' --game mobile-legends --product 901 --payment-method 12 --whatsapp 08 --base-url https://shop.example/api
      "
    `);
    writeFileSync(join(own.folder, 'topup/orders', `${'a'.repeat(32)}.${'b'.repeat(36)}.1.-.1.json`), '{');
    expect(await found(closed, 'orders')).toMatchInlineSnapshot(`
      "orders failed: <folder>/topup/orders/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.1.-.1.json is a damaged record of an unfinished order
        Look for the order at the service, then delete the file.
      "
    `);
  });

  it('stops if the configuration is unreadable', async () => {
    own.keep('{');
    expect(await found(await closedBaseUrl())).toMatchInlineSnapshot(`
      "versions ok: <versions>
      configuration failed: <config> is not JSON.
        Fix it by hand, or move it away and start again with \`topup login\`.
      service skipped: not checked before the configuration is valid
      store skipped: not checked before the configuration is valid
      "
    `);
  });

  it('finds previous secrets that are still accepted', async () => {
    const closed = await closedBaseUrl();
    environment.DIGIFLAZZ_WEBHOOK_SECRET_PREVIOUS = 'x';
    environment.TRIPAY_PRIVATE_KEY_PREVIOUS_FILE = '/x';
    environment.OTHER_PREVIOUS = 'x';
    expect(await found(closed, 'secrets')).toMatchInlineSnapshot(`
      "secrets warning: TRIPAY_PRIVATE_KEY_PREVIOUS is set, so that callbacks signed with the previous secret are still accepted
        One day after you replace the secret, unset TRIPAY_PRIVATE_KEY_PREVIOUS and restart the server.
        See docs/secrets.md of the repository
      secrets warning: DIGIFLAZZ_WEBHOOK_SECRET_PREVIOUS is set, so that callbacks signed with the previous secret are still accepted
        One day after you replace the secret, unset DIGIFLAZZ_WEBHOOK_SECRET_PREVIOUS and restart the server.
        See docs/secrets.md of the repository
      "
    `);
    environment.DIGIFLAZZ_WEBHOOK_SECRET_PREVIOUS = '';
    environment.TRIPAY_PRIVATE_KEY_PREVIOUS_FILE = '';
    expect(await found(closed, 'secrets')).toBe('');
  });

  it('summarises the findings of doctor', async () => {
    await using server = await startSandbox();
    const summary = async (baseUrl: string) => {
      const { code, stderr } = await run(['doctor', '--base-url', baseUrl], { environment });
      return `${stderr}exit ${code}`;
    };
    expect(await summary(server.baseUrl)).toBe('\nNo problems found.\nexit 0');
    environment.TOPUP_STORE = `file:${made.fileIn('none.db')}`;
    expect(await summary(server.baseUrl)).toBe('\nEverything works; see the warnings.\nexit 0');
    expect(await summary(await closedBaseUrl())).toMatch(/^\n1 of \d checks failed\.\nexit 1$/);
  });

  it.each([40, 60, 200])('prints a command on a separate line in %i columns', async (columns) => {
    const command =
      "topup orders create --id '1 2' --game mobile-legends --product 901 --payment-method 12 --whatsapp 08 --base-url https://shop.example/api";
    const request = {
      game: 'mobile-legends',
      product_id: 901,
      payment_method_id: 12,
      id: '1 2',
      whatsapp: '08',
    };
    const order = { base_url: 'https://shop.example/api', api_key_hash: 'a', request };
    saveOrder({ environment }, order);
    const { stdout } = await run(['doctor'], { columns, environment });
    expect(stdout.split('\n')).toContain(`  ${command}`);
  });

  it('reports a full disk and its free space', () => {
    // Safe: the code reads only this number.
    const disk = (bavail: number) => (() => ({ bavail, bsize: 4_096 })) as unknown as typeof statfsSync;
    expect(checkRoom('/shop/topup.db', disk(1_024))).toEqual([]);
    expect(checkRoom('/shop/topup.db', disk(10))).toMatchObject([
      {
        ...{ name: 'disk', state: 'failed' },
        found: 'the disk of /shop is full: 40 kB are left, so the server accepts no orders',
      },
    ]);
  });

  it('paints each state, and keeps each text next to its name', async () => {
    const closed = await closedBaseUrl();
    const { stdout } = await run(['doctor', '--base-url', closed], {
      ...{ columns: 60, environment: { ...environment, FORCE_COLOR: '1' } },
    });
    expect(stdout).toContain('\u001b[32m✓ ok     \u001b[39m  versions       ');
    expect(stdout).toContain('\u001b[31m✗ failed \u001b[39m  service        ');
    expect(stdout).toContain(`\n${' '.repeat(26)}\u001b[1mStart the service, or check the\u001b[22m\n`);
    expect(stdout).toContain('\u001b[2m- skipped\u001b[22m  key            ');
  });
});

describe('db status', () => {
  const status = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await run(['db', 'status', ...args], { environment });
    return plain(`${stdout}${stderr}exit ${code}`).replaceAll(/\d+(\.\d)? kB/g, '<n> kB');
  };

  it('shows the content of a store', async () => {
    expect(await status('--check')).toMatchInlineSnapshot(`
      "  File      <store>
        Size      <n> kB
        Format    "<n>", the newest
        Check     no damage found
        Mode      sandbox
        Server    none runs on it
        Catalog   games: 34, products: 256, promos: 11
        Keys      active: 0, revoked or expired: 0
        Orders    1
        Newest    <time>
        Next due  <time>

        PAYMENT  DELIVERY  ORDERS
        UNPAID   Pending        1
      exit 0"
    `);
    const { stdout } = await run(['db', 'status', '--json'], { environment });
    const { bytes, ...document } = JSON.parse(plain(stdout));
    expect(bytes).toBeGreaterThan(100_000);
    expect(document).toMatchInlineSnapshot(`
      {
        "active_keys": 0,
        "check": null,
        "format_version": "<n>",
        "games": 34,
        "keys": 0,
        "log_bytes": 0,
        "mode": "sandbox",
        "newest_format": "<n>",
        "newest_order_at": "<time>",
        "next_due_at": "<time>",
        "open_reconciliations": 0,
        "orders": 1,
        "overdue": 0,
        "products": 256,
        "promos": 11,
        "reserved": 0,
        "server": null,
        "states": [
          {
            "buy_status": "Pending",
            "count": 1,
            "payment_status": "UNPAID",
          },
        ],
        "store": "<store>",
        "unknown_units": 0,
        "world_ahead_ms": 0,
      }
    `);
  });

  it('shows the pending work of a store', async () => {
    edit(`UPDATE units SET state = 'unknown'`);
    await run(['keys', 'create', '--name', 'x'], { environment });
    expect((await status()).split('\n').filter((line) => /Keys|Check/.test(line))).toMatchInlineSnapshot(`
      [
        "  Check     not done; --check looks for damage",
        "  Keys      active: 1, revoked or expired: 0",
      ]
    `);
  });

  it('shows an empty store', async () => {
    environment.TOPUP_STORE = `file:${made.fileIn('new.db')}`;
    await run(['keys', 'create', '--name', 'x', '--mode', 'live'], { environment });
    expect(await status()).toMatchInlineSnapshot(`
      "  File      <file>new.db
        Size      <n> kB
        Format    "<n>", the newest
        Check     not done; --check looks for damage
        Mode      live
        Server    none runs on it
        Catalog   games: 0, products: 0, promos: 0
        Keys      active: 1, revoked or expired: 0
        Orders    0
        Newest    none
        Next due  nothing
      exit 0"
    `);
  });

  it('rejects a file that is not a store', async () => {
    writeFileSync(made.fileIn('text.db'), 'a text'.repeat(1_000));
    for (const name of ['text.db', 'none.db']) {
      environment.TOPUP_STORE = `file:${made.fileIn(name)}`;
      expect(plain(await failureOf(['db', 'status'], { environment }))).toMatchSnapshot();
    }
    environment.TOPUP_STORE = 'postgres://u:p@127.0.0.1:1/shop';
    expect(plain(await failureOf(['db', 'status', '--check'], { environment }))).toMatchInlineSnapshot(`
      "Error: --check looks for damage in a store file.
      PostgreSQL's own tool is pg_amcheck.
      exit 2, USAGE"
    `);
  });
});
