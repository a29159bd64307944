import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Waits until a text is visible on the page. */
export const expectText = (page: Page, text: string | RegExp) =>
  page.getByText(text).filter({ visible: true }).first().waitFor();

/** The heading of the screen. */
export const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

/** Selects a card by its text. `force`, because the radio button itself is hidden. */
export const choose = (page: Page, name: string | RegExp) =>
  page.getByRole('radio', { name }).check({ force: true });

/** Fills in the checkout of Mobile Legends: 86 Diamond, and QRIS unless `method` names another. */
export async function fillCheckout(page: Page, { method = /^QRIS (Gratis|Free)/ } = {}) {
  await page.getByLabel('User ID').fill('12345678');
  await page.getByLabel('Zone ID').fill('2012');
  await choose(page, /^86 Diamond/);
  await choose(page, method);
  await page.getByLabel('Nomor WhatsApp').fill('081234567890');
}

export const buy = (page: Page) => page.getByRole('button', { name: 'Beli sekarang' }).click();

/** The id of the order whose screen this is. */
export const orderIdOf = (page: Page): string => decodeURIComponent(page.url().split('/').at(-1) ?? '');

/** Places the order of {@link fillCheckout}, and returns its id once the payment screen is shown. */
export async function placeOrder(page: Page, shop: { url: string }, options?: { method: RegExp }) {
  await page.goto(`${shop.url}#/games/mobile-legends`);
  await fillCheckout(page, options);
  await buy(page);
  await heading(page, 'Selesaikan pembayaran');
  return orderIdOf(page);
}

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Fails if axe finds a violation, or if the screen scrolls horizontally. */
export async function expectAccessible(page: Page): Promise<void> {
  if (!(await page.evaluate('"axe" in window'))) await page.addScriptTag({ path: axePath });
  const violations: { id: string; nodes: { html: string }[] }[] = await page.evaluate(
    'axe.run().then(({ violations }) => violations)',
  );
  expect(violations.map(({ id, nodes }) => `${id} ${nodes.map(({ html }) => html)}`)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
}
