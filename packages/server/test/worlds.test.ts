import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { createKeyText } from '@topup-kit/core/engine';
import { secureRandom } from '@topup-kit/core/platform';
import { createSimulatedSupplier } from '@topup-kit/core/supplier';
import { describe, expect, it } from 'vitest';
import { hurriedClock } from '../../../test/hurry.ts';
import { createWorlds } from '../src/features/sandbox/worlds.ts';
import type { RunningServer } from '../src/index.ts';
import type { Service } from '../src/service/world.ts';
import { fixtureOrder, startSandbox, temporaryFolder } from './helpers/sandbox.ts';

const newKey = () => createKeyText('test', secureRandom);

const get = (server: RunningServer, path: string, key: string) =>
  fetch(server.localUrl + path, { headers: { 'X-API-KEY': key } });

const post = (server: RunningServer, path: string, key: string, body: object = {}) =>
  fetch(server.localUrl + path, {
    method: 'POST',
    headers: { 'X-API-KEY': key, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

const placeOrder = async (server: RunningServer, key: string, over: object = {}) =>
  (await (await post(server, '/api/order', key, { ...fixtureOrder, ...over })).json()).data;

const worldTime = async (server: RunningServer, key: string) =>
  Date.parse((await (await get(server, '/sandbox', key)).json()).data.now);

/** The state of an order in the world of a key; undefined when the world has no such order. */
const stateOf = async (server: RunningServer, key: string, orderId: string) =>
  (await (await get(server, `/api/invoice/${orderId}/payment-status`, key)).json()).data;

const paymentStatus = async (server: RunningServer, key: string, orderId: string) =>
  (await stateOf(server, key, orderId))?.payment_status;

const halfHour = 30 * 60_000;

describe('the world of a key', () => {
  it("shows only the orders of the key's world", async () => {
    await using server = await startSandbox();
    const [one, other] = [newKey(), newKey()];
    const [mine, theirs] = await Promise.all([placeOrder(server, one), placeOrder(server, other)]);
    const status = async (key: string, orderId: string) =>
      (await get(server, `/api/invoice/${orderId}`, key)).status;
    expect(await status(one, mine.order_id)).toBe(200);
    expect(await status(one, theirs.order_id)).toBe(404);
    expect(await status(other, theirs.order_id)).toBe(200);
    expect(await status(other, mine.order_id)).toBe(404);
    expect(await status(server.sandboxKey ?? '', mine.order_id)).toBe(404);
  });

  it("copies the first world's catalogue into a new world", async () => {
    await using server = await startSandbox();
    const games = async (key: string) => (await get(server, '/api/games', key)).json();
    expect(await games(newKey())).toEqual(await games(server.sandboxKey ?? ''));
  });

  it('has a separate clock in each world', async () => {
    await using server = await startSandbox();
    const [one, other] = [newKey(), newKey()];
    const [mine, theirs] = [await placeOrder(server, one), await placeOrder(server, other)];
    expect((await post(server, '/sandbox/advance', one, { by: '31m' })).status).toBe(200);
    expect(await paymentStatus(server, one, mine.order_id)).toBe('EXPIRED');
    expect(await paymentStatus(server, other, theirs.order_id)).toBe('UNPAID');
    const ahead = (await worldTime(server, one)) - (await worldTime(server, other));
    expect(ahead).toBeGreaterThan(halfHour);
    expect(Math.abs((await worldTime(server, other)) - Date.now())).toBeLessThan(halfHour);
  });

  it('has a separate scenario in each world', async () => {
    await using server = await startSandbox({ TOPUP_LOG_LEVEL: 'silent' });
    const [one, other] = [newKey(), newKey()];
    await post(server, '/sandbox/scenario', one, { name: 'gateway-down' });
    expect((await post(server, '/api/order', one, fixtureOrder)).status).toBe(500);
    expect((await post(server, '/api/order', other, fixtureOrder)).status).toBe(201);
  });

  it('records a separate journal, which a reset keeps', async () => {
    await using server = await startSandbox();
    const [one, other] = [newKey(), newKey()];
    const { order_id } = await placeOrder(server, one);
    await get(server, '/api/games', other);
    await post(server, '/sandbox/reset', one);
    const journal = async (key: string) =>
      (await (await get(server, '/sandbox/requests', key)).json()).data.requests;
    expect(await journal(one)).toMatchObject([
      { target: '/api/order', order_id, request: { headers: { 'X-API-KEY': 'tk_test_[secret]' } } },
    ]);
    expect(await journal(other)).toMatchObject([{ target: '/api/games' }]);
    expect(await journal(server.sandboxKey ?? '')).toEqual([]);
  });

  it('resets a world without the other worlds', async () => {
    await using server = await startSandbox();
    const [one, other] = [newKey(), newKey()];
    const [mine, theirs] = [await placeOrder(server, one), await placeOrder(server, other)];
    await post(server, '/sandbox/reset', one);
    expect(await paymentStatus(server, one, mine.order_id)).toBeUndefined();
    expect(await paymentStatus(server, other, theirs.order_id)).toBe('UNPAID');
  });

  it('applies control routes without a key only to the first world', async () => {
    await using server = await startSandbox();
    const key = newKey();
    const mine = await placeOrder(server, key);
    const theFirst = await placeOrder(server, server.sandboxKey ?? '');
    const pay = (orderId: string) =>
      fetch(`${server.localUrl}/sandbox/orders/${orderId}/pay`, { method: 'POST' });
    expect((await pay(mine.order_id)).status).toBe(404);
    expect((await pay(theFirst.order_id)).status).toBe(200);
  });

  it('finds a world by its payment references, because payment pages have no key', async () => {
    await using server = await startSandbox();
    const key = newKey();
    const { payment_url, order_id } = await placeOrder(server, key);
    for (const path of ['', '/qr.svg', '/status']) expect((await fetch(payment_url + path)).status).toBe(200);
    await fetch(`${payment_url}/pay`, { method: 'POST', redirect: 'manual' });
    expect(await paymentStatus(server, key, order_id)).toBe('PAID');
  });

  it("receives payment events from the operator's own gateway", async () => {
    await using server = await startSandbox();
    const key = newKey();
    const { payment_url, order_id } = await placeOrder(server, key);
    const reference = new URL(payment_url).pathname.slice('/pay/'.length);
    const event = { reference, status: 'paid', amount: 40_000, at: Date.now() } as const;
    expect((await server.handlePaymentEvent(event))?.orderId).toBe(order_id);
    expect(await server.handlePaymentEvent({ ...event, reference: 'nobody' })).toBeNull();
    expect(await paymentStatus(server, key, order_id)).toBe('PAID');
  });

  it('delivers orders in a world without requests', async () => {
    await using server = await startSandbox({}, { realClock: hurriedClock() });
    const key = newKey();
    const { order_id } = await placeOrder(server, key);
    await post(server, `/sandbox/orders/${order_id}/pay`, key);
    const buyStatus = async () => (await stateOf(server, key, order_id)).buy_status;
    expect(await buyStatus()).toBe('Proses');
    await expect.poll(buyStatus, { timeout: 4_000 }).toBe('Sukses');
  });

  it('deletes a world after 200 other keys were used', async () => {
    await using server = await startSandbox();
    const [used, unused] = [newKey(), newKey()];
    const [kept, forgotten] = [await placeOrder(server, used), await placeOrder(server, unused)];
    for (let count = 0; count < 198; count += 1) await get(server, '/sandbox', newKey());
    expect(await paymentStatus(server, used, kept.order_id)).toBe('UNPAID');
    await get(server, '/sandbox', newKey());
    expect(await paymentStatus(server, used, kept.order_id)).toBe('UNPAID');
    expect(await paymentStatus(server, unused, forgotten.order_id)).toBeUndefined();
  });

  it('stops all worlds with the server', async () => {
    let questions = 0;
    const realClock = hurriedClock();
    const simulated = createSimulatedSupplier({ clock: realClock });
    const server = await startSandbox(
      {},
      {
        realClock,
        supplier: {
          ...simulated,
          async submit(request, signal) {
            questions += 1;
            return simulated.submit(request, signal);
          },
          async find(request, signal) {
            questions += 1;
            return simulated.find(request, signal);
          },
        },
      },
    );
    const key = newKey();
    const { order_id } = await placeOrder(server, key);
    await post(server, `/sandbox/orders/${order_id}/pay`, key);
    await server.close();
    const asked = questions;
    expect(asked).toBeGreaterThan(0);
    // The supplier would deliver after two seconds of that clock, if the server, which has due work every 250 ms, still called it.
    await new Promise((done) => setTimeout(done, 600));
    expect(questions).toBe(asked);
  });
});

it('opens a world by a key that follows docs/sandbox.md', async () => {
  await using server = await startSandbox();
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  const body = 'tk_test_aaaaaaaaaaBBBBBBBBBB0000000000';
  const places = [5, 4, 3, 2, 1, 0].map((power) => Math.floor(crc32(body) / 62 ** power) % 62);
  const key = body + places.map((place) => digits[place]).join('');
  expect((await get(server, '/api/games', key)).status).toBe(200);
});

describe('keys that open no world', () => {
  it.each([
    ['by a key with a typing error', `${newKey().slice(0, -6)}000000`],
    ['by a live key', createKeyText('live', secureRandom)],
    ['by any other text', 'tk_test_mine'],
  ])('opens no world for %s', async (_, key) => {
    await using server = await startSandbox();
    expect((await get(server, '/api/games', key)).status).toBe(401);
    expect((await get(server, '/api/invoice/1', key)).status).toBe(401);
  });

  it("opens no world for the first world's keys", async () => {
    const own = newKey();
    await using server = await startSandbox({ TOPUP_API_KEY: own });
    const { order_id } = await placeOrder(server, own);
    expect(await paymentStatus(server, server.sandboxKey ?? '', order_id)).toBe('UNPAID');
  });

  it('opens no world over a file store', async () => {
    await using folder = await temporaryFolder();
    await using server = await startSandbox({ TOPUP_STORE: `file:${join(folder.path, 'topup.db')}` });
    expect((await get(server, '/api/games', newKey())).status).toBe(401);
  });
});

describe('a connection', () => {
  /** A service that responds with its name instead of a list of games. */
  const named = (name: string): Service => ({
    app: {
      fetch: async () => new Response(name),
      handle: async () => ({ status: 200, headers: {}, body: name }),
    },
    dueWork: { run: async () => {} },
    findByPage: async () => null,
    findByReference: async () => null,
    handlePaymentEvent: async () => null,
  });

  it.each([
    ['directly', true, 'another'],
    ['in another way', false, 'the first'],
  ])('opens, when it comes %s, %3$s world', async (_, direct, world) => {
    const { app } = createWorlds({
      first: named('the first'),
      firstKeys: [],
      open: () => named('another'),
      worldOf: () => null,
    });
    const connection = { address: '127.0.0.1', direct };
    const key = newKey();
    const request = new Request('http://localhost/api/games', { headers: { 'X-API-KEY': key } });
    expect(await (await app.fetch(request, connection)).text()).toBe(world);
  });
});

it("rejects a world's key on a file store, and explains which store has worlds", async () => {
  await using folder = await temporaryFolder();
  await using server = await startSandbox({ TOPUP_STORE: `file:${join(folder.path, 'topup.db')}` });
  const response = await get(server, '/api/games', newKey());
  expect([response.status, await response.json()]).toEqual([
    401,
    { message: 'Unauthorized', hint: expect.stringContaining('--store memory:') },
  ]);
});

it("rejects a mistyped key in a control route, and leaves the first world's clock unchanged", async () => {
  await using server = await startSandbox();
  const before = await worldTime(server, server.sandboxKey ?? '');
  const response = await post(server, '/sandbox/advance', 'tk_test_wrong', { by: '31m' });
  expect(response.status).toBe(401);
  expect((await worldTime(server, server.sandboxKey ?? '')) - before).toBeLessThan(halfHour);
});
