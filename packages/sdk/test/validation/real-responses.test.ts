import { createMockService } from '@topup-kit/mock';
import { describe, expect, it } from 'vitest';
import { findMismatch } from '../../src/validation/check-response.ts';

/** A service in this process, called without a client. */
function createService() {
  const { baseUrl, apiKey, fetch } = createMockService();
  const headers = { 'X-API-KEY': apiKey, 'Content-Type': 'application/json' };
  return async (path: string, body?: object) => {
    const init = body && { method: 'POST', body: JSON.stringify(body) };
    return (await fetch(baseUrl + path, { headers, ...init })).json();
  };
}

describe('the responses of a running service', () => {
  it('matches the contract for every game', async () => {
    const ask = createService();
    const list = await ask('/games');
    expect(findMismatch('listGames', list)).toBeUndefined();
    expect(list.games.length).toBeGreaterThan(10);
    for (const { slug } of list.games) {
      expect([slug, findMismatch('getGame', await ask(`/games/${slug}`))]).toEqual([slug, undefined]);
      expect([slug, findMismatch('getCheckout', await ask(`/order/${slug}`))]).toEqual([slug, undefined]);
    }
  });

  it('matches the contract for an order with every payment method', async () => {
    const ask = createService();
    const { game, paymentMethods } = await ask('/order/mobile-legends');
    const product_id = game.products.find((one: { selling_price: number }) => one.selling_price > 20_000).id;
    const target = { id: '12345678', server: '2012', game: game.slug, whatsapp: '081234567890' };
    const open = paymentMethods.filter((one: { status: boolean }) => one.status);
    expect(open.length).toBeGreaterThan(3);
    for (const { id: payment_method_id, code } of open) {
      const created = await ask('/order', { ...target, product_id, payment_method_id });
      const invoice = await ask(`/invoice/${created.orderId}`);
      const state = await ask(`/invoice/${created.orderId}/payment-status`);
      expect([code, findMismatch('createOrder', created)]).toEqual([code, undefined]);
      expect([code, findMismatch('getInvoice', invoice)]).toEqual([code, undefined]);
      expect([code, findMismatch('getPaymentStatus', state)]).toEqual([code, undefined]);
    }
  });

  it('matches the contract for a promo code', async () => {
    const body = { code: 'RAMADAN10', game_slug: 'mobile-legends', product_id: 901, payment_method_id: 12 };
    expect(findMismatch('validatePromo', await createService()('/promo/validate', body))).toBeUndefined();
  });
});
