import { expect, type Page } from '@playwright/test';
import { test } from './world.ts';

/** Orders on the page, and returns the id of the order. */
async function buy(page: Page): Promise<string> {
  await page.goto('/');
  await page.getByLabel('Player id').fill('12345678');
  await page.getByLabel('Server').fill('2012');
  await page.getByLabel('WhatsApp number').fill('081234567890');
  await page.getByRole('button').click();
  await page.waitForURL('**/orders/*');
  return page.url().split('/').at(-1) ?? '';
}

for (let number = 1; number <= 5; number += 1) {
  test(`a paid order is delivered (${number})`, async ({ page, control }) => {
    const orderId = await buy(page);
    await control(`/orders/${orderId}/pay`);
    await control('/advance', { by: '2s' });
    await page.reload();
    await expect(page.getByRole('status')).toHaveText('PAID Sukses');
  });

  test(`an unpaid order expires (${number})`, async ({ page, control }) => {
    await buy(page);
    await control('/advance', { by: '31m' });
    await page.reload();
    await expect(page.getByRole('status')).toHaveText('EXPIRED Batal');
  });

  test(`a service that is down shows its code (${number})`, async ({ page, control }) => {
    await page.goto('/');
    await control('/add-fault', { error: 'PAYMENT_FAILED', operation: 'createOrder' });
    await page.getByLabel('Player id').fill('12345678');
    await page.getByLabel('Server').fill('2012');
    await page.getByLabel('WhatsApp number').fill('081234567890');
    await page.getByRole('button').click();
    await expect(page.getByRole('alert').filter({ hasText: 'PAYMENT_FAILED' })).toBeVisible();
  });

  test(`an order waits for its payment (${number})`, async ({ page }) => {
    await buy(page);
    await expect(page.getByRole('status')).toHaveText('UNPAID Pending');
  });
}
