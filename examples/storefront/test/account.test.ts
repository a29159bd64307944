import { expect, it } from 'vitest';
import { inDrawer, shopForTests } from './helpers/shop.ts';
import { expectAccessible, expectText } from './helpers/visitor.ts';

const { visit } = shopForTests('mock', { width: 360, height: 740 });

it("shows the account owner's name when the fields are complete, and reports an account without an owner", async () => {
  const page = await visit('#/games/mobile-legends');
  await page.getByLabel('User ID').fill('12345678');
  await page.getByLabel('Zone ID').fill('2012');
  await expectText(page, 'Akun: Player5678');
  await expectAccessible(page);
  await page.getByLabel('User ID').fill('900000005');
  await expectText(page, 'Akun ini tidak ditemukan. Periksa lagi datanya.');
  expect(await page.getByText('Akun: Player5678').count()).toBe(0);
  await expectAccessible(page);
});

it('shows no account owner if the service has no account check, and lets the visitor order', async () => {
  const page = await visit('#/games/mobile-legends');
  await inDrawer(page, (drawer) => drawer.getByRole('checkbox', { name: 'maintenance' }).check());
  await page.getByLabel('User ID').fill('12345678');
  await page.getByLabel('Zone ID').fill('2012');
  await page.waitForTimeout(1_500);
  expect(await page.getByText('Akun').allTextContents()).not.toContain('Akun: Player5678');
  expect(await page.locator('.step').first().locator('.problem').count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Beli sekarang' }).isEnabled()).toBe(true);
});
