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

it('a payment page is in the language of the browser: texts, amounts and times', async () => {
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

it('the page of an unknown payment and a rejected button are, too', async () => {
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

it('the list of games is the same bytes in every language, and says so to caches', async () => {
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
