import { afterEach, describe, expect, it, vi } from 'vitest';
import type { RemoteGateway } from '../src/gateway/index.ts';
import { sandboxCatalog } from '../src/sandbox/index.ts';
import type { Payment, Store } from '../src/store/index.ts';
import { createTestService, fixtureOrder } from './helpers/test-service.ts';

const minute = 60_000;
const never = new Promise<never>(() => {});

const paymentOf = (orderId: string): Payment => ({
  reference: `remote-${orderId}`,
  code: '123',
  url: 'https://gateway.example/pay',
  qrString: null,
});

/** A gateway behind a network with the given behaviour. */
const gatewayThat = (behaviour: Partial<RemoteGateway>): RemoteGateway => ({
  kind: 'remote',
  name: 'remote',
  sandbox: true,
  createPayment: async ({ orderId }) => paymentOf(orderId),
  findPayment: async () => null,
  ...behaviour,
});

const down = () => Promise.reject(new Error('gateway down'));

/** The sandbox catalogue with a quota of one for RAMADAN10. */
function catalogWithSingleUse() {
  const catalog = sandboxCatalog();
  const promo = catalog.promos.find(({ code }) => code === 'RAMADAN10');
  if (!promo) throw new Error('no RAMADAN10');
  return { ...catalog, promos: [{ ...promo, quota: 1 }] };
}

const keyed = { headers: { 'Idempotency-Key': 'k' } };

const start = (gateway: Partial<RemoteGateway>, options: Parameters<typeof createTestService>[0] = {}) =>
  createTestService({ gateway: gatewayThat(gateway), catalog: catalogWithSingleUse(), ...options });

afterEach(() => {
  vi.useRealTimers();
});

describe('an order over a gateway that does I/O', () => {
  it('is created with the payment of the gateway', async () => {
    const { order, get } = await start({});
    const { status, json } = await order();
    expect(status).toBe(201);
    expect(json.data.payment_reference).toBe(`remote-${json.orderId}`);
    expect((await get(`/invoice/${json.orderId}`)).status).toBe(200);
  });

  it('is not visible while the gateway is asked, and keeps what it claimed', async () => {
    const gateway = Promise.withResolvers<Payment>();
    const asked = Promise.withResolvers<string>();
    const { order, get, store } = await start({
      createPayment({ orderId }) {
        asked.resolve(orderId);
        return gateway.promise;
      },
    });
    const first = order(fixtureOrder, keyed);
    const orderId = await asked.promise;
    expect((await get(`/invoice/${orderId}`)).status).toBe(404);
    expect((await store.countPromoUses('RAMADAN10', '')).total).toBe(1);
    expect((await order()).headers.get('X-Error-Code')).toBe('PROMO_QUOTA');
    const second = await order(fixtureOrder, keyed);
    expect(second.status).toBe(409);
    expect(second.headers.get('X-Error-Code')).toBe('IDEMPOTENCY_IN_FLIGHT');
    expect(second.headers.get('Retry-After')).toBe('1');
    gateway.resolve(paymentOf(orderId));
    expect((await first).status).toBe(201);
    expect((await order(fixtureOrder, keyed)).text).toBe((await first).text);
  });
});

describe('a gateway that fails', () => {
  it('leaves nothing in the store when it created no payment', async () => {
    const { order, store } = await start({ createPayment: down });
    const failed = await order(fixtureOrder, keyed);
    expect(failed.status).toBe(500);
    expect(failed.json).toEqual({ success: false, message: 'Gagal membuat transaksi pembayaran.' });
    expect(await store.findReservedOrders(10)).toEqual([]);
    expect((await store.countPromoUses('RAMADAN10', '')).total).toBe(0);
    expect(await store.findIdempotentResponse('sandbox', 'k', 0)).toBeNull();
  });

  it('does not lose a payment whose response was lost', async () => {
    const { order, get } = await start({
      createPayment: down,
      findPayment: async (orderId) => paymentOf(orderId),
    });
    const created = await order(fixtureOrder, keyed);
    expect(created.status).toBe(201);
    expect((await get(`/invoice/${created.json.orderId}`)).status).toBe(200);
    expect((await order(fixtureOrder, keyed)).text).toBe(created.text);
  });

  it('leaves the order reserved while it is unreachable, and the order is recovered later', async () => {
    let gateway: 'down' | 'up' = 'down';
    const { order, store, clock, engine } = await start({
      createPayment: down,
      findPayment: async (orderId) => (gateway === 'down' ? down() : paymentOf(orderId)),
    });
    expect((await order(fixtureOrder, keyed)).status).toBe(500);
    expect(await store.findReservedOrders(10)).toHaveLength(1);
    gateway = 'up';
    clock.now += minute;
    await engine.dueWork.run();
    expect(await store.findReservedOrders(10)).toEqual([]);
    const replayed = await order(fixtureOrder, keyed);
    expect(replayed.status).toBe(201);
    expect(replayed.headers.get('Idempotency-Replayed')).toBe('true');
    expect((await store.countPromoUses('RAMADAN10', '')).total).toBe(1);
  });
});

describe('a gateway that hangs', () => {
  it('times out after ten seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const asked = Promise.withResolvers<void>();
    const { order, store } = await start({
      createPayment() {
        asked.resolve();
        return never;
      },
    });
    const response = order();
    await asked.promise;
    await vi.advanceTimersByTimeAsync(10_000);
    expect((await response).status).toBe(500);
    expect(await store.findReservedOrders(10)).toEqual([]);
  });

  it('times out again when it is asked for the payment', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const asked = Promise.withResolvers<void>();
    const { order, store } = await start({
      createPayment() {
        asked.resolve();
        return never;
      },
      findPayment: () => never,
    });
    const response = order();
    await asked.promise;
    await vi.advanceTimersByTimeAsync(20_000);
    expect((await response).status).toBe(500);
    expect(await store.findReservedOrders(10)).toHaveLength(1);
  });
});

describe('a server that dies while an order is created', () => {
  /** Ends the process during a step, and starts a new server on its store half a minute later. */
  async function afterDeath(
    dying: Partial<RemoteGateway>,
    store: (real: Store) => Store,
    reborn: Partial<RemoteGateway>,
  ) {
    const reached = Promise.withResolvers<void>();
    const service = await start(
      {
        async createPayment({ orderId }, signal) {
          reached.resolve();
          return dying.createPayment ? dying.createPayment({ orderId } as never, signal) : paymentOf(orderId);
        },
      },
      { store: (real) => store(real) },
    );
    void service.order(fixtureOrder, keyed);
    await reached.promise;
    await new Promise((resolve) => setTimeout(resolve, 5));
    const next = await createTestService({ gateway: gatewayThat(reborn), after: service.store });
    next.clock.now = service.clock.now + minute;
    await next.engine.dueWork.run();
    return next;
  }
  const same = (store: Store): Store => store;

  it('before the gateway created a payment: the order is abandoned, and all that it claimed is free', async () => {
    const { order, store } = await afterDeath({ createPayment: () => never }, same, {});
    expect(await store.findReservedOrders(10)).toEqual([]);
    expect((await store.countPromoUses('RAMADAN10', '')).total).toBe(0);
    const fresh = await order(fixtureOrder, keyed);
    expect(fresh.status).toBe(201);
    expect(fresh.headers.get('Idempotency-Replayed')).toBeNull();
  });

  it('after the gateway created a payment: the order is finalised, and its key replays the response', async () => {
    const { order, store } = await afterDeath({}, (real) => ({ ...real, finaliseOrder: () => never }), {
      findPayment: async (orderId) => paymentOf(orderId),
    });
    const [created] = await store.listOrders({ limit: 10 });
    const replayed = await order(fixtureOrder, keyed);
    expect(replayed.json.orderId).toBe(created?.orderId);
    expect(replayed.headers.get('Idempotency-Replayed')).toBe('true');
    expect(await store.listOrders({ limit: 10 })).toHaveLength(1);
  });

  it('does not affect an order whose request may still be in flight', async () => {
    const { store, engine, clock, order } = await start({ createPayment: () => never });
    void order();
    await expect.poll(() => store.findReservedOrders(10)).toHaveLength(1);
    clock.now += 29_000;
    await engine.dueWork.run();
    expect(await store.findReservedOrders(10)).toHaveLength(1);
  });
});

describe('a gateway that does no I/O', () => {
  it('needs one command of the store', async () => {
    const commands: string[] = [];
    const { order } = await createTestService({
      store: (real) =>
        new Proxy(real, {
          get(target, name: keyof Store) {
            if (/^(place|reserve|finalise|abandon|change)/.test(name)) commands.push(name);
            return target[name];
          },
        }),
    });
    expect((await order(fixtureOrder, keyed)).status).toBe(201);
    expect(commands).toEqual(['placeOrder']);
  });
});
