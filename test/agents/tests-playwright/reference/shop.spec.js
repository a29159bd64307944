import { test as base, expect } from '@playwright/test';
import { topupFixtures } from '@topup-kit/mock/playwright';

const test = base.extend(topupFixtures);

test('shows the QR code and the payment', async ({ page, mock }) => {
  await page.goto('/');
  await page.getByRole('button').click();
  const status = page.getByRole('status');
  await expect(status).toHaveText(/^INV-\d{14}-[A-Z0-9]{8} is UNPAID$/);
  await expect
    .poll(() => page.getByRole('img').evaluate((node) => node.complete && node.naturalWidth > 0))
    .toBe(true);
  const [orderId] = (await status.textContent()).split(' ');
  await mock.orders.pay(orderId);
  await expect(status).toHaveText(`${orderId} is PAID`);
});

test('shows that an order expired', async ({ page, mock }) => {
  await page.goto('/');
  await page.getByRole('button').click();
  await expect(page.getByRole('status')).toHaveText(/ is UNPAID$/);
  await mock.clock.advance('31m');
  await expect(page.getByRole('status')).toHaveText(/ is EXPIRED$/);
});

test('shows a message of the service, and a lost connection', async ({ page, mock }) => {
  mock.scenarios.use('gateway-down');
  await page.goto('/');
  await page.getByRole('button').click();
  await expect(page.getByRole('status')).toHaveText('Gagal membuat transaksi pembayaran.');
  mock.scenarios.use('offline');
  await page.getByRole('button').click();
  await expect(page.getByRole('status')).toHaveText('No connection');
});
