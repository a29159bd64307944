import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { useBrowser } from '../../../server/test/helpers/browser.ts';
import type { TopupMock } from '../../src/index.ts';
import { servePage } from './serve-page.ts';

const browser = useBrowser();

declare const mock: TopupMock;

const order = {
  ...{ id: '12345678', server: '2012', game: 'mobile-legends', product_id: 901, payment_method_id: 12 },
  whatsapp: '081234567890',
};

const isReady = (page: Page) => page.waitForFunction('globalThis.mock', undefined, { timeout: 30_000 });

async function reload(page: Page): Promise<void> {
  await page.reload();
  await isReady(page);
}

/** The state of an order, as the code of the page gets it by fetch. */
const stateOf = (page: Page, orderId: string): Promise<string> =>
  page.evaluate(async (id) => {
    const response = await fetch(`/api/invoice/${id}/payment-status`, {
      headers: { Accept: 'application/json', 'X-API-KEY': mock.apiKey },
    });
    const { data } = await response.json();
    return data ? `${data.payment_status} / ${data.buy_status}` : String(response.status);
  }, orderId);

/** A page with the mock, and what it warned of. */
async function openPage(url: string) {
  const { page } = await browser.open(url);
  const warnings: string[] = [];
  page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()));
  await isReady(page);
  return { page, warnings };
}

it('keeps the orders and the clock of a page when it reloads', async () => {
  await using served = await servePage('./persist-page.ts');
  const { page, warnings } = await openPage(served.url);
  const paid = await page.evaluate(
    async (input) => (await mock.orders.create(input, 'PAID / Gagal')).order_id,
    order,
  );
  const unpaid = await page.evaluate(async (input) => (await mock.orders.create(input)).order_id, order);
  await page.evaluate(() => mock.clock.advance('20m'));

  await reload(page);
  expect([await stateOf(page, paid), await stateOf(page, unpaid)]).toEqual([
    'PAID / Gagal',
    'UNPAID / Pending',
  ]);
  await page.evaluate(() => mock.clock.advance('11m'));
  expect(await stateOf(page, unpaid)).toBe('EXPIRED / Batal');

  await reload(page);
  expect(await stateOf(page, unpaid)).toBe('EXPIRED / Batal');
  await page.evaluate(() => mock.reset());
  await reload(page);
  expect(await stateOf(page, paid)).toBe('404');
  expect(warnings).toEqual([]);
});

it("drops a stored state that it can't read, and warns once", async () => {
  await using served = await servePage('./persist-page.ts');
  const { page, warnings } = await openPage(served.url);
  // After the page has kept its own.
  await page.evaluate(() => {
    addEventListener('pagehide', () => {
      const [key = ''] = Object.keys(sessionStorage);
      sessionStorage.setItem(key, '{"format":"topup-kit/snapshot@99"}');
    });
  });
  await reload(page);
  expect(warnings).toEqual([expect.stringContaining('were dropped')]);
  expect(warnings[0]).toContain('newer version of Topup Kit');
  await reload(page);
  expect(warnings).toHaveLength(1);
});
