import { chmodSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sandboxCatalog } from '@topup-kit/core/sandbox';
import type { WebhookEndpoint } from '@topup-kit/core/store';
import { createSecretCipher, createSqliteStore } from '@topup-kit/server/internal';
import { describe, expect, it } from 'vitest';
import {
  another,
  change,
  idOf,
  order,
  place,
  reconciliation,
  unit,
} from '../../suites/src/store/fixtures.ts';
import { leastSkew } from '../src/commands/doctor/service.ts';
import { deleteOrder, saveOrder } from '../src/pending-orders/journal.ts';
import { explainFailure } from '../src/service/probe.ts';
import { ownConfig } from './helpers/own-config.ts';
import { inStore } from './helpers/own-store.ts';
import { run } from './helpers/run.ts';
import { closedBaseUrl, startJsonService, startSandbox, startService } from './helpers/servers.ts';

const own = ownConfig();
const storePath = (): string => own.fileIn('topup.db');

const doctor = (baseUrl: string, args: string[] = [], environment = {}) =>
  run(['doctor', '--base-url', baseUrl, ...args], {
    columns: 80,
    environment: { TOPUP_CONFIG: own.path, TOPUP_STORE: `file:${storePath()}`, ...environment },
  });

interface Check {
  name: string;
  state: string;
  found: string;
  fix: string | null;
}

/** The checks by their names. */
async function checks(baseUrl: string, environment = {}): Promise<Record<string, Check>> {
  const { stdout } = await doctor(baseUrl, ['--json'], environment);
  const { checks: all }: { checks: Check[] } = JSON.parse(stdout);
  return Object.fromEntries(all.map((check) => [check.name, check]));
}

const games = { success: true, games: [], populerGames: [] };

/** A service whose clock differs from this machine's. */
const startSkewed = (seconds: number) =>
  startJsonService(200, games, { Date: new Date(Date.now() + seconds * 1_000).toUTCString() });

describe('doctor', () => {
  it('reports an unfinished order, and explains how to finish it', async () => {
    const state = { XDG_STATE_HOME: own.folder };
    const request = {
      game: 'mobile-legends',
      product_id: 901,
      payment_method_id: 12,
      id: '1 2',
      whatsapp: '08',
    };
    const order = { base_url: 'https://shop.example/api', api_key_hash: 'a', request };
    const saved = saveOrder({ environment: state }, order);

    expect((await checks(await closedBaseUrl(), state)).orders).toMatchObject({
      state: 'warning',
      found: expect.stringContaining('1 order was started here and not finished, the oldest '),
      fix:
        'To finish it, run the same command:\n' +
        "topup orders create --id '1 2' --game mobile-legends --product 901 --payment-method 12 --whatsapp 08 --base-url https://shop.example/api",
    });
    deleteOrder(saved);
    expect((await checks(await closedBaseUrl(), state)).orders).toMatchObject({ state: 'ok' });
  });

  it('finds no problems with a running sandbox', async () => {
    await using server = await startSandbox(`file:${storePath()}`);

    const { code, stdout, stderr } = await doctor(server.baseUrl);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '\nNo problems found.\n' });
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(
      stdout
        .replaceAll(/\s+/g, ' ')
        .replaceAll(' ✓', '\n✓')
        .replaceAll(own.folder, '<folder>')
        .replace(server.baseUrl, '<base url>')
        .replace(/in \d+ ms/, 'in <time>')
        .replace(/topup \S+ on Node .*/, 'topup on Node'),
    ).toMatchInlineSnapshot(`
      "✓ ok versions topup on Node
      ✓ ok configuration no <folder>/config.json, and none is needed for a sandbox on this machine
      ✓ ok service <base url>, by --base-url, responds in <time>
      ✓ ok key the well-known sandbox key is accepted
      ✓ ok clock agrees with the service's
      ✓ ok health the service accepts orders
      ✓ ok store <folder>/topup.db is intact: 0 orders, no key in addition to the well-known one; a server runs on it
      ✓ ok orders all orders that were started here are finished "
    `);
  });

  it("names a sandbox's scenario, and doesn't call the sandbox healthy", async () => {
    await using server = await startSandbox();
    await run(['sandbox', 'scenario', 'maintenance', '--base-url', server.baseUrl]);

    const { service, scenario, health } = await checks(server.baseUrl);

    const fault = 'maintenance (every call fails with 503)';
    expect(service).toMatchObject({ state: 'failed', found: expect.stringContaining(`scenario ${fault}`) });
    expect(health?.found).toBe(`the server is healthy, except for its scenario ${fault}`);
    expect(scenario).toMatchObject({ state: 'warning', found: `this sandbox simulates a fault: ${fault}` });
    expect(scenario?.fix).toBe(`To end it:\ntopup sandbox scenario none --base-url ${server.baseUrl}`);
  });

  it('names a scenario that cuts connections', async () => {
    await using server = await startSandbox();
    await run(['sandbox', 'scenario', 'offline', '--base-url', server.baseUrl]);

    const { service } = await checks(server.baseUrl);

    expect(service).toMatchObject({ state: 'failed', found: expect.stringContaining('scenario offline') });
  });

  it('explains how to start if there is no configuration and no server, and exits with 1', async () => {
    const { code, stdout, stderr } = await doctor(await closedBaseUrl());

    expect({ code, stderr }).toEqual({ code: 1, stderr: '\n1 of 6 checks failed.\n' });
    expect(stdout).toMatch(/✗ failed {3}service {8}Nothing listens at 127\.0\.0\.1:\d+/);
    expect(stdout).toContain('Start the service, or check the host and port of the\n');
  });

  it('prints the findings as one document under --json', async () => {
    const { stdout } = await doctor(await closedBaseUrl(), ['--json']);

    expect(JSON.parse(stdout).checks.map(({ name, state }: Check) => [name, state])).toEqual([
      ['versions', 'ok'],
      ['configuration', 'ok'],
      ['service', 'failed'],
      ['key', 'skipped'],
      ['store', 'warning'],
      ['orders', 'ok'],
    ]);
  });

  it('exits with 130 after a signal', async () => {
    const stop = new AbortController();
    await using silent = await startService(() => stop.abort('SIGINT'));

    const { code, stderr } = await run(['doctor', '--base-url', silent.baseUrl], { signal: stop.signal });

    expect({ code, stderr }).toEqual({ code: 130, stderr: 'Error: Cancelled. Nothing was done.\n' });
  });
});

describe('the configuration', () => {
  it('fails for a configuration that others can read, explains the fix, and sends no key', async () => {
    await using service = await startJsonService(200, games);
    writeFileSync(own.path, '{}');
    chmodSync(own.path, 0o644);

    const { configuration, service: asked } = await checks(service.baseUrl);

    expect(configuration).toMatchObject({
      state: 'failed',
      fix: expect.stringContaining(`chmod 600 ${own.path}`),
    });
    expect({ state: asked?.state, questions: service.asked }).toEqual({ state: 'skipped', questions: [] });
  });

  it('names the profile that doctor uses', async () => {
    writeFileSync(own.path, '{"profile": "shop", "profiles": {"shop": {}}}', { mode: 0o600 });

    expect((await checks(await closedBaseUrl())).configuration?.found).toBe(`profile shop of ${own.path}`);
  });
});

describe('the service', () => {
  it.each([
    ['not-a-url', '--base-url must be an http(s) URL'],
    ['http://topup-kit.invalid/api', "The name topup-kit.invalid can't be resolved"],
  ])('fails for a service at %s', async (baseUrl, found) => {
    expect((await checks(baseUrl, { TOPUP_API_KEY: 'x' })).service).toMatchObject({
      state: 'failed',
      found: expect.stringContaining(found),
      fix: expect.any(String),
    });
  });

  it('fails for a service that needs encryption but has no encryption', async () => {
    const baseUrl = (await closedBaseUrl()).replace('http:', 'https:');
    await using plain = await startJsonService(200, games);

    expect((await checks(plain.baseUrl.replace('http:', 'https:'))).service?.found).toContain('encryption');
    expect((await checks(baseUrl)).service?.found).toContain('Nothing listens');
  });

  it.each([
    ['a page', 200, 'text'],
    ['another API', 200, { hello: 'world' }],
    ['a missing route', 404, {}],
    ['a redirect', 302, {}],
  ])('rejects a service that is %s', async (_case, status, body) => {
    await using other = await startJsonService(status, body);

    expect((await checks(other.baseUrl)).service).toMatchObject({
      state: 'failed',
      found: expect.stringContaining(`responds, but not like a top-up service (status ${status})`),
    });
  });

  it.each([429, 500, 503])('fails for a service that responds with %i', async (status) => {
    await using busy = await startJsonService(status, {});

    expect((await checks(busy.baseUrl)).service).toMatchObject({ state: 'failed' });
  });

  it('fails for a service whose store accepts no orders', async () => {
    await using ill = await startService((request, response) => {
      const status = request.url === '/health' ? 503 : 200;
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(games));
    });

    expect((await checks(ill.baseUrl)).health).toMatchObject({ state: 'failed' });
  });

  it.each([
    ['ETIMEDOUT', 'failed (ETIMEDOUT)'],
    ['EAI_AGAIN', "can't be resolved"],
    ['CERT_HAS_EXPIRED', "can't be trusted"],
    ['SELF_SIGNED_CERT_IN_CHAIN', "can't be trusted"],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', "can't be trusted"],
  ])("explains why %s doesn't respond", (code, words) => {
    const error = new TypeError('fetch failed', { cause: Object.assign(new Error('no'), { code }) });

    expect(explainFailure(error, new URL('https://shop.example/api')).found).toContain(words);
  });
});

describe('the key', () => {
  it.each([
    [200, games, 'ok', 'is accepted'],
    [401, {}, 'failed', 'is rejected'],
    [403, {}, 'ok', 'may not list games'],
  ])('judges the key by status %i', async (status, body, state, found) => {
    await using service = await startJsonService(status, body);
    const TOPUP_API_KEY = 'tk_live_0123456789abcdefghij';

    const { key } = await checks(service.baseUrl, { TOPUP_API_KEY });

    expect(key).toMatchObject({ state, found: expect.stringContaining(found) });
    expect(key?.found).toContain('the key of TOPUP_API_KEY (****ghij)');
  });

  it('fails without a key, and sends no request', async () => {
    const { key } = await checks('http://topup-kit.invalid/api');

    expect(key).toMatchObject({ state: 'failed', fix: expect.stringContaining('topup login') });
  });
});

describe('the clock', () => {
  it.each([
    [60, 'behind'],
    [-60, 'ahead of'],
  ])('warns about a clock that is %i seconds off', async (seconds, words) => {
    await using service = await startSkewed(seconds);

    const { clock } = await checks(service.baseUrl);
    expect(clock).toMatchObject({ state: 'warning', found: expect.stringContaining(words) });
    expect((await doctor(service.baseUrl)).code).toBe(0);
  });

  it.each([4, -4])('accepts a clock that is %i seconds off', async (seconds) => {
    await using service = await startSkewed(seconds);

    expect((await checks(service.baseUrl)).clock?.state).toBe('ok');
  });

  it.each([
    ['a slow response', { sentAt: 0, respondedAt: 20_000 }, 10_000, 0],
    ['the fraction of a second that the header omits', { sentAt: 10_900, respondedAt: 10_950 }, 10_000, 0],
    ['a machine that is ahead', { sentAt: 20_000, respondedAt: 20_100 }, 10_000, 9_000],
    ['a machine that is behind', { sentAt: 1_000, respondedAt: 2_000 }, 10_000, -8_000],
  ])('allows for the delay of %s in a comparison of clocks', (_case, times, server, skew) => {
    const answer = { ...times, status: 200, headers: new Headers(), body: null };

    expect(leastSkew(answer, server)).toBe(skew);
  });
});

describe('keys that expire', () => {
  const create = async (...args: string[]): Promise<string> => {
    const environment = { TOPUP_STORE: `file:${storePath()}` };
    const { stdout } = await run(
      ['keys', 'create', '--name', 'checkout', '--mode', 'live', ...args, '--json'],
      { environment },
    );
    return JSON.parse(stdout).key_id;
  };

  it('reports expiring keys two weeks before their end, with the command that replaces them', async () => {
    await create('--expires', '15d');
    await create('--expires', '13d');
    const first = await create('--expires', '2d');

    expect((await checks(await closedBaseUrl())).expiry).toMatchObject({
      state: 'warning',
      found: expect.stringMatching(
        new RegExp(`^key ${first} \\(checkout\\) expires .*, and 1 other key within two weeks$`),
      ),
      fix: expect.stringContaining(`topup keys rotate ${first}`),
    });
  });

  it('reports no keys that were already replaced', async () => {
    const keyId = await create();
    await run(['keys', 'rotate', keyId], { environment: { TOPUP_STORE: `file:${storePath()}` } });

    expect((await checks(await closedBaseUrl())).expiry).toBeUndefined();
  });

  it('reports keys whose replacement was revoked', async () => {
    const environment = { TOPUP_STORE: `file:${storePath()}` };
    const keyId = await create();
    const { stdout } = await run(['keys', 'rotate', keyId, '--json'], { environment });
    await run(['keys', 'revoke', JSON.parse(stdout).key_id, '--yes'], { environment });

    expect((await checks(await closedBaseUrl())).expiry?.found).toContain(`key ${keyId} (checkout) expires `);
  });
});

describe('webhooks', () => {
  /** Changes a webhook in the store as a server would. */
  async function makeWebhook(changes: Partial<WebhookEndpoint> = {}): Promise<WebhookEndpoint> {
    const endpoint: WebhookEndpoint = {
      ...{ endpointId: 'ep_k3v9x2ma', accountId: null, url: 'https://shop.example/', types: ['order.paid'] },
      ...{ description: '', secret: 'whsec_x', previousSecret: null, previousUntil: null, disabled: null },
      ...{ createdAt: 1, failingSince: null, version: 1 },
      ...changes,
    };
    await inStore(storePath(), (store) => store.addWebhookEndpoint(endpoint));
    return endpoint;
  }
  const found = async (environment = {}) => (await checks(await closedBaseUrl(), environment)).webhooks;

  it('lists no check of webhooks if there are no webhooks', async () => {
    await inStore(storePath(), (store) => store.readMode());
    expect(await found()).toBeUndefined();
  });

  it('accepts webhooks that work, are disabled, or failed only recently', async () => {
    await makeWebhook({ failingSince: Date.now() - 60_000 });
    await makeWebhook({ endpointId: 'ep_2', disabled: 'operator', failingSince: 1 });
    expect(await found()).toMatchObject({
      state: 'ok',
      found: '2 webhooks, of which 1 fails for less than an hour',
    });
  });

  it.each([
    ['have received nothing for an hour', { failingSince: Date.now() - 2 * 3_600_000 }],
    ['are gone', { disabled: 'gone', failingSince: 1 }],
    ['were disabled after five days', { disabled: 'failing', failingSince: 1 }],
  ] as const)('fails for webhooks that %s', async (_name, changes) => {
    await makeWebhook(changes);
    expect(await found()).toMatchObject({
      state: 'failed',
      found: expect.stringContaining('1 webhook was disabled because no event arrived, or has accepted'),
      fix: expect.stringContaining(
        'topup webhooks deliveries --endpoint ep_k3v9x2ma --attempts\ntopup webhooks edit ep_k3v9x2ma --enable',
      ),
    });
  });

  it("fails for webhooks whose secret the key can't decrypt", async () => {
    const key = (letter: string) => letter.repeat(43);
    const { seal } = createSecretCipher({ TOPUP_SECRET_KEY: key('a') });
    await makeWebhook({ secret: seal('whsec_x', 'ep_k3v9x2ma') });
    expect(await found({ TOPUP_SECRET_KEY: key('b') })).toMatchObject({
      state: 'failed',
      found: expect.stringMatching(
        /^The secret of ep_k3v9x2ma can't be decrypted: TOPUP_SECRET_KEY is not the key/,
      ),
    });
    expect(await found({ TOPUP_SECRET_KEY: key('a') })).toMatchObject({ state: 'ok' });
    expect(await found()).toMatchObject({ state: 'ok' });
  });
});

describe('the store', () => {
  it('fails for a file that is not a store', async () => {
    writeFileSync(storePath(), 'no store at all, but a text that is long enough for one');

    const { store: found } = await checks(await closedBaseUrl());

    expect(found).toMatchObject({ state: 'failed', fix: expect.any(String) });
  });

  it("warns about a store that doesn't exist", async () => {
    const { store: found } = await checks(await closedBaseUrl());

    expect(found).toMatchObject({
      state: 'warning',
      found: `there is no ${storePath()}, which TOPUP_STORE names`,
    });
  });

  it("doesn't check a store that exists only in memory", async () => {
    const { store: found } = await checks(await closedBaseUrl(), { TOPUP_STORE: 'memory:' });

    expect(found?.state).toBe('skipped');
  });
});

describe('doctor with a wrong setting', () => {
  it("rejects a setting that isn't a store", async () => {
    const { store } = await checks(await closedBaseUrl(), { TOPUP_STORE: 'foo.db' });

    expect(store).toEqual({
      name: 'store',
      state: 'failed',
      found: 'TOPUP_STORE must be file:PATH or postgres://..., not "foo.db".',
      fix: 'For example: file:./data/topup.db, which is the default.',
    });
  });

  it('reports an invalid key, and runs the other checks', async () => {
    await using service = await startJsonService(200, games);
    const { key, service: found } = await checks(service.baseUrl, { TOPUP_API_KEY: 'a\nb' });

    expect(key).toMatchObject({ state: 'failed', found: 'The key of TOPUP_API_KEY is not valid.' });
    expect(found?.state).toBe('ok');
  });

  it('fails and exits with 1 for every task that needs an operator, with names and commands', async () => {
    await using service = await startJsonService(200, games);
    const store = createSqliteStore({ path: storePath() });
    const ids = [...'ABCDEFGHIJKLMN'].map((letter) => another(letter).orderId);
    for (const letter of 'ABCDEFGHIJKLMN') await store.placeOrder(place(another(letter)));
    const [stuck = '', unfunded = '', contradicted = '', ...failed] = ids;
    const waiting = unit(1, { askedAt: 1, nextAt: 1, waitsFor: 'balance' });
    await store.changeOrder(change({ orderId: unfunded, units: [waiting] }));
    const there = { supplier: 'digiflazz', supplierId: 'T-7' };
    await store.changeOrder(
      change({ orderId: stuck, units: [unit(1, { state: 'unknown', nextAt: null, ...there })] }),
    );
    const gagal = { paymentStatus: 'PAID', buyStatus: 'Gagal' } as const;
    const notDelivered = unit(1, { state: 'failed', nextAt: null });
    for (const orderId of failed)
      await store.changeOrder(change({ orderId, to: gagal, units: [notDelivered] }));
    const contradiction = 'The supplier reported attempt 1 as delivered after it had failed.';
    await store.changeOrder(
      change({ orderId: contradicted, to: gagal, units: [{ ...notDelivered, contradiction }] }),
    );
    await store.addReconciliation(reconciliation());
    await store.saveSupplierBalance({
      ...{ supplier: 'digiflazz', balance: 1_000, alertBelow: 500_000, readAt: Date.now() },
    });
    await store.saveProviderProblems([{ provider: 'tripay', call: 'access', problem: '401', since: 1 }]);
    await store.close();

    const { code, stdout, stderr } = await doctor(service.baseUrl);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '\n7 of 15 checks failed.\n' });
    const sentences = stdout.split('\n').filter((line) => !line.startsWith('  topup '));
    expect(Math.max(...sentences.map((line) => line.length))).toBeLessThanOrEqual(80);
    const found = await checks(service.baseUrl);
    expect(found.store).toMatchObject({ state: 'warning', found: expect.stringContaining('1 task overdue') });
    expect(found.waiting).toEqual({
      ...{ name: 'waiting', state: 'failed' },
      found: `1 paid order waits for a deposit at the supplier (digiflazz had Rp 1,000 at the last check): ${unfunded}`,
      fix: [
        'Deposit money at the supplier. The server notices it within seconds and delivers the orders. Retry an order to deliver it immediately.',
        `topup orders retry ${unfunded}`,
        'topup runbook waiting-for-balance',
      ].join('\n'),
    });
    expect(found.stuck).toEqual({
      ...{ name: 'stuck', state: 'failed' },
      found: `1 order has been in delivery for over 15 minutes, or its outcome is unknown: ${stuck}`,
      fix: [
        "Look at the order's history for the cause. If an item is waiting to be bought, the server retries it automatically; to try immediately, retry the order. If the supplier is down, wait: the server keeps checking the outcome. If the outcome is unknown, ask the supplier what was delivered, and mark the order.",
        `Look for ${stuck}-1-1 at digiflazz (its own id T-7, product ML86)`,
        `topup orders show ${stuck} --history`,
        `topup orders retry ${stuck}`,
        `topup orders mark ${stuck} --delivered --note '<how you know>'`,
        `topup orders mark ${stuck} --failed --note '<how you know>'`,
        'topup runbook stuck-orders',
      ].join('\n'),
    });
    expect(found.failed?.found).toMatch(new RegExp(`${failed.slice(0, 10).join(', ')} and 1 more$`));
    expect(found.failed?.fix).toContain(
      `topup orders retry ${failed[0]}\ntopup refunds create ${failed[0]} --note '<how>'\n`,
    );
    expect(found.contradicted?.found).toContain(contradicted);
    expect(found.contradicted?.fix).toContain(`topup orders mark ${contradicted} --failed`);
    expect(found.contradicted?.fix).not.toMatch(/topup orders (retry|refund)/);
    expect(found.money).toMatchObject({
      state: 'failed',
      fix: expect.stringContaining('topup payments list'),
    });
    expect(found.balance?.fix).toMatch(/^Deposit money at the supplier before orders have to wait\.\n/);
    expect(found.requests).toMatchObject({
      ...{ state: 'failed', found: 'Requests to a provider fail: tripay, any request (401)' },
      fix: expect.stringMatching(
        /^If the provider is down .* compare the keys.*\ntopup runbook rejected-requests$/,
      ),
    });
    expect(found.balance?.found).toBe('The balance at the supplier digiflazz is Rp 1,000, below Rp 500,000');
  });

  it('fails if products cost more than their price, and explains how to open the products', async () => {
    await using service = await startJsonService(200, games);
    const store = createSqliteStore({ path: storePath() });
    await store.replaceCatalog(sandboxCatalog());
    const listed = { isAvailable: true, stock: null, isOncePerDay: false, pause: null };
    const products = [{ ...listed, code: 'ML86', price: 22_500 }];
    await store.saveSupplierList({ supplier: 'digiflazz', readAt: Date.now(), products });
    await store.close();

    expect((await doctor(service.baseUrl)).code).toBe(1);
    expect((await checks(service.baseUrl)).cost).toEqual({
      ...{ name: 'cost', state: 'failed' },
      found: '1 product costs more than its price and is closed: ML86 (cost Rp 22,500, price Rp 22,000)',
      fix: [
        'Run a sync: it raises prices that follow a margin rule, and reopens their products. With TOPUP_SYNC_MINUTES=1, the server syncs after each list. Raise locked prices by hand.',
        'topup catalog sync --yes',
        'topup catalog set-price <code> <rupiah>',
        'topup runbook products-below-cost',
      ].join('\n'),
    });
  });

  it('only warns about previous secrets of providers that are still accepted', async () => {
    const { code, stdout } = await doctor(await closedBaseUrl(), ['--json'], {
      TRIPAY_PRIVATE_KEY_PREVIOUS: 'hidden',
      DIGIFLAZZ_WEBHOOK_SECRET_PREVIOUS_FILE: '/run/secrets/old',
      VIP_RESELLER_API_KEY_PREVIOUS: '',
      MY_PREVIOUS: 'x',
    });
    const found: Check[] = JSON.parse(stdout).checks.filter(({ name }: Check) => name === 'secrets');
    expect(code).toBe(1);
    expect(found.map(({ state, found: sentence }) => [state, sentence])).toEqual(
      ['TRIPAY_PRIVATE_KEY', 'DIGIFLAZZ_WEBHOOK_SECRET'].map((name) => [
        'warning',
        `${name}_PREVIOUS is set, so that callbacks signed with the previous secret are still accepted`,
      ]),
    );
    expect(stdout).not.toContain('hidden');
  });

  it.each([
    ['sandbox', 'start one:\n  topup serve --sandbox'],
    ['live', 'start your own server on it.'],
  ] as const)('explains how to start the server of an overdue %s store', async (mode, words) => {
    const store = createSqliteStore({ path: storePath() });
    await store.claimMode(mode);
    await store.placeOrder(place(order()));
    await store.close();

    expect((await checks(await closedBaseUrl())).store).toMatchObject({
      state: 'warning',
      fix: `A server must run to handle overdue and reserved orders: ${words}`,
    });
  });
});

describe('doctor --new', () => {
  const gagal = { paymentStatus: 'PAID', buyStatus: 'Gagal' } as const;

  /** A shop whose service works, with a store in which deliveries fail; and what a user's check says of it. */
  async function shop() {
    const service = await startJsonService(200, games);
    const store = createSqliteStore({ path: storePath() });
    const versions = new Map<string, number>();
    const move = async (letter: string, to: { paymentStatus: 'PAID'; buyStatus: 'Gagal' | 'Sukses' }) => {
      const version = versions.get(letter) ?? 1;
      versions.set(letter, version + 1);
      const units = [unit(1, { state: to.buyStatus === 'Gagal' ? 'failed' : 'delivered', nextAt: null })];
      await store.changeOrder(change({ orderId: idOf(letter), version, to, units }));
    };
    const mend = (letter: string) => move(letter, { paymentStatus: 'PAID', buyStatus: 'Sukses' });
    for (const letter of 'ABC') {
      await store.placeOrder(place(another(letter)));
      // So that nothing is due.
      await mend(letter);
    }
    return {
      service,
      store,
      mend,
      fail: (letter: string) => move(letter, gagal),
      check: (user = 'cron', args: string[] = []) =>
        doctor(service.baseUrl, ['--new', ...args], { XDG_STATE_HOME: own.fileIn(user) }),
      async [Symbol.asyncDispose]() {
        await store.close();
        await service[Symbol.asyncDispose]();
      },
    };
  }

  it('reports each problem once, and again if the problem returns', async () => {
    await using of = await shop();
    expect(await of.check()).toMatchObject({ code: 0, stdout: '', stderr: 'Nothing new.\n' });
    await of.fail('A');
    const first = await of.check();
    expect(first).toMatchObject({ code: 1, stderr: '\n1 new problem.\n' });
    expect(first.stdout).toContain(`topup orders retry ${idOf('A')}`);
    expect(await of.check()).toMatchObject({
      ...{ code: 0, stdout: '', stderr: 'Nothing new, 1 known from before.\n' },
    });

    await of.fail('B');
    const second = await of.check();
    expect(second).toMatchObject({ code: 1, stderr: '\n1 new problem, 1 known from before.\n' });
    expect(second.stdout.replaceAll(/\s+/g, ' ')).toContain(
      `2 paid orders could not be delivered and need a retry or a refund; new: ${idOf('B')}`,
    );
    expect(second.stdout).toContain(`topup orders retry ${idOf('B')}`);
    expect(second.stdout).not.toContain(idOf('A'));

    await of.mend('A');
    expect(await of.check()).toMatchObject({
      code: 0,
      stderr: 'Nothing new, 1 known from before, 1 over.\n',
    });
    await of.fail('A');
    expect(await of.check()).toMatchObject({ code: 1, stderr: '\n1 new problem, 1 known from before.\n' });
  });

  it('prints the new findings as one document under --json', async () => {
    await using of = await shop();
    await of.fail('A');
    const { stdout } = await of.check('cron', ['--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ checks: [{ name: 'failed', state: 'failed' }], standing: 0, over: 0 },
    });
    expect(Object.keys(JSON.parse(stdout).checks[0])).toEqual(['name', 'state', 'found', 'fix']);
    expect(JSON.parse((await of.check('cron', ['--json'])).stdout)).toEqual({
      checks: [],
      standing: 1,
      over: 0,
    });
  });

  it('stores problems for each user and store, and leaves them unchanged in a run without --new', async () => {
    await using of = await shop();
    await of.fail('A');
    await doctor(of.service.baseUrl, [], { XDG_STATE_HOME: own.fileIn('cron') });
    expect((await of.check('cron')).code).toBe(1);
    expect((await of.check('person')).code).toBe(1);
    expect((await of.check('cron')).code).toBe(0);
    const elsewhere = { XDG_STATE_HOME: own.fileIn('cron'), TOPUP_STORE: `file:${own.fileIn('other.db')}` };
    expect((await doctor(of.service.baseUrl, ['--new'], elsewhere)).stdout).toContain('there is no');
    expect((await of.check('cron')).code).toBe(0);
    expect(statSync(join(own.fileIn('cron'), 'topup', 'doctor')).mode & 0o777).toBe(0o700);
  });

  it('keeps problems that could not be checked', async () => {
    await using of = await shop();
    await of.fail('A');
    await of.check();
    await of.store.close();
    const path = storePath();
    renameSync(path, `${path}.away`);
    writeFileSync(path, 'no store');
    expect(await of.check()).toMatchObject({
      ...{
        code: 1,
        stdout: expect.stringContaining('is not a store'),
        stderr: expect.stringContaining('1 known'),
      },
    });
    rmSync(path);
    renameSync(`${path}.away`, path);
    expect(await of.check()).toMatchObject({
      code: 0,
      stderr: 'Nothing new, 1 known from before, 1 over.\n',
    });
  });

  it('reports failing callbacks and waiting orders once, even if their number grows later', async () => {
    await using of = await shop();
    for (const letter of 'AB') {
      const nextAt = Date.now() + 3_600_000;
      const units = [unit(1, { askedAt: 1, nextAt, waitsFor: 'balance' })];
      await of.store.changeOrder(change({ orderId: idOf(letter), version: 2, units }));
      const { code, stdout } = await of.check();
      expect([code, stdout.includes(idOf('A'))]).toEqual(letter === 'A' ? [1, true] : [0, false]);
    }
  });

  it('reports each previous secret that is still accepted', async () => {
    await using of = await shop();
    const check = (names: string[]) =>
      doctor(of.service.baseUrl, ['--new'], {
        XDG_STATE_HOME: own.fileIn('cron'),
        ...Object.fromEntries(names.map((name) => [`${name}_PREVIOUS`, 'x'])),
      });
    expect((await check(['TRIPAY_PRIVATE_KEY'])).stdout).toContain('TRIPAY_PRIVATE_KEY_PREVIOUS');
    const both = await check(['TRIPAY_PRIVATE_KEY', 'DIGIFLAZZ_WEBHOOK_SECRET']);
    // A warning is no failure.
    expect([both.code, both.stdout.includes('DIGIFLAZZ'), both.stdout.includes('TRIPAY')]).toEqual([
      0,
      true,
      false,
    ]);
    expect((await check([])).stderr).toBe('Nothing new, 2 over.\n');
  });

  it("reports that a last run can't be stored, exits with 1, and prints the findings", async () => {
    await using of = await shop();
    await of.fail('A');
    writeFileSync(own.fileIn('file'), '');
    const { code, stdout, stderr } = await of.check('file');
    expect(code).toBe(1);
    expect(stdout + stderr).toContain("can't be saved in");
    expect(stderr).toContain('XDG_STATE_HOME');
  });
});
