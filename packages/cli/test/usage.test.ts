import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from './helpers/folder.ts';
import { fixtureOrder } from './helpers/order.ts';
import { run } from './helpers/run.ts';
import { startJsonService } from './helpers/servers.ts';

describe('a wrong command line', () => {
  it.each([
    [
      'an unknown noun',
      ['gmes', 'list'],
      "Error: Unknown command 'gmes'.\nDid you mean games?\n`topup --help` lists the commands.\n",
    ],
    [
      'an unknown verb',
      ['games', 'lst'],
      "Error: Unknown command 'lst'.\nDid you mean list?\n`topup games` takes list, show and check.\n",
    ],
    [
      'an unknown verb that resembles no other',
      ['keys', 'frobnicate'],
      "Error: Unknown command 'frobnicate'.\n`topup keys` takes create, list, rotate and revoke.\n",
    ],
    [
      'an unknown option',
      ['orders', 'create', '--pomo', 'X'],
      "Error: Unknown option '--pomo'.\nDid you mean --promo?\n`topup orders create --help` shows how to use it.\n",
    ],
    [
      'a missing argument',
      ['games', 'show'],
      "Error: Missing required argument 'slug'.\n`topup games show --help` shows how to use it.\n",
    ],
    [
      'an invalid choice',
      ['keys', 'create', '--name', 'x', '--scope', 'catalog:red'],
      "Error: Option '--scope <scope...>' argument 'catalog:red' is invalid. Allowed choices are catalog:read, orders:read, orders:write.\nDid you mean catalog:read?\n`topup keys create --help` shows how to use it.\n",
    ],
    [
      'two modes',
      ['serve', '--sandbox', '--mode', 'live'],
      "Error: Option '--sandbox' cannot be used with option '--mode <value>'.\n`topup serve --help` shows how to use it.\n",
    ],
    [
      'an event that is not about an order',
      ['trigger', 'order.payed'],
      "Error: Command-argument value 'order.payed' is invalid for argument 'event'. Allowed choices are order.created, order.paid, order.processing, order.delivered, order.failed, order.expired, order.refunded.\n`topup trigger --help` shows how to use it.\n",
    ],
    [
      '--base-url for a command that contacts no service',
      ['keys', 'list', '--base-url', 'http://shop.test'],
      'Error: keys contacts no service, so --base-url does not apply.\n',
    ],
  ])('explains the usage error for %s', async (_case, args, stderr) => {
    expect(await run(args)).toEqual({ code: 2, stdout: '', stderr });
  });

  it.each(['--product', '--payment-method', '--quantity'])(
    'rejects %s before any request if its value is not a whole number',
    async (flag) => {
      await using service = await startJsonService(200, {});

      const { code, stderr } = await run([...fixtureOrder, flag, '1.0', '--base-url', service.baseUrl]);

      expect(code).toBe(2);
      expect(stderr).toContain(`argument '1.0' is invalid. Give a whole number.`);
      expect(service.asked).toEqual([]);
    },
  );

  it('reports all missing fields of an order together', async () => {
    expect(await run(['orders', 'create', '--game', 'mobile-legends', '--id', '1'])).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'Error: An order also needs --product, --payment-method, --whatsapp.\n' +
        'What an order of a game needs:\n  topup games show mobile-legends\n',
    });
  });

  it.each([['--json'], ['--fields=games.slug']])(
    'prints one document on one line of stdout under %s',
    async (flag) => {
      const { code, stdout, stderr } = await run(['games', 'lst', flag]);

      expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
      expect(stdout).toMatch(/^.+\n$/);
      expect(JSON.parse(stdout)).toEqual({
        error: {
          code: 'USAGE',
          message: "Unknown command 'lst'.",
          hint: 'Did you mean list?\n`topup games` takes list, show and check.',
          request_id: null,
          fields: null,
          idempotency_key: null,
        },
      });
    },
  );
});

describe('a key on a command line is never printed', () => {
  const key = 'tk_live_0123456789abcdefghijABCDEFGHIJ012345';
  it.each([
    ['an additional argument', ['games', 'list', key]],
    ['an unknown option', ['games', 'list', `--${key}`]],
    ['an unknown command', [key]],
    ['a choice', ['config', 'set', key, 'x']],
    ['a key of another service', ['games', 'list', 'Zk3n0aBCDEFGHIJ0123456789xyz']],
    ['the id of a profile', ['games', 'list', '--profile', key]],
  ])('hides a key that is given as %s', async (_case, args) => {
    const { code, stdout, stderr } = await run(args);

    expect(code).toBe(2);
    expect(stderr).toMatch(/\*{4}(2345|wxyz|6789|9xyz)/);
    expect(stdout + stderr).not.toMatch(/0123456789/);
  });

  it('shows an order id in an error', async () => {
    const { stderr } = await run(['games', 'list', 'INV-20260329093000-ABCDEFGH']);

    expect(stderr).toContain('INV-20260329093000-ABCDEFGH');
  });
});

describe('a wrong --fields is reported before any action', () => {
  const fields = ['--fields', 'a,,b'];
  it.each([
    ['keys create', ['keys', 'create', '--name', 'x', '--mode', 'live']],
    ['db status', ['db', 'status']],
    ['games list', ['games', 'list', '--base-url', 'http://127.0.0.1:9/api']],
    ['config set', ['config', 'set', 'store', 'file:x.db']],
  ])('reports invalid --fields before any action, with %s', async (_case, args) => {
    using folder = temporaryFolder();
    const environment = {
      TOPUP_STORE: `file:${folder.path}/topup.db`,
      TOPUP_CONFIG: `${folder.path}/config.json`,
    };

    const { code, stdout } = await run([...args, ...fields], { environment });

    expect(code).toBe(2);
    expect(stdout).toContain('--fields must be names separated by commas');
    expect(readdirSync(folder.path)).toEqual([]);
  });
});

describe('exits with 3 for a missing store', () => {
  it.each([
    [['keys', 'list']],
    [['promos', 'list']],
    [['orders', 'list']],
    [['catalog', 'export']],
    [['db', 'status']],
    [['backup', '<folder>/x.db']],
  ])('exits with 3 for %j without a store', async (args) => {
    using folder = temporaryFolder();
    const store = join(folder.path, 'none', 't.db');

    const words = args.map((word) => word.replace('<folder>', folder.path));
    expect(await run([...words, '--store', `file:${store}`])).toMatchObject({
      ...{ code: 3, stdout: '', stderr: expect.stringContaining(store) },
    });
    expect(readdirSync(folder.path)).toEqual([]);
  });
});

describe('exits with', () => {
  it.each([
    [3, 'a missing catalogue file', ['catalog', 'check', '/none/catalog.json'], {}],
    [
      2,
      'a missing catalogue file of a server',
      [...['serve', '--sandbox', '--port', '0', '--store', 'memory:'], '--catalog', '/none/c.json'],
      {},
    ],
    [2, 'a bad --store', ['keys', 'list', '--store', 'foo.db'], {}],
    [2, 'a bad TOPUP_STORE', ['keys', 'list'], { TOPUP_STORE: 'foo.db' }],
    [2, 'a bad --mode', ['keys', 'create', '--name', 'x', '--mode', 'play', '--store', 'memory:'], {}],
    [2, 'a bad TOPUP_MODE', ['keys', 'create', '--name', 'x', '--store', 'memory:'], { TOPUP_MODE: 'play' }],
    [2, 'a bad --port', ['serve', '--sandbox', '--port', 'x'], {}],
    [2, 'a bad PORT', ['serve', '--sandbox'], { PORT: '99999' }],
  ])('exits with %i for %s: %j', async (code, _case, args, environment: Record<string, string>) => {
    expect((await run(args, { environment })).code).toBe(code);
  });
});

it.each([
  ['games', 'show'],
  ['checkout', 'show'],
  ['orders', 'show'],
  ['orders', 'watch'],
  ['orders', 'retry'],
  ['refunds', 'create', '--note', 'bank'],
  ['invoices', 'show'],
  ['invoices', 'status'],
  ['sandbox', 'pay'],
  ['open', 'page'],
])(
  "rejects, for %s %s, a value that can't be part of a path, and sends no request",
  async (noun, verb, ...options) => {
    await using service = await startJsonService(200, {});
    const environment = { TOPUP_BASE_URL: service.baseUrl };

    for (const text of ['', ' ', '.', '..']) {
      const { code, stdout, stderr } = await run([noun, verb, text, ...options], { environment });
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(/^Error: .* is invalid .* Give a value such as \S+\.\n/);
    }
    expect(service.asked).toEqual([]);
  },
);

it("rejects a value for --game that can't be part of a path", async () => {
  expect(await run(['orders', 'create', '--game', '..'])).toMatchObject({ code: 2 });
});
