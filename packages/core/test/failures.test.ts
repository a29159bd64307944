import { describe, expect, it } from 'vitest';
import type { Store } from '../src/store/index.ts';
import { createTestService, fixtureOrder } from './helpers/test-service.ts';

describe('a gateway that fails', () => {
  it('leads to a 500, its cause is reported, and nothing is stored', async () => {
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
    expect(await store.findIdempotentResponse('sandbox', 'k', 0)).toBeNull();
  });
});

describe('a gateway without I/O that returns nonsense', () => {
  it('leads to a 500, and nothing is stored', async () => {
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

  it('leads to a 500 when an order can not be saved', async () => {
    const { order, reported } = await createTestService({ store: failing('placeOrder') });
    const response = await order();
    expect(response.status).toBe(500);
    expect(response.json).toEqual({ success: false, message: 'Gagal menyimpan pesanan.' });
    expect(response.headers.get('X-Error-Code')).toBe('SAVE_FAILED');
    expect(String(reported[0])).toContain('sector 7');
  });

  it('leads to the general envelope on other routes, without the cause', async () => {
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

  it('makes the service unhealthy', async () => {
    const { app } = await createTestService({ store: failing('revision') });
    const response = await app.fetch(new Request('http://localhost/health'));
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ success: false, error_code: 'UNAVAILABLE' });
  });
});

describe('an order id or a payment reference that is taken', () => {
  it.each(['order_id_taken', 'reference_taken'] as const)('is replaced by another: %s', async (conflict) => {
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
  });
});

describe('messages', () => {
  it('are English when the locale is English', async () => {
    const { order } = await createTestService({ settings: { locale: 'en' } });
    expect((await order()).json.message).toBe('The order was created.');
    expect((await order({ ...fixtureOrder, game: 'nothing' })).json.message).toBe('Game not found.');
    expect((await order({ ...fixtureOrder, promo_code: 'HEMAT5K', quantity: 1 })).json.message).toBe(
      'The minimum purchase of Rp 50,000 is not met.',
    );
  });
});
