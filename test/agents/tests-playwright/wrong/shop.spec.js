// Looks only at the first moment of an order.
import { test as base, expect } from '@playwright/test';
import { topupFixtures } from '@topup-kit/mock/playwright';

const test = base.extend(topupFixtures);

test('places an order', async ({ page, mock }) => {
  await page.goto('/');
  await page.getByRole('button').click();
  await expect(page.getByRole('status')).toHaveText(/ is UNPAID$/);
  expect(mock.requests.length).toBeGreaterThan(0);
});
