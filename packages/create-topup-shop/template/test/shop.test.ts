import { createMockService } from '@topup-kit/mock/in-process';
import { createTopupClient } from '@topup-kit/sdk';
import { beforeEach, expect, it } from 'vitest';
import { describeError, describeOrder, placeOrder } from '../src/shop.ts';

// The whole service, in this process: no server, no network.
const mock = createMockService({ locale: 'en' });
const client = createTopupClient({ baseUrl: mock.baseUrl, apiKey: mock.apiKey, fetch: mock.fetch });
beforeEach(() => mock.reset());

const cart = {
  game: 'mobile-legends',
  productId: 901,
  paymentMethodId: 12,
  account: { id: '12345678', server: '2012' },
  whatsapp: '081234567890',
};

/** What the customer reads about an order now. */
async function read(orderId: string): Promise<string> {
  const { data } = await client.invoices.paymentStatus(orderId);
  return describeOrder(data.payment_status, data.buy_status);
}

it('delivers an order after its payment', async () => {
  const { orderId, total } = await placeOrder(client, cart, 'cart-1');
  expect(total).toBe(22_000);
  expect(await read(orderId)).toBe('Waiting for your payment.');

  await mock.orders.pay(orderId);
  expect(await read(orderId)).toBe('Paid. Your credit is on its way.');

  await mock.clock.advance('2s');
  expect(await read(orderId)).toBe('Delivered. Have fun!');
});

it('says that the money is returned after a failed delivery', async () => {
  const { orderId } = await placeOrder(client, cart, 'cart-1');
  await mock.orders.pay(orderId);
  await mock.orders.failDelivery(orderId);

  expect(await read(orderId)).toBe('The delivery failed. We will pay your money back.');
});

it('places no second order for the same cart', async () => {
  const { orderId } = await placeOrder(client, cart, 'cart-1');

  expect((await placeOrder(client, cart, 'cart-1')).orderId).toBe(orderId);
});

it('shows the problem with a field', async () => {
  const wrong = { ...cart, whatsapp: '12' };
  const message = await placeOrder(client, wrong, 'cart-1').catch(describeError);

  expect(message).toMatch(/\w/);
  expect(mock.requests).toMatchObject([{ operation: 'createOrder', status: 422 }]);
});
