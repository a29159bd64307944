import { expect, it } from 'vitest';
import { startLiveShop } from './helpers/live-shop.ts';
import { postOrder } from './helpers/orders.ts';

it("shows no buttons in live mode, and responds with 404 to their URLs and the gateway's reference", async () => {
  await using shop = await startLiveShop();
  const { server, key } = shop;
  const response = await postOrder(server.baseUrl, {}, { 'X-API-KEY': key });
  const { data } = await response.json();
  // 24 random letters and digits, which the gateway doesn't know.
  const [, page = '', reference] = /^(.*\/pay\/([A-Za-z0-9]{24}))\/qr\.svg$/.exec(data.qr_url) ?? [];
  expect(data.payment_reference).not.toContain(reference);
  const html = await (await fetch(page)).text();
  expect(html).toContain('Menunggu pembayaran');
  expect(html).not.toContain('<form');
  expect(html).not.toContain('Sandbox');
  expect(html).not.toContain('uji coba');
  for (const action of ['pay', 'fail', 'expire'])
    expect((await fetch(`${page}/${action}`, { method: 'POST' })).status).toBe(404);
  expect((await (await fetch(`${page}/status`)).json()).data.payment_status).toBe('UNPAID');
  expect((await fetch(data.qr_url)).headers.get('content-type')).toBe('image/svg+xml');
  expect(html).toContain(`${new URL(page).pathname}/qr.svg`);
  expect(html).not.toContain(`/pay/${data.payment_reference}`);

  const guessed = `${server.publicUrl}/pay/${data.payment_reference}`;
  const unknown = `${server.publicUrl}/pay/T0000000000000000`;
  for (const path of ['', '/status', '/qr.svg']) {
    const [found, missing] = [await fetch(guessed + path), await fetch(unknown + path)];
    const said = (await found.text()).replaceAll(data.payment_reference, 'T0000000000000000');
    expect([path, found.status, said]).toEqual([path, 404, await missing.text()]);
  }
});
