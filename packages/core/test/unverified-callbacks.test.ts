import { describe, expect, it } from 'vitest';
import { createConcealment } from '../src/features/callbacks/secrets.ts';
import {
  createUnverifiedCallbacks,
  idsThatStay,
  maxBody,
  maxKept,
  maxUnverifiedPerMinute,
} from '../src/features/callbacks/unverified.ts';
import type { Store, UnverifiedCallback } from '../src/features/store.ts';
import { callbackGateway, canary, signed } from './helpers/providers.ts';
import { createTestService, fixtureOrder } from './helpers/test-service.ts';

const provider = '198.51.100.7';
const stranger = '203.0.113.9';
const nobody: ReadonlySet<string> = new Set();

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const forged = (body: string | Uint8Array = '{"forged":1}') => ({
  headers: { 'content-type': 'application/json', 'x-test-signature': 'wrong' },
  body: typeof body === 'string' ? bytesOf(body) : body,
});

/** A service whose gateway sends callbacks, and what was written to its store for those. */
async function start() {
  const { gateway, control } = callbackGateway();
  const writes: string[] = [];
  const service = await createTestService({
    gateway,
    store: (store: Store) => ({
      ...store,
      addCallback(callback) {
        writes.push('add');
        return store.addCallback(callback);
      },
      pruneUnverified(change) {
        writes.push('keep');
        return store.pruneUnverified(change);
      },
    }),
  });
  const { callbacks, store, clock } = service;
  const send = (request: ReturnType<typeof signed>, address = stranger) =>
    callbacks.receive('gateway', 'paygate', request, address);
  return {
    ...service,
    ...{ control, writes, send },
    list: () => store.listCallbacks({ limit: 10_000 }),
    async flush(seconds = 1): Promise<void> {
      clock.now += seconds * 1_000;
      await callbacks.storeUnverified();
    },
    async paid(): Promise<ReturnType<typeof signed>> {
      const { orderId } = (await service.order({ ...fixtureOrder, promo_code: undefined })).json;
      const report = { status: 'paid', amount: 44_000, at: clock.now };
      return signed(JSON.stringify({ reference: `R-${orderId}`, orderId, report, confirm: false }));
    },
  };
}

describe('a flood of unverified callbacks', () => {
  it('stores a flood of unverified callbacks in one batch at the end', async () => {
    const { send, writes, flush, list, counted } = await start();
    for (let count = 0; count < 2_000; count += 1) await send(forged(), `203.0.113.${count % 200}`);
    expect(writes).toEqual([]);
    await flush();
    expect(writes).toEqual(['keep']);
    await flush();
    expect(writes).toEqual(['keep']);
    expect((await list()).length).toBeLessThanOrEqual(100);
    expect(counted).toEqual({ rejected: 2_000 });
  });

  it('limits unverified callbacks by address, sends the time to wait, and only counts rejected callbacks', async () => {
    const { send, flush, list, clock, counted } = await start();
    for (let count = 0; count < maxUnverifiedPerMinute; count += 1)
      expect((await send(forged()))?.response?.status).toBe(401);
    expect(await send(forged('{"limited":1}'))).toEqual({
      ...{ response: null, isProven: false },
      headers: expect.objectContaining({ 'Retry-After': '60' }),
    });
    // Nothing proves that a test of the address is one.
    expect((await send(signed('ping')))?.response).toBeNull();
    expect((await send(forged(), '203.0.113.10'))?.response?.status).toBe(401);
    await flush();
    expect((await list()).map(({ body }) => new TextDecoder().decode(body))).not.toContain('{"limited":1}');
    expect(counted).toEqual({ rejected: maxUnverifiedPerMinute + 1, limited: 2 });
    clock.now += 60_000;
    expect((await send(forged()))?.response?.status).toBe(401);
  });

  it("never limits the provider's own callbacks, and stores each callback before its response", async () => {
    const { send, paid, list } = await start();
    for (let count = 0; count < 1_000; count += 1) await send(forged(), provider);
    for (let count = 1; count <= 3; count += 1) {
      expect(await send(await paid(), provider)).toMatchObject({ response: { status: 200 }, isProven: true });
      expect((await list()).filter(({ outcome }) => outcome === 'applied')).toHaveLength(count);
    }
  });

  it('logs one line a minute for all unverified callbacks with the same problem', async () => {
    const { send, flush, handled } = await start();
    for (let second = 0; second < 61; second += 1) {
      for (let count = 0; count < 10; count += 1) await send(forged(), `203.0.113.${second}`);
      await flush();
    }
    const one = { provider: 'paygate', outcome: 'rejected', reason: 'The signature is wrong.' };
    expect(handled).toMatchObject([
      { ...one, count: 10, address: '203.0.113.0', callbackId: expect.stringMatching(/^cb_/) },
      { ...one, count: 600 },
    ]);
    expect(handled).toHaveLength(2);
  });

  it('reports the number of remaining callbacks at the end', async () => {
    const { send, flush, handled, callbacks } = await start();
    await send(forged());
    await flush();
    for (let count = 0; count < 5; count += 1) await send(forged());
    await flush();
    await callbacks.storeUnverified({ isLast: true });
    expect(handled.map(({ count }) => count)).toEqual([1, 5]);
  });

  it("stores unverified callbacks once a second with due work, which doesn't wait", async () => {
    const { gateway } = callbackGateway();
    const stored = Promise.withResolvers<void>();
    const keeping: number[] = [];
    const { callbacks, engine, clock, store } = await createTestService({
      gateway,
      store: (store) => ({
        ...store,
        pruneUnverified(change) {
          keeping.push(change.add.length);
          return stored.promise.then(() => store.pruneUnverified(change));
        },
      }),
    });
    await engine.dueWork.run();
    await callbacks.receive('gateway', 'paygate', forged(), stranger);
    clock.now += 999;
    await engine.dueWork.run();
    expect(keeping).toEqual([]);
    clock.now += 1;
    await engine.dueWork.run();
    await expect.poll(() => keeping).toEqual([1]);
    stored.resolve();
    await expect.poll(() => store.listCallbacks({ limit: 10 })).toHaveLength(1);
  });

  it('stores unverified callbacks before due work ends, when the service closes', async () => {
    const { gateway } = callbackGateway();
    const { callbacks, engine, store, closing, handled } = await createTestService({ gateway });
    await engine.dueWork.run();
    for (let count = 0; count < 2; count += 1)
      await callbacks.receive('gateway', 'paygate', forged(), stranger);
    closing.abort();
    await engine.dueWork.run();
    expect(await store.listCallbacks({ limit: 10 })).toHaveLength(2);
    expect(handled).toMatchObject([{ count: 2 }]);
  });

  it("reports unverified callbacks that due work can't store", async () => {
    const { gateway } = callbackGateway();
    const { callbacks, engine, reported } = await createTestService({
      gateway,
      store: (store) => ({ ...store, pruneUnverified: () => Promise.reject(new Error('disk full')) }),
    });
    await callbacks.receive('gateway', 'paygate', forged(), stranger);
    await engine.dueWork.run();
    await expect.poll(() => reported.map(String)).toEqual(['Error: disk full']);
  });

  it("keeps a provider's complete callbacks, so that they can be replayed when its secret is corrected", async () => {
    const { send, flush, engine, store, list, paid } = await start();
    // The provider's callbacks came from its address before its secret was changed.
    await send(await paid(), provider);
    const genuine = await paid();
    const padded = bytesOf(
      `${new TextDecoder().decode(genuine.body).slice(0, -1)},"note":"${'n'.repeat(5_000)}"}`,
    );
    const { headers } = signed(padded);
    await send({ headers: { ...headers, 'x-test-signature': 'of another secret' }, body: padded }, provider);
    await flush();
    const kept = (await list()).find(({ outcome }) => outcome === 'rejected');
    for (let round = 0; round < 12; round += 1) {
      for (let count = 0; count < 200; count += 1)
        await send(forged('f'.repeat(9_000)), `203.0.${round}.${count}`);
      await flush();
    }
    expect((await list()).length).toBeGreaterThan(maxKept - 10);
    const found = await store.findCallback(kept?.callbackId ?? '');
    expect(found).toMatchObject({ outcome: 'rejected', body: padded, sentBytes: null, address: provider });
    await store.requestReplay(kept?.callbackId ?? '');
    await engine.dueWork.run();
    await expect.poll(async () => (await store.findCallback(kept?.callbackId ?? ''))?.attempts).toBe(2);
  });

  it('stores only the beginning of long unverified callbacks', async () => {
    const { send, flush, list } = await start();
    for (let round = 0; round < 12; round += 1) {
      for (let count = 0; count < 100; count += 1)
        await send(forged('f'.repeat(9_000)), `203.0.${round}.${count}`);
      await flush();
    }
    const all = await list();
    const bytes = all.reduce((sum, { body }) => sum + body.length, 0);
    expect(all).toHaveLength(maxKept);
    expect(bytes).toBeLessThan(7 * 1024 * 1024);
    const cut = all.filter(({ sentBytes }) => sentBytes !== null);
    expect(cut.length).toBeGreaterThan(maxKept / 2);
    for (const { body, sentBytes } of cut) expect([body.length, sentBytes]).toEqual([maxBody, 9_000]);
  });

  it('stores unverified callbacks later if the store fails now', async () => {
    const { send, flush, list, callbacks } = await start();
    let isFull = true;
    const { gateway } = callbackGateway();
    const other = await createTestService({
      gateway,
      store: (store) => ({
        ...store,
        pruneUnverified: (change) =>
          isFull ? Promise.reject(new Error('disk full')) : store.pruneUnverified(change),
      }),
    });
    await other.callbacks.receive('gateway', 'paygate', forged(), stranger);
    await expect(other.callbacks.storeUnverified()).rejects.toThrow('disk full');
    isFull = false;
    await other.callbacks.storeUnverified();
    expect(await other.store.listCallbacks({ limit: 10 })).toHaveLength(1);
    // The same for one that is well all the time.
    await send(forged());
    await Promise.all([flush(), callbacks.storeUnverified()]);
    expect(await list()).toHaveLength(1);
  });
});

describe('callbacks from addresses without permission', () => {
  it('counts callbacks from addresses without permission, and stores three a minute without their content', async () => {
    const { callbacks, writes, flush, list, counted, handled, clock } = await start();
    for (let count = 0; count < 5_000; count += 1)
      callbacks.forbid('gateway', 'paygate', `203.0.113.${count % 250}`);
    expect(writes).toEqual([]);
    await flush();
    expect(counted).toEqual({ forbidden: 5_000 });
    const note = { outcome: 'rejected', headers: {}, body: new Uint8Array(), sentBytes: null };
    expect(await list()).toMatchObject([note, note, note]);
    expect(handled).toMatchObject([{ outcome: 'forbidden', count: 5_000, callbackId: null }]);
    clock.now += 60_000;
    for (let count = 0; count < 10; count += 1) callbacks.forbid('gateway', 'paygate', stranger);
    await flush();
    expect(await list()).toHaveLength(6);
  });
});

describe('the stored part of an unverified callback', () => {
  it('stores no secrets of unverified callbacks, even if a secret is cut', async () => {
    const { send, flush, list } = await start();
    await send(forged(`${'x'.repeat(maxBody - canary.length + 2)}${canary}${'y'.repeat(9_000)}`));
    await flush();
    const [cut] = (await list()).map(({ body }) => new TextDecoder().decode(body));
    expect(cut).toHaveLength(maxBody);
    expect(cut?.replaceAll('x', '')).toBe('[secret 2]'.slice(0, canary.length - 2));
  });

  it.each([0, 1, 5, 9, 10])('stores no secret that begins %i bytes before the end', (distance) => {
    const { conceal } = createConcealment([canary]);
    const body = bytesOf(`${'x'.repeat(20 - distance)}${canary}${'y'.repeat(50)}`);
    const kept = new TextDecoder().decode(conceal({ headers: {}, body }, 20).body);
    expect(kept).toBe(`${'x'.repeat(20 - distance)}[secret 2]${'y'.repeat(50)}`.slice(0, 20));
  });

  it('stores all other bytes as the client sent them', () => {
    const all = Uint8Array.from({ length: 1_024 }, (_, index) => index & 255);
    const { conceal, reveal } = createConcealment([canary, 'é€']);
    expect(conceal({ headers: {}, body: all }).body).toEqual(all);
    const body = new Uint8Array([...all, ...bytesOf(`${canary}é€`), ...all, ...bytesOf(canary)]);
    const concealed = conceal({ headers: {}, body });
    expect(new TextDecoder().decode(concealed.body)).not.toMatch(/can|é/);
    expect(reveal(concealed).body).toEqual(body);
  });

  it('searches only the stored part for secrets', async () => {
    let searched = 0;
    const unverified = createUnverifiedCallbacks({
      store: {
        listUnverified: async () => [],
        findProvenSenders: async () => [],
        pruneUnverified: async () => ({ done: true }),
      },
      ...{
        monotonicClock: () => 0,
        countServers: () => 1,
        count: () => {},
        report: () => {},
      },
      conceal(_provider, request) {
        searched += 1;
        return request;
      },
    });
    for (let count = 0; count < 1_000; count += 1)
      unverified.note({
        ...{
          callbackId: `cb_${count}`,
          provider: 'paygate',
          receivedAt: count,
          address: `203.0.113.${count % 25}`,
        },
        ...{ headers: {}, body: new Uint8Array(64_000), outcome: 'rejected', reason: 'R' },
      });
    await unverified.flush();
    expect(searched).toBe(100);
  });

  it('stores every callback of a provider within its limit, even among many callbacks of strangers in one second', async () => {
    const { send, flush, list } = await start();
    for (let count = 0; count < 20; count += 1) await send(forged(`{"sent":${count}}`), provider);
    for (let count = 0; count < 80; count += 1) await send(forged(), `203.0.113.${count}`);
    await flush();
    expect((await list()).filter(({ address }) => address === provider)).toHaveLength(20);
    // When there are too many, all make room alike.
    for (let count = 0; count < 20; count += 1) await send(forged(`{"sent":${count}}`), provider);
    for (let count = 0; count < 99; count += 1) await send(forged(), `198.51.101.${count}`);
    await flush();
    const after = (await list()).filter(({ address }) => address === provider).length - 20;
    expect(after).toBeGreaterThan(0);
    const texts = (await list()).map(({ body }) => new TextDecoder().decode(body));
    // The last one within the limit, twice: of the first and of the second batch.
    expect(texts.filter((text) => text === '{"sent":9}')).toHaveLength(2);
  });

  it('stores the headers that providers send, and only a few others', async () => {
    const { send, flush, list } = await start();
    const many = Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [`x-${index}`, 'v'.repeat(150)]),
    );
    await send({
      headers: { ...many, 'x-long': 'v'.repeat(9_000), 'x-test-signature': 's'.repeat(128) },
      body: bytesOf('{}'),
    });
    await flush();
    const [kept] = await list();
    expect(kept?.headers['x-test-signature']).toHaveLength(128);
    expect(JSON.stringify(kept?.headers).length).toBeLessThan(5_000);
  });

  it('allows a replay only of a complete callback', async () => {
    const { engine, store, list, flush, send } = await start();
    await send(forged('f'.repeat(9_000)));
    await flush();
    const [cut] = await list();
    expect(cut).toMatchObject({ sentBytes: 9_000 });
    await store.requestReplay(cut?.callbackId ?? '');
    await engine.dueWork.run();
    const replayed = async () => store.findCallback(cut?.callbackId ?? '');
    await expect.poll(async () => (await replayed())?.attempts).toBe(2);
    expect(await replayed()).toMatchObject({
      outcome: 'rejected',
      reason: "Only the first 6144 of its 9000 bytes were stored, so the server can't verify it again.",
    });
  });
});

describe('the space for unverified callbacks', () => {
  let count = 0;
  const callback = (over: Partial<UnverifiedCallback> = {}): UnverifiedCallback => {
    count += 1;
    return {
      ...{ callbackId: `cb_${String(count).padStart(6, '0')}`, provider: 'paygate', receivedAt: count },
      ...{ address: stranger, outcome: 'rejected', reason: 'R' },
      ...over,
    };
  };
  const many = (length: number, over: (index: number) => Partial<UnverifiedCallback> = () => ({})) =>
    Array.from({ length }, (_, index) => callback(over(index)));

  const idsOf = (callbacks: readonly UnverifiedCallback[]): ReadonlySet<string> =>
    new Set(callbacks.map(({ callbackId }) => callbackId));

  it('divides the space equally between kinds, and keeps the newest callbacks of each kind', () => {
    const few = many(40, () => ({ address: '198.51.100.1' }));
    const other = many(40, () => ({ reason: 'S' }));
    const flood = many(3_000);
    const kept = [...few, ...other, ...flood.slice(3_000 - (maxKept - 80))];
    expect(idsThatStay([...few, ...flood, ...other], nobody)).toEqual(idsOf(kept));
  });

  it('counts all addresses of an IPv6 network as one address', () => {
    const [mine] = many(1, () => ({ address: '2001:db8:1::1' }));
    const network = many(2_000, (index) => ({ address: `2001:db8:2::${index.toString(16)}` }));
    const stay = idsThatStay([...(mine ? [mine] : []), ...network], nobody);
    expect(stay.has(mine?.callbackId ?? '')).toBe(true);
    expect(stay.size).toBe(maxKept);
  });

  it('has separate space for each outcome, and for addresses with verified callbacks', () => {
    const proven = many(5, () => ({ address: provider }));
    const ignored = many(5, () => ({ outcome: 'ignored' }));
    const strangers = many(5_000, (index) => ({ address: `10.0.${index >> 8}.${index & 255}` }));
    const kept = [...proven, ...ignored, ...strangers.slice(-maxKept)];
    expect(idsThatStay([...proven, ...ignored, ...strangers], new Set([provider]))).toEqual(idsOf(kept));
  });
});
