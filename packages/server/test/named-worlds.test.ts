import { join } from 'node:path';
import { createKeyText } from '@topup-kit/core/engine';
import { secureRandom } from '@topup-kit/core/platform';
import { describe, expect, it } from 'vitest';
import type { RunningServer } from '../src/index.ts';
import { startLiveShop } from './helpers/live-shop.ts';
import { fixtureOrder, startSandbox, temporaryFolder } from './helpers/sandbox.ts';

type Sent = Record<string, string>;

const request = (server: RunningServer, path: string, headers: Sent, body?: object) =>
  fetch(server.localUrl + path, {
    method: body ? 'POST' : 'GET',
    headers: { 'Content-Type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });

const inWorld = (server: RunningServer, name: string): Sent => ({
  'X-API-KEY': server.sandboxKey ?? '',
  'X-Topup-World': name,
});

const placeOrder = async (server: RunningServer, headers: Sent): Promise<string> =>
  (await (await request(server, '/api/order', headers, fixtureOrder)).json()).orderId;

const paymentStatus = async (server: RunningServer, headers: Sent, orderId: string) =>
  (await (await request(server, `/api/invoice/${orderId}/payment-status`, headers)).json()).data
    ?.payment_status;

describe('a world that a header names', () => {
  it('has separate orders, clock and faults in each named world', async () => {
    await using server = await startSandbox();
    const [one, other] = [inWorld(server, 'one'), inWorld(server, 'other')];
    const first = { 'X-API-KEY': server.sandboxKey ?? '' };
    const orders = await Promise.all([one, other, first].map((headers) => placeOrder(server, headers)));
    const [mine = '', theirs = '', theFirst = ''] = orders;

    await request(server, '/sandbox/advance', one, { by: '31m' });
    await request(server, '/sandbox/add-fault', other, { error: 'GAME_CLOSED', operation: 'createOrder' });

    expect(await paymentStatus(server, one, mine)).toBe('EXPIRED');
    expect(await paymentStatus(server, other, theirs)).toBe('UNPAID');
    expect(await paymentStatus(server, first, theFirst)).toBe('UNPAID');
    for (const [headers, orderId] of [
      [one, theirs],
      [other, mine],
      [first, mine],
      [one, theFirst],
    ] as const)
      expect((await request(server, `/api/invoice/${orderId}`, headers)).status).toBe(404);
    const code = async (headers: Sent) =>
      (await request(server, '/api/order', headers, fixtureOrder)).headers.get('X-Error-Code');
    expect([await code(one), await code(other), await code(first)]).toEqual([null, 'GAME_CLOSED', null]);
  });

  it('accepts control routes without a key', async () => {
    await using server = await startSandbox();
    const orderId = await placeOrder(server, inWorld(server, 'one'));
    const pay = (headers: Sent) => request(server, `/sandbox/orders/${orderId}/pay`, headers, {});

    expect((await pay({})).status).toBe(404);
    expect((await pay({ 'X-Topup-World': 'one' })).status).toBe(200);
  });

  it("opens the world of a key by the key's name", async () => {
    await using server = await startSandbox();
    const key = createKeyText('test', secureRandom);
    const orderId = await placeOrder(server, { 'X-API-KEY': key });

    expect(await paymentStatus(server, inWorld(server, key), orderId)).toBe('UNPAID');
    expect(await paymentStatus(server, { 'X-API-KEY': key }, orderId)).toBe('UNPAID');
  });

  it("opens the first world by the sandbox key's name", async () => {
    await using server = await startSandbox();
    const key = server.sandboxKey ?? '';
    const orderId = await placeOrder(server, { 'X-API-KEY': key });

    expect(await paymentStatus(server, inWorld(server, key), orderId)).toBe('UNPAID');
  });

  it("shows the world of a browser's cookie in the console", async () => {
    await using server = await startSandbox();
    const orderId = await placeOrder(server, inWorld(server, 'one'));
    const shows = async (headers: Sent) =>
      (await (await request(server, '/console/orders', headers)).text()).includes(orderId);

    expect(await shows({ Cookie: 'topup_world=one' })).toBe(true);
    expect(await shows({})).toBe(false);
    const worlds = await (await request(server, '/console/sandbox', { Cookie: 'topup_world=one' })).text();
    expect(worlds).toContain('<code>one</code>');
  });

  it('finds the world of a payment page, which has no key', async () => {
    await using server = await startSandbox();
    const one = inWorld(server, 'one');
    const placed = await (await request(server, '/api/order', one, fixtureOrder)).json();
    await fetch(`${placed.data.payment_url}/pay`, { method: 'POST', redirect: 'manual' });

    expect(await paymentStatus(server, one, placed.orderId)).toBe('PAID');
  });

  it.each([
    ['a header', (name: string) => ({ 'X-Topup-World': name })],
    ['a cookie', (name: string) => ({ Cookie: `topup_world=${name}` })],
  ])('pays in the world that %s names if several worlds have the page', async (_what, naming) => {
    await using server = await startSandbox();
    const [one, other] = [inWorld(server, 'one'), inWorld(server, 'other')];
    const { orderId, data } = await (await request(server, '/api/order', one, fixtureOrder)).json();
    const taken = await (await request(server, '/sandbox/snapshot', one, {})).json();
    await request(server, '/sandbox/restore', other, taken.data.snapshot);
    const pay = (url: string, headers: Sent) =>
      fetch(`${url}/pay`, { method: 'POST', redirect: 'manual', headers });

    await pay(data.payment_url, naming('other'));
    const states = [one, other].map((headers) => paymentStatus(server, headers, orderId));
    expect(await Promise.all(states)).toEqual(['UNPAID', 'PAID']);

    // A world that has no such page, and is not opened by its name.
    const ofOne = await (await request(server, '/api/order', one, { ...fixtureOrder, quantity: 1 })).json();
    await pay(ofOne.data.payment_url, naming('third'));
    expect(await paymentStatus(server, one, ofOne.orderId)).toBe('PAID');
    const worlds = await (await request(server, '/console/sandbox', { Cookie: 'topup_world=one' })).text();
    expect(worlds).not.toContain('third');
  });

  it('names the world in the code of a request', async () => {
    await using server = await startSandbox();
    const one = inWorld(server, 'one');
    await request(server, '/api/games', one);
    const page = await (
      await request(server, '/console/sandbox/requests/1', { Cookie: 'topup_world=one' })
    ).text();

    expect(page).toContain('X-Topup-World: one');
  });
});

describe('a request that names a world', () => {
  it.each(['two words', 'a,b', 'naïve', 'x'.repeat(101), ''])(
    'rejects the impossible name "%s"',
    async (name) => {
      await using server = await startSandbox();
      const headers = inWorld(server, name);

      for (const response of [
        await request(server, '/api/games', headers),
        await request(server, '/sandbox/advance', headers, { by: '31m' }),
      ]) {
        expect(response.status).toBe(422);
        expect((await response.json()).errors).toEqual({
          'X-Topup-World': [
            'The X-Topup-World header must be 1 to 100 letters, digits, dots, tildes, underscores or hyphens.',
          ],
        });
      }
      expect((await (await request(server, '/sandbox', {})).json()).data.ahead_ms).toBe(0);
    },
  );

  it('rejects a key from another world, and names the required key', async () => {
    await using server = await startSandbox();
    const headers = { 'X-API-KEY': createKeyText('test', secureRandom), 'X-Topup-World': 'one' };
    const response = await request(server, '/api/games', headers);

    expect(response.status).toBe(401);
    expect((await response.json()).hint).toMatch(/^With the header X-Topup-World, send a key of the sandbox/);
  });

  it("rejects a world's name in a sandbox over a file store, which has only one world", async () => {
    await using folder = await temporaryFolder();
    await using server = await startSandbox({ TOPUP_STORE: `file:${join(folder.path, 'topup.db')}` });
    const headers = inWorld(server, 'one');

    for (const response of [
      await request(server, '/api/games', headers),
      await request(server, '/sandbox', headers),
    ]) {
      expect(response.status).toBe(422);
      expect((await response.json()).message).toMatch(/--store memory:/);
    }
  });

  it("accepts a world through a proxy with the operator's key, but not with the well-known key", async () => {
    const own = createKeyText('test', secureRandom);
    await using server = await startSandbox({ TOPUP_API_KEY: own });
    const proxied = (key: string): Sent => ({
      'X-API-KEY': key,
      'X-Topup-World': 'one',
      'X-Forwarded-For': '203.0.113.7',
    });
    const orderId = await placeOrder(server, proxied(own));

    expect(await paymentStatus(server, { 'X-API-KEY': own, 'X-Topup-World': 'one' }, orderId)).toBe('UNPAID');
    expect(await paymentStatus(server, { 'X-API-KEY': own }, orderId)).toBeUndefined();
    expect((await request(server, '/api/games', proxied(server.sandboxKey ?? ''))).status).toBe(401);
  });

  it('opens no world for a stranger with a wrong key', async () => {
    await using server = await startSandbox();
    const stranger = { 'X-API-KEY': 'tk_test_wrong', 'X-Forwarded-For': '203.0.113.7' };
    for (let count = 0; count < 3; count += 1)
      await request(server, '/api/games', { ...stranger, 'X-Topup-World': `stranger-${count}` });

    // The console lists the worlds where there are several.
    expect(await (await request(server, '/console/sandbox', {})).text()).not.toContain('stranger-');
  });
});

it('ignores the name of a world in a live server', async () => {
  await using shop = await startLiveShop();
  const { server, key } = shop;
  const orderId = await placeOrder(server, { 'X-API-KEY': key, 'X-Topup-World': 'one' });

  for (const name of ['one', 'other', 'two words'])
    expect(await paymentStatus(server, { 'X-API-KEY': key, 'X-Topup-World': name }, orderId)).toBe('UNPAID');
  expect(await paymentStatus(server, { 'X-API-KEY': key }, orderId)).toBe('UNPAID');
});
