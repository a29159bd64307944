import { expect, inject, it } from 'vitest';

const { baseUrl, apiKey } = inject('sandbox');
const headers = { 'X-API-KEY': apiKey, Accept: 'application/json', 'Content-Type': 'application/json' };
const order = {
  game: 'mobile-legends',
  product_id: 901,
  payment_method_id: 12,
  id: '12345678',
  server: '2012',
  whatsapp: '081234567890',
};

it('places an order, and the customer pays for it', async () => {
  const placed = await fetch(`${baseUrl}/order`, { method: 'POST', headers, body: JSON.stringify(order) });
  const { orderId } = await placed.json();
  const pay = new URL(`/sandbox/orders/${orderId}/pay`, baseUrl);
  expect((await fetch(pay, { method: 'POST', headers })).status).toBe(200);

  const read = await fetch(`${baseUrl}/invoice/${orderId}/payment-status`, { headers });
  expect((await read.json()).data.payment_status).toBe('PAID');
});
