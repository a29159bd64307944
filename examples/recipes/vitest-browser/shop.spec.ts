import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { mock } from './mock.ts';
import { showOrder } from './shop.ts';

beforeEach(() =>
  showOrder(document.body, {
    game: 'mobile-legends',
    product_id: 901,
    payment_method_id: 12,
    id: '12345678',
    server: '2012',
    whatsapp: '081234567890',
  }),
);

const shown = () => page.getByRole('status').element().textContent;

test('the page shows the QR code and then the payment', async () => {
  await page.getByRole('button').click();
  await expect.poll(shown).toMatch(/ is UNPAID$/);
  const image = document.querySelector('img');
  await expect.poll(() => image?.complete && image.naturalWidth > 0).toBe(true);

  const [orderId = ''] = shown().split(' ');
  await mock.orders.pay(orderId);

  await expect.poll(shown).toMatch(/ is PAID$/);
});

test('the page shows that an order expired, without waiting for real time', async () => {
  await page.getByRole('button').click();
  await expect.poll(shown).toMatch(/ is UNPAID$/);

  await mock.clock.advance('31m');

  await expect.poll(shown).toMatch(/ is EXPIRED$/);
});

test('the page shows an error message from the service', async () => {
  mock.faults.add({ operation: 'createOrder', error: 'PAYMENT_FAILED', times: 1 });

  await page.getByRole('button').click();

  await expect.poll(shown).toMatch('Gagal membuat transaksi pembayaran.');
});
