import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { advance, showsStatus, soon, useBrowser } from './helpers/browser.ts';
import { happen, placeOrder } from './helpers/orders.ts';

const { open, startSandbox } = useBrowser();

describe('the buttons of a sandbox', () => {
  it('changes an order to Sukses after a click on Pay, and stops asking for payment', async () => {
    await using server = await startSandbox();
    const { payment_url } = await placeOrder(server);
    // A click that leaves the page aborts a request in progress, and the browser logs that.
    const { page, complaints, hurryNext } = await open(payment_url, { hurried: false });
    await hurryNext();
    await page.getByRole('button', { name: 'Bayar' }).click();
    await showsStatus(page, 'Sudah dibayar, sedang diproses');
    expect(page.url()).toBe(payment_url);
    await advance(server, '5s');
    await showsStatus(page, 'Sukses');
    expect(await page.title()).toMatch(/^Sukses/);
    expect(await page.locator('.pay, form').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it.each([
    ['Fail', 'Payment failed'],
    ['Expire', 'Payment expired'],
  ])('lets the button %s change an order to: %s', async (button, words) => {
    await using server = await startSandbox({ TOPUP_LOCALE: 'en' });
    const { page } = await open((await placeOrder(server)).payment_url);
    await page.getByRole('button', { name: button }).click();
    await showsStatus(page, words);
    expect(await page.locator('.pay, form').count()).toBe(0);
  });

  it('works without JavaScript, and asks the customer to reload', async () => {
    await using server = await startSandbox({ TOPUP_LOCALE: 'en' });
    const order = await placeOrder(server, { payment_method_id: 13 });
    const { page, complaints } = await open(order.payment_url, { javaScriptEnabled: false });
    expect(await page.getByRole('button', { name: 'Copy code' }).isVisible()).toBe(false);
    expect(await page.getByText('Time left').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Pay' }).press('Enter');
    await page.getByText('Paid, being delivered').waitFor();
    await advance(server, '5s');
    await expect
      .poll(async () => {
        const reload = page.getByRole('link', { name: 'Reload' });
        if (await reload.isVisible()) await reload.click();
        return page.locator('.status strong').textContent();
      }, soon)
      .toBe('Delivered');
    expect(await page.getByRole('link', { name: 'Reload' }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('redirects a late click to the unchanged page', async () => {
    await using server = await startSandbox();
    const order = await placeOrder(server);
    await happen(server, order, 'fail');
    const response = await fetch(`${order.payment_url}/expire`, { method: 'POST', redirect: 'manual' });
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe(new URL(order.payment_url).pathname);
    expect(await (await fetch(order.payment_url)).text()).toContain('Pembayaran gagal');
  });

  it('rejects requests from another site, and requests for an unknown order', async () => {
    await using server = await startSandbox();
    const order = await placeOrder(server);
    for (const site of ['cross-site', 'same-site']) {
      const headers = { 'Sec-Fetch-Site': site };
      const response = await fetch(`${order.payment_url}/pay`, { method: 'POST', headers });
      expect(response.status).toBe(403);
      expect(response.headers.get('x-error-code')).toBe('FORBIDDEN');
    }
    expect((await (await fetch(`${order.payment_url}/status`)).json()).data.payment_status).toBe('UNPAID');
    expect((await fetch(`${server.publicUrl}/pay/SIM0/pay`, { method: 'POST' })).status).toBe(404);
    expect((await fetch(`${order.payment_url}/deliver`, { method: 'POST' })).status).toBe(404);
  });
});

/** A reverse proxy that removes a path prefix. */
async function startProxy(
  prefix: string,
): Promise<{ url: string; lead(to: string): void } & AsyncDisposable> {
  let target = '';
  const proxy = createServer((incoming, outgoing) => {
    const { url = '', method, headers } = incoming;
    if (!url.startsWith(`${prefix}/`)) return void outgoing.writeHead(404).end();
    incoming.pipe(
      request(target + url.slice(prefix.length), { method, headers }, (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(outgoing);
      }),
    );
  });
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
  // Safe: a server that listens on TCP has an address of this type.
  const { port } = proxy.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${prefix}`,
    lead: (to) => {
      target = to;
    },
    async [Symbol.asyncDispose]() {
      proxy.closeAllConnections();
      proxy.close();
    },
  };
}

describe('with a path in the public URL', () => {
  it("uses the public URL's path for the picture, the status and the buttons", async () => {
    await using proxy = await startProxy('/topup');
    await using server = await startSandbox({ TOPUP_PUBLIC_URL: proxy.url });
    proxy.lead(server.localUrl);
    const { payment_url } = await placeOrder(server);
    const { page, complaints, hurryNext } = await open(payment_url, { hurried: false });
    await hurryNext();
    expect(await page.evaluate("document.querySelector('img').naturalWidth > 0")).toBe(true);
    await page.getByRole('button', { name: 'Bayar' }).click();
    await showsStatus(page, 'Sudah dibayar, sedang diproses');
    await advance(server, '5s');
    await showsStatus(page, 'Sukses');
    expect(page.url()).toBe(payment_url);
    expect(complaints).toEqual([]);
  });
});
