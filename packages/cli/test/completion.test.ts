import { randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { RunningServer } from '@topup-kit/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cacheFolder } from '../src/config/file.ts';
import { temporaryFolder } from './helpers/folder.ts';
import { fixtureOrder } from './helpers/order.ts';
import { inStore } from './helpers/own-store.ts';
import { run } from './helpers/run.ts';
import { closedBaseUrl, startJsonService, startSandbox, startService } from './helpers/servers.ts';

const folder = temporaryFolder();
const store = `file:${join(folder.path, 'topup.db')}`;
let server: RunningServer;
let environment: Record<string, string>;
let orderId: string;

beforeAll(async () => {
  server = await startSandbox(store);
  environment = { TOPUP_BASE_URL: server.baseUrl, TOPUP_STORE: store, HOME: folder.path };
  orderId = (await run([...fixtureOrder, '--quiet'], { environment })).stdout.trim();
});
afterAll(async () => {
  await server.close();
  folder[Symbol.dispose]();
});

/** The completions of the last word, with their descriptions. */
async function offered(words: string[], more: Record<string, string> = {}): Promise<string[]> {
  const { code, stdout, stderr } = await run(['__complete', 'fish', ...words], {
    environment: { ...environment, ...more },
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout.split('\n').slice(0, -1);
}

const names = async (...words: string[]): Promise<string[]> =>
  (await offered(words)).map((line) => line.split('\t')[0] ?? '');

describe('completion of commands', () => {
  it('completes commands with their descriptions', async () => {
    expect(await offered(['ga'])).toEqual(['games\tShow games, their products and payment methods']);
  });

  it('completes the commands of a group, even after options', async () => {
    expect(await names('--json', 'games', '')).toEqual(['list', 'show', 'check', 'help']);
  });

  it('completes commands after help', async () => {
    expect(await names('help', 'conf')).toEqual(['conformance', 'config']);
  });

  it.each([
    ['for an unknown command', ['nothing', 'x']],
    ['after help for a command without commands', ['version', 'help']],
    ['after --', ['games', '--', '']],
  ])('offers no completion %s', async (_case, words) => {
    expect(await names(...words)).toEqual([]);
  });

  it.each([
    ['after an unknown command', ['games', 'nothing', '']],
    ['after the arguments of a command', ['games', 'show', 'free-fire', '']],
  ])('completes only flags %s', async (_case, words) => {
    const offers = await names(...words);
    expect(offers).toContain('--json');
    expect(offers.filter((offer) => !offer.startsWith('--'))).toEqual([]);
  });

  it("completes the commands of a group after help and the group's name", async () => {
    expect(await names('help', 'games', 's')).toEqual(['show']);
    expect(await names('games', 'help', 's')).toEqual(['show']);
  });

  it('completes another value after the first value of a flag', async () => {
    expect(await names('--profile', 'games', 'gam')).toEqual(['games']);
    expect(await names('--profile=games', 'gam')).toEqual(['games']);
  });
});

describe('completion of flags', () => {
  it("completes a command's flags and shared flags", async () => {
    expect(await names('orders', 'list', '--p')).toEqual(['--payment-status', '--phone', '--profile']);
  });

  it('leaves out flags that were already given, except repeatable flags', async () => {
    const flags = await names('keys', 'create', '--name', 'x', '--scope', 'orders:read', '--');

    expect(flags).not.toContain('--name');
    expect(flags).toContain('--scope');
  });

  it.each(['-q', '--quiet'])('leaves out a flag that was given as %s', async (flag) => {
    expect(await names('games', 'list', flag, '--q')).toEqual([]);
  });

  it('completes flags even where a value may begin with a hyphen', async () => {
    expect(await names('games', 'show', '--bas')).toEqual(['--base-url']);
    expect(await names('games', '--bas')).toEqual(['--base-url']);
    expect(await names('games', 'list', '')).toContain('--json');
  });

  it('completes flags with their descriptions', async () => {
    expect(await offered(['games', 'list', '--quie'])).toEqual(['--quiet\tprint only ids, and no notes']);
  });

  it('ignores an unknown flag in a completion', async () => {
    expect(await names('--nothing', 'gam')).toEqual(['games']);
  });

  it('completes no flags after --', async () => {
    expect(await names('games', 'show', '--', '--')).toEqual([]);
    expect(await names('games', 'show', '--', '--json', '')).toEqual([]);
  });
});

describe('completion of values', () => {
  it.each([
    ['a choice', ['orders', 'list', '--buy-status', 'S'], ['Sukses']],
    ['a choice in the word of its flag', ['orders', 'list', '--buy-status=S'], ['--buy-status=Sukses']],
    ['an event', ['trigger', 'order.f'], ['order.failed']],
    ['an event by a flag', ['listen', '--events', 'order.p'], ['order.paid', 'order.processing']],
    ['a file for the secret', ['listen', '--secret-file', ''], [':files']],
    ['a shell', ['completion', ''], ['bash', 'zsh', 'fish']],
    ['a game', ['games', 'show', 'mob'], ['mobile-legends\tMobile Legends: Bang Bang']],
    ['a game by a flag', ['orders', 'create', '--game', 'free'], ['free-fire\tFree Fire']],
    [
      'a product of the game',
      ['orders', 'create', '--game', 'mobile-legends', '--product', '901'],
      ['901\t86 Diamond'],
    ],
    ['a way to pay', ['orders', 'create', '--game=free-fire', '--payment-method', '12'], ['12\tQRIS']],
    ['a promo', ['promos', 'disable', 'RAM'], ['RAMADAN10']],
    ['a scenario', ['sandbox', 'scenario', 'sl'], ['slow\tevery response takes three seconds']],
    ['a file', ['catalog', 'check', ''], [':files']],
    ['a file by a flag', ['--key-file', ''], [':files']],
    ['no product before a game is given', ['orders', 'create', '--product', ''], []],
    ['no value that has no known choices', ['orders', 'create', '--id', ''], []],
    ['no promo where the user invents a code', ['promos', 'create', '--code', ''], []],
  ])('completes %s', async (_case, words, expected) => {
    expect(await offered(words)).toEqual(expected);
  });

  it.each([
    ['a game', ['promos', 'create', '--game', 'free'], ['free-fire\tFree Fire']],
    ['a product', ['promos', 'create', '--product', '901'], ['901\t86 Diamond']],
    ['a second product', ['promos', 'create', '--product', '1', '--product', '901'], ['901\t86 Diamond']],
    ['a way to pay', ['promos', 'create', '--payment-method', '12'], ['12\tQRIS']],
    ['a game whose margin is set', ['catalog', 'margin', 'set', '--game', 'free'], ['free-fire\tFree Fire']],
    ['a product by its code', ['catalog', 'set-price', 'ML86'], ['ML86\t86 Diamond']],
    ['several products', ['catalog', 'lock', 'ML172', 'ML86'], ['ML86\t86 Diamond']],
    ['a product to close', ['catalog', 'close', 'ML86'], ['ML86\t86 Diamond']],
    [
      'a product whose margin is set',
      ['catalog', 'margin', 'set', '--product', 'ML86'],
      ['ML86\t86 Diamond'],
    ],
  ])('completes, from the store alone, %s', async (_case, words, expected) => {
    expect(await offered(words, { TOPUP_BASE_URL: 'http://127.0.0.1:9/api' })).toEqual(expected);
  });

  it.each([
    [['promos', 'create', '--game', '']],
    [['promos', 'create', '--product', '']],
    [['promos', 'create', '--payment-method', '']],
    [['catalog', 'lock', '']],
  ])('completes nothing from a store without a catalogue: %j', async (words) => {
    const empty = { TOPUP_STORE: `file:${join(folder.path, `${randomUUID()}.db`)}` };
    await run(['keys', 'create', '--name', 'x', '--mode', 'live'], {
      environment: { ...environment, ...empty },
    });
    expect(await offered(words, empty)).toEqual([]);
  });

  it('completes the products and payment methods of a single game', async () => {
    const words = ['orders', 'create', '--game', 'free-fire'];
    const found = async (flag: string) => offered([...words, flag, '12']);
    expect(await found('--payment-method')).toEqual(['12\tQRIS']);
    for (const offer of await found('--product')) expect(offer).toMatch(/^12\d+\t/);
  });

  it.each([
    [['orders', 'show', '']],
    [['orders', 'refund', '']],
    [['sandbox', 'pay', 'INV']],
    [['trigger', 'order.paid', '--order', '']],
    [['orders', 'list', '--after', '']],
    [['payments', 'settle', 'x', '--order', '']],
    [['orders', 'reconcile', '--settle', 'x', '--order', '']],
  ])("completes the ids of the store's orders: %j", async (words) => {
    expect(await offered(words)).toEqual([`${orderId}\tUNPAID / Pending`]);
  });

  it('completes the orders that this machine placed if there is no store', async () => {
    await using sandbox = await startSandbox();
    const here = { TOPUP_BASE_URL: sandbox.baseUrl, TOPUP_STORE: 'file:/nowhere/topup.db' };
    const place = async (...more: string[]): Promise<string> =>
      (
        await run([...fixtureOrder, '--quiet', ...more], { environment: { ...environment, ...here } })
      ).stdout.trim();
    const first = await place();
    const second = await place('--id', '87654321');
    await place('--id', '11111111', '--idempotency-key', 'my-own');

    for (const words of [
      ['orders', 'watch', ''],
      ['invoices', 'show', ''],
      ['sandbox', 'pay', ''],
    ])
      expect(await offered(words, here)).toEqual([`${second}\tmobile-legends`, `${first}\tmobile-legends`]);
    expect(await offered(['orders', 'mark', ''], here)).toEqual([]);
    expect(await offered(['orders', 'watch', ''])).toEqual([`${orderId}\tUNPAID / Pending`]);
  });

  it("completes the store's keys with their names", async () => {
    const { stdout } = await run(['keys', 'create', '--name', 'checkout', '--quiet'], { environment });

    expect(await offered(['keys', 'revoke', ''])).toContainEqual(
      expect.stringMatching(/^key_\w+\tcheckout$/),
    );
    expect(stdout).not.toBe('');
  });

  it("completes the store's callbacks with their outcomes", async () => {
    await inStore(store.replace('file:', ''), (opened) =>
      opened.addCallback({
        ...{ callbackId: 'cb_k3v9x2ma', provider: 'tripay', receivedAt: 1, address: '', headers: {} },
        ...{ body: new Uint8Array(), outcome: 'failed', reason: null, orderId: null, handledAt: 1 },
        ...{ attempts: 1, replay: false, sentBytes: null },
      }),
    );
    for (const words of [
      ['callbacks', 'show', ''],
      ['callbacks', 'list', '--after', ''],
    ])
      expect(await offered(words)).toEqual(['cb_k3v9x2ma\ttripay, failed']);
  });

  it("completes the store's webhooks with their URLs, and events with their types", async () => {
    const path = join(folder.path, `webhooks-${randomUUID()}.db`);
    await run(['backup', path], { environment });
    const here = { TOPUP_STORE: `file:${path}` };
    const url = 'https://shop.example/hooks';
    const create = ['webhooks', 'create', '--url', url, '--events', 'all', '--json'];
    const { endpoint_id: id } = JSON.parse(
      (await run(create, { environment: { ...environment, ...here } })).stdout,
    );
    const eventId = 'evt_0123456789abcdef01234567';
    const event = {
      eventId,
      type: 'order.paid',
      accountId: null,
      orderId: null,
      createdAt: 1,
      body: '',
    } as const;
    await inStore(path, (opened) => opened.addWebhookEvents([{ event, endpointIds: [id] }], null));
    for (const words of [
      ['webhooks', 'show', ''],
      ['webhooks', 'deliveries', '--endpoint', ''],
    ])
      expect(await offered(words, here)).toEqual([`${id}\t${url}`]);
    for (const words of [
      ['webhooks', 'resend', ''],
      ['webhooks', 'deliveries', '--event', ''],
    ])
      expect(await offered(words, here)).toEqual([`${eventId}\torder.paid`]);
    expect(await names('webhooks', 'create', '--events', 'order.p')).toEqual([
      'order.paid',
      'order.processing',
    ]);
    expect(await names('webhooks', 'resend', '--type', 'w')).toEqual(['webhook.test']);
  });

  it('completes the profiles of the config file', async () => {
    const config = join(folder.path, 'config.json');
    const profiles = { staging: { base_url: 'https://staging.example/api' }, shop: {} };
    writeFileSync(config, JSON.stringify({ profiles }), { mode: 0o600 });

    expect(await offered(['games', 'list', '--profile', 's'], { TOPUP_CONFIG: config })).toEqual([
      'staging\thttps://staging.example/api',
      'shop',
    ]);
  });
});

describe('completion is silent', () => {
  it('completes silently when no service responds', async () => {
    expect(await offered(['games', 'show', ''], { TOPUP_BASE_URL: await closedBaseUrl() })).toEqual([]);
  });

  it('completes silently after a second when a service is slow', async () => {
    let asked = Number.NaN;
    await using service = await startService(() => {
      asked = performance.now();
    });

    expect(await offered(['games', 'show', ''], { TOPUP_BASE_URL: service.baseUrl })).toEqual([]);
    expect(performance.now() - asked).toBeLessThan(3000);
  });

  it('completes silently without a store, and creates none', async () => {
    const path = join(folder.path, 'missing', 'topup.db');

    expect(await offered(['orders', 'mark', ''], { TOPUP_STORE: `file:${path}` })).toEqual([]);
    expect(existsSync(join(folder.path, 'missing'))).toBe(false);
  });

  it('completes without prompting for a key', async () => {
    expect(await names('--key-file', '-', 'games', 'show', '')).toEqual([]);
  });
});

it('asks a service for completions at most once a minute', async () => {
  await using service = await startJsonService(200, { success: true, games: [], populerGames: [] });
  const more = { TOPUP_BASE_URL: service.baseUrl };

  await offered(['games', 'show', ''], more);
  await offered(['games', 'show', 'a'], more);

  expect(service.asked).toEqual(['GET /api/games']);
});

describe('what a service responded', () => {
  const home = temporaryFolder();
  afterAll(() => home[Symbol.dispose]());
  const cached = () => {
    const path = join(cacheFolder({ environment: { HOME: home.path } }), 'completion');
    return readdirSync(path).map((name) => join(path, name));
  };
  const askTwice = async (between: (file: string) => void): Promise<number> => {
    rmSync(home.path, { recursive: true });
    mkdirSync(home.path);
    await using service = await startJsonService(200, { success: true, games: [], populerGames: [] });
    const more = { TOPUP_BASE_URL: service.baseUrl, HOME: home.path };
    await offered(['games', 'show', ''], more);
    const [file = '', ...others] = cached();
    expect(others).toEqual([]);
    between(file);
    await offered(['games', 'show', ''], more);
    return service.asked.length;
  };
  const setAge = (seconds: number) => (file: string) =>
    utimesSync(file, Date.now() / 1_000 - seconds, Date.now() / 1_000 - seconds);

  it.each([
    ['55 seconds ago', setAge(55), 1],
    ['61 seconds ago', setAge(61), 2],
    ['with a clock that was 61 seconds ahead', setAge(-61), 2],
    ['and a damaged file', (file: string) => writeFileSync(file, '['), 2],
  ])('asks for %s only as often as needed', async (_case, between, times) => {
    expect(await askTwice(between)).toBe(times);
  });

  it('caches responses only for the current user, without the key', async () => {
    await askTwice((file) => {
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(file).not.toContain('tk_');
      expect(readFileSync(file, 'utf8')).toBe('[]');
    });
  });
});

describe('the shells', () => {
  const completed = async (...args: string[]): Promise<string> =>
    (await run(['__complete', ...args], { environment })).stdout;

  it('prints completion lines in the format of each shell', async () => {
    const about = 'Show games, their products and payment methods';
    expect(await completed('bash', 'topup ga', ':=', '9', '80')).toBe('games\n');
    expect(await completed('zsh', 'ga')).toBe(`games:${about}\n`);
    expect(await completed('fish', 'ga')).toBe(`games\t${about}\n`);
  });
});

it('completes each value once, and only values that can be typed', async () => {
  const slugs = ['b', 'a', 'b', '', 'c\nd', 'e\u001b[2J'];
  const games = slugs.map((slug, id) => ({ id, slug, title: slug }));
  await using service = await startJsonService(200, { success: true, games, populerGames: [] });
  const found = await offered(['games', 'show', ''], { TOPUP_BASE_URL: service.baseUrl });

  expect(found.map((line) => line.split('\t')[0])).toEqual(['b', 'a']);
});

it('sends no request for values that the command knows', async () => {
  await using service = await startJsonService(200, {});

  await offered(['orders', 'cre'], { TOPUP_BASE_URL: service.baseUrl });

  expect(service.asked).toEqual([]);
});
