import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { mainJourneys } from './helpers/journeys.ts';
import { shopForTests } from './helpers/shop.ts';
import { buy, expectText, fillCheckout, heading, orderIdOf, placeOrder } from './helpers/visitor.ts';

const tools = shopForTests('server', { width: 1280, height: 800 });
const { shop, visit } = tools;

mainJourneys(tools);

it('keeps one order when the visitor repeats an order with lost responses', async () => {
  const page = await visit('#/games/mobile-legends');
  const orderIds = new Set<string>();
  let lost = 0;
  await page.route('**/api/topup/order', async (route) => {
    const response = await route.fetch();
    orderIds.add((await response.json()).orderId);
    lost += 1;
    await route.abort();
  });
  await fillCheckout(page);
  await buy(page);
  await expectText(page, 'Kami belum tahu apakah pesananmu dibuat.');
  expect(lost).toBe(3);
  await page.unroute('**/api/topup/order');
  await buy(page);
  await heading(page, 'Selesaikan pembayaran');
  expect([...orderIds]).toEqual([orderIdOf(page)]);
});

it("shows an order's status in another browser, but nothing about the customer", async () => {
  const page = await visit();
  const orderId = await placeOrder(page, shop());
  const other = await visit(`#/invoice/${orderId}`);
  await expectText(other, 'Menunggu pembayaran');
  await expectText(other, 'Rincian hanya terlihat di perangkat yang memesan.');
  const response = await other.request.get(`${shop().url}api/topup/invoice/${orderId}`);
  expect(response.status()).toBe(404);
});

it('opens no invoice for a forged cookie', async () => {
  const page = await visit();
  const orderId = await placeOrder(page, shop());
  const cookie = (await page.context().cookies(`${shop().url}api/topup`)).find(
    ({ name }) => name === 'orders',
  );
  expect(cookie?.httpOnly).toBe(true);
  const requestInvoice = (value: string | undefined) =>
    fetch(`${shop().url}api/topup/invoice/${orderId}`, { headers: { Cookie: `orders=${value}` } });
  expect((await requestInvoice(cookie?.value)).status).toBe(200);
  expect((await requestInvoice(encodeURIComponent(`${orderId}.${'A'.repeat(43)}=`))).status).toBe(404);
});

it('serves pages without the mock and without a key', async () => {
  const files = await readdir(shop().folder, { recursive: true, withFileTypes: true });
  const names = files.filter((file) => file.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  expect(names.filter((name) => name.includes('mockServiceWorker'))).toEqual([]);
  const texts = await Promise.all(names.map((name) => readFile(name, 'utf8')));
  expect(texts.join('\n')).not.toMatch(/tk_test_|createTopupMock|RAMADAN10/);
});
