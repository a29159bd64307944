import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { journeys } from './helpers/journeys.ts';
import { shopForTests } from './helpers/shop.ts';
import { buy, fillCheckout, heading, orderIdOf, placeOrder, says } from './helpers/visitor.ts';

const tools = shopForTests('server', { width: 1280, height: 800 });
const { shop, visit } = tools;

journeys(tools);

it('an order whose answers were lost is the same order when it is placed again', async () => {
  const page = await visit('#/games/mobile-legends');
  const made = new Set<string>();
  let lost = 0;
  await page.route('**/api/topup/order', async (route) => {
    const answer = await route.fetch();
    made.add((await answer.json()).orderId);
    lost += 1;
    await route.abort();
  });
  await fillCheckout(page);
  await buy(page);
  await says(page, 'Kami belum tahu apakah pesananmu dibuat.');
  expect(lost).toBe(3);
  await page.unroute('**/api/topup/order');
  await buy(page);
  await heading(page, 'Selesaikan pembayaran');
  expect([...made]).toEqual([orderIdOf(page)]);
});

it('another browser sees how an order stands, and not whose it is', async () => {
  const page = await visit();
  const orderId = await placeOrder(page, shop());
  const other = await visit(`#/invoice/${orderId}`);
  await says(other, 'Menunggu pembayaran');
  await says(other, 'Rincian hanya terlihat di perangkat yang memesan.');
  const answer = await other.request.get(`${shop().url}api/topup/invoice/${orderId}`);
  expect(answer.status()).toBe(404);
});

it('a cookie that somebody wrote themselves opens no invoice', async () => {
  const page = await visit();
  const orderId = await placeOrder(page, shop());
  const cookie = (await page.context().cookies(`${shop().url}api/topup`)).find(
    ({ name }) => name === 'orders',
  );
  expect(cookie?.httpOnly).toBe(true);
  const ask = (value: string | undefined) =>
    fetch(`${shop().url}api/topup/invoice/${orderId}`, { headers: { Cookie: `orders=${value}` } });
  expect((await ask(cookie?.value)).status).toBe(200);
  expect((await ask(encodeURIComponent(`${orderId}.${'A'.repeat(43)}=`))).status).toBe(404);
});

it('nothing of the mock and no key is in what browsers load', async () => {
  const files = await readdir(shop().folder, { recursive: true, withFileTypes: true });
  const names = files.filter((file) => file.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  expect(names.filter((name) => name.includes('mockServiceWorker'))).toEqual([]);
  const texts = await Promise.all(names.map((name) => readFile(name, 'utf8')));
  expect(texts.join('\n')).not.toMatch(/tk_test_|createTopupMock|RAMADAN10/);
});
