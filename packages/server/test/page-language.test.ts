import { expect, it } from 'vitest';
import { placeOrder } from './helpers/orders.ts';
import { startSandbox } from './helpers/sandbox.ts';

/** A page as text, in the language that a browser asks for. */
async function pageIn(url: string, language?: string, method = 'GET') {
  const response = await fetch(url, {
    method,
    headers: {
      ...(language !== undefined && { 'Accept-Language': language }),
      'Sec-Fetch-Site': 'cross-site',
    },
  });
  const { status, headers } = response;
  const said = [headers.get('Content-Language'), headers.get('Vary')];
  return { status, said, text: await response.text() };
}

it("shows texts, amounts and times of a payment page in the browser's language", async () => {
  await using server = await startSandbox();
  const { payment_url } = await placeOrder(server);
  const english = await pageIn(payment_url, 'en-US,en;q=0.9');
  expect(english.said).toEqual(['en', 'Accept-Language']);
  for (const shown of ['<html lang="en">', 'Waiting for payment', 'Rp 40,000', 'Western Indonesia Time'])
    expect(english.text).toContain(shown);
  const own = await pageIn(payment_url, 'fr');
  expect(own.said).toEqual(['id', 'Accept-Language']);
  for (const shown of ['<html lang="id">', 'Menunggu pembayaran', 'Rp 40.000', 'WIB'])
    expect(own.text).toContain(shown);
});

it("shows the page of an unknown payment and a rejected button in the browser's language", async () => {
  await using server = await startSandbox({ TOPUP_LOCALE: 'en' });
  const { payment_url } = await placeOrder(server);
  const unknown = await pageIn(`${server.publicUrl}/pay/nothing`, 'id');
  expect([unknown.status, ...unknown.said]).toEqual([404, 'id', 'Accept-Language']);
  expect(unknown.text).toContain('Pembayaran tidak ditemukan');
  const rejected = await pageIn(`${payment_url}/pay`, 'id', 'POST');
  expect([rejected.status, ...rejected.said]).toEqual([403, 'id', 'Accept-Language']);
  expect(JSON.parse(rejected.text).message).toBe(
    'Hanya halaman pembayaran itu sendiri yang boleh melakukan ini.',
  );
});

it("sends the same list of games in every language, and tells caches that the language doesn't matter", async () => {
  await using server = await startSandbox();
  const list = async (language: string) => {
    const headers = { 'X-API-KEY': server.sandboxKey ?? '', 'Accept-Language': language };
    return fetch(`${server.baseUrl}/games`, { headers });
  };
  const [one, other] = await Promise.all([list('id'), list('en')]);
  expect(one.headers.get('Vary')).not.toContain('Accept-Language');
  expect(one.headers.get('Content-Language')).toBe(null);
  expect(await one.text()).toBe(await other.text());
});
