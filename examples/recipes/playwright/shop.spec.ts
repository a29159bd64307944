import { expect } from '@playwright/test';
import { test } from './mock.ts';

test('the page shows the QR code and then the payment', async ({ page, mock }) => {
  await page.goto('/');
  await page.getByRole('button').click();
  const status = page.getByRole('status');
  await expect(status).toHaveText(/ is UNPAID$/);
  const isDrawn = (node: HTMLImageElement) => node.complete && node.naturalWidth > 0;
  await expect.poll(() => page.getByRole('img').evaluate(isDrawn)).toBe(true);

  const [orderId = ''] = (await status.textContent())?.split(' ') ?? [];
  await mock.orders.pay(orderId);

  await expect(status).toHaveText(/ is PAID$/);
});

test('the page shows that an order expired, without waiting for real time', async ({ page, mock }) => {
  await page.goto('/');
  await page.getByRole('button').click();
  await expect(page.getByRole('status')).toHaveText(/ is UNPAID$/);

  await mock.clock.advance('31m');

  await expect(page.getByRole('status')).toHaveText(/ is EXPIRED$/);
});

test('the page shows an error message from the service, and a lost connection', async ({ page, mock }) => {
  mock.scenarios.use('gateway-down');
  await page.goto('/');
  await page.getByRole('button').click();

  await expect(page.getByRole('status')).toHaveText('Gagal membuat transaksi pembayaran.');

  mock.scenarios.use('offline');
  await page.getByRole('button').click();

  await expect(page.getByRole('status')).toHaveText('No connection');
});
