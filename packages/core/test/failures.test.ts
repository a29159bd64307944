import { describe, expect, it, vi } from 'vitest';
import { type Store, StoreError } from '../src/features/store.ts';
import { createTestService, fixtureOrder } from './helpers/test-service.ts';

describe('a gateway that fails', () => {
  it('responds with a 500 when a gateway fails, reports the cause, and stores nothing', async () => {
    const cause = new Error('the gateway burns');
    const { order, store, reported } = await createTestService({
      gateway: {
        kind: 'local',
        name: 'broken',
        sandbox: true,
        createPayment() {
          throw cause;
        },
      },
    });
    const response = await order(fixtureOrder, { headers: { 'Idempotency-Key': 'k' } });
    expect(response.status).toBe(500);
    expect(response.json).toEqual({ success: false, message: 'Gagal membuat transaksi pembayaran.' });
    expect(response.headers.get('X-Error-Code')).toBe('PAYMENT_FAILED');
    expect(reported).toEqual([cause]);
    expect(await store.countPromoUses('RAMADAN10', '')).toEqual({ total: 0, byCustomer: 0 });
    expect(await store.findIdempotentResponse('sandbox', 'k')).toBeNull();
  });
});

describe('a gateway without I/O that returns nonsense', () => {
  it('responds with a 500 when a gateway without I/O returns nonsense, and stores nothing', async () => {
    const { order, store, reported } = await createTestService({
      gateway: { kind: 'local', name: 'broken', sandbox: true, createPayment: () => ({ reference: '' }) },
    });
    expect((await order()).headers.get('X-Error-Code')).toBe('PAYMENT_FAILED');
    expect(String(reported[0])).toContain("gateway's createPayment returned an invalid result.reference");
    expect(await store.listOrders({ limit: 10 })).toEqual([]);
  });
});

describe('a store that fails', () => {
  const failing =
    (method: keyof Store) =>
    (store: Store): Store => ({
      ...store,
      [method]: () => Promise.reject(new Error('disk I/O error at sector 7')),
    });

  it("responds with a 500 when an order can't be saved", async () => {
    const { order, reported } = await createTestService({ store: failing('placeOrder') });
    const response = await order();
    expect(response.status).toBe(500);
    expect(response.json).toEqual({ success: false, message: 'Gagal menyimpan pesanan.' });
    expect(response.headers.get('X-Error-Code')).toBe('SAVE_FAILED');
    expect(String(reported[0])).toContain('sector 7');
  });

  it.each([
    [1, 'locked'],
    [null, 'SAVE_FAILED'],
  ])("passes on the store's delay before a retry: %s", async (retryAfter, message) => {
    class Locked extends StoreError {
      readonly retryAfter = retryAfter;
      readonly isReported = true;
    }
    const { engine } = await createTestService({
      store: (store) => ({ ...store, placeOrder: () => Promise.reject(new Locked('locked')) }),
    });
    const { promo_code: _promo, ...input } = fixtureOrder;
    const placing = engine.orders.place({ accountId: 'shop', input, idempotency: null });
    await expect(placing).rejects.toMatchObject({ message });
  });

  it('names the order in the error of a failing store', async () => {
    const { engine } = await createTestService({ store: failing('placeOrder') });
    const { promo_code: _promo, ...input } = fixtureOrder;
    const placing = engine.orders.place({ accountId: 'shop', input, idempotency: null });
    const orderId = expect.stringMatching(/^INV-\d{14}-[A-Z]{8}$/);
    await expect(placing).rejects.toMatchObject({ code: 'SAVE_FAILED', orderId });
  });

  it('responds with the general envelope on other routes, without the cause', async () => {
    const { get } = await createTestService({ store: failing('findOrder') });
    const response = await get('/invoice/INV-20260328100000-AAAAAAAA');
    expect(response.status).toBe(500);
    expect(response.json).toEqual({
      success: false,
      message: 'Terjadi kesalahan pada server.',
      error_code: 'SERVER_ERROR',
      errors: {},
    });
  });

  it('reports itself unhealthy when the store fails', async () => {
    const { app } = await createTestService({ store: failing('revision') });
    const response = await app.fetch(new Request('http://localhost/health'));
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ success: false, error_code: 'UNAVAILABLE' });
  });
});

describe('an order id or a payment reference that is taken', () => {
  it.each(['order_id_taken', 'reference_taken'] as const)(
    'replaces an order id or payment reference that is taken: %s',
    async (conflict) => {
      const tried: string[] = [];
      const { order, store } = await createTestService({
        store: (real) => ({
          ...real,
          async placeOrder(command) {
            tried.push(command.order.orderId);
            return tried.length < 3 ? { conflict } : real.placeOrder(command);
          },
        }),
      });
      const { status, json } = await order();
      expect(status).toBe(201);
      expect(new Set(tried).size).toBe(3);
      expect(json.orderId).toBe(tried[2]);
      expect(await store.findOrder(json.orderId)).not.toBeNull();
    },
  );
});

describe("the store's result when an order is saved", () => {
  it.each([
    ['order_id_taken', 'SAVE_FAILED', 5],
    ['reference_taken', 'SAVE_FAILED', 5],
    // Others used it up since it was checked.
    ['promo_exhausted', 'PROMO_QUOTA', 1],
    ['promo_used', 'PROMO_USED', 1],
  ] as const)('handles %s as %s, after %i attempts', async (conflict, code, tries) => {
    let tried = 0;
    const { order, reported } = await createTestService({
      store: (store) => ({
        ...store,
        async placeOrder() {
          tried += 1;
          return { conflict };
        },
      }),
    });
    expect((await order()).headers.get('X-Error-Code')).toBe(code);
    expect(tried).toBe(tries);
    const cause = 'Error: no free order id or payment reference in 5 attempts';
    expect(reported.map(String)).toEqual(code === 'SAVE_FAILED' ? [cause] : []);
  });

  it("checks the store's conflicts before the gateway is asked for a payment", async () => {
    const createPayment = vi.fn();
    const { order } = await createTestService({
      store: (store) => ({ ...store, reserveOrder: async () => ({ conflict: 'promo_exhausted' }) }),
      gateway: { kind: 'remote', name: 'remote', sandbox: true, createPayment, findPayment: createPayment },
    });
    expect((await order()).headers.get('X-Error-Code')).toBe('PROMO_QUOTA');
    expect(createPayment).not.toHaveBeenCalled();
  });
});

describe('messages', () => {
  it('writes English messages in an English service', async () => {
    const { order } = await createTestService({ settings: { locale: 'en' } });
    expect((await order()).json.message).toBe('The order was created.');
    expect((await order({ ...fixtureOrder, game: 'nothing' })).json.message).toBe('Game not found.');
    expect((await order({ ...fixtureOrder, promo_code: 'HEMAT5K', quantity: 1 })).json.message).toBe(
      'The minimum purchase of Rp 50,000 is not met.',
    );
  });
});
