import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { interfaceOnlyDialect } from '@topup-kit/core/contract';
import { describe, expect, it } from 'vitest';
import { formats, keptSaid, keptStore } from './formats/formats.ts';
import { serveRecorded } from './formats/speak.ts';
import { axeViolations, showsStatus, useBrowser, widthsTooNarrow } from './helpers/browser.ts';
import { startLiveShop } from './helpers/live-shop.ts';
import { placeOrder, postOrder } from './helpers/orders.ts';
import { temporaryFolder } from './helpers/sandbox.ts';

const { open, startSandbox } = useBrowser();
const return_url = 'https://shop.example/orders/{order_id}';

describe('the way back to the shop', () => {
  it('shows a link to the shop before the payment and a button after it, with its target', async () => {
    await using server = await startSandbox({ TOPUP_LOCALE: 'en' });
    const order = await placeOrder(server, { return_url });
    const { page, complaints } = await open(order.payment_url, { bypassCSP: true });
    const back = page.getByRole('link', { name: 'Back to shop.example' });
    expect(await back.getAttribute('href')).toBe(`https://shop.example/orders/${order.order_id}`);
    expect(await back.getAttribute('class')).toBe('');
    // A form's own navigation would end what the page's script does: this is what it sees when the order changes elsewhere.
    await fetch(`${order.payment_url}/pay`, { method: 'POST', redirect: 'manual' });
    await showsStatus(page, 'Paid, being delivered');
    expect(await back.getAttribute('class')).toBe('button');
    expect(await axeViolations(page)).toEqual([]);
    expect(await widthsTooNarrow(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('uses the storefront setting if the order has no return URL', async () => {
    const settings = {
      TOPUP_LOCALE: 'en',
      TOPUP_SHOP_NAME: 'Toko Rina',
      TOPUP_SHOP_URL: 'https://rina.example',
    };
    await using server = await startSandbox(settings);
    const { page } = await open((await placeOrder(server)).payment_url);
    const back = page.getByRole('link', { name: 'Back to Toko Rina' });
    expect(await back.getAttribute('href')).toBe('https://rina.example');
    await page.goto((await placeOrder(server, { return_url })).payment_url);
    expect(await page.getByRole('link', { name: 'Back to' }).allTextContents()).toEqual([
      'Back to shop.example',
    ]);
  });

  it('returns the customer to the shop after a click on Pay', async () => {
    await using server = await startSandbox();
    const { payment_url, order_id } = await placeOrder(server, {
      return_url: `${server.publicUrl}/docs#{order_id}`,
    });
    const { page } = await open(payment_url);
    await page.getByRole('button', { name: 'Bayar' }).click();
    await page.getByRole('link', { name: `Kembali ke ${new URL(server.publicUrl).host}` }).click();
    await page.waitForURL(`${server.publicUrl}/docs#${order_id}`);
  });

  it('shows no link for an order without a return URL, or an order from an earlier version', async () => {
    await using server = await startSandbox();
    const page = await (await fetch((await placeOrder(server)).payment_url)).text();
    expect(page).not.toContain('Kembali ke');

    await using folder = await temporaryFolder();
    const path = join(folder.path, 'topup.db');
    const format = formats.find(({ name }) => name === 'sqlite-8');
    if (!format) throw new Error('no store of format 8 is kept');
    await writeFile(path, keptStore(format));
    const said = keptSaid(format);
    await using earlier = await serveRecorded(`file:${path}`, said);
    // Safe: this response was recorded with the store.
    const { data } = JSON.parse(said.placed[0]?.response ?? '') as { data: { payment_url: string } };
    const response = await fetch(earlier.localUrl + new URL(data.payment_url).pathname);
    expect([response.status, (await response.text()).includes('Kembali ke')]).toEqual([200, false]);
  });

  it('ignores a return URL in a service with only the interface', async () => {
    await using server = await startSandbox({}, { dialect: interfaceOnlyDialect });
    const place = (over: object) => postOrder(server.baseUrl, over, { Accept: 'application/json' });
    const response = await place({ return_url: 'javascript:alert(1)' });
    expect(response.status).toBe(201);
    const { data } = await response.json();
    expect(await (await fetch(data.payment_url)).text()).not.toContain('alert');
  });
});

describe('a live server', () => {
  /** The responses of a live server with these settings to orders with these return URLs. */
  async function placeEach(environment: Record<string, string>, urls: readonly string[]) {
    await using shop = await startLiveShop(environment);
    const found: [status: number, body: { errors?: unknown }][] = [];
    for (const url of urls) {
      const response = await postOrder(
        shop.server.baseUrl,
        { return_url: url },
        { 'X-API-KEY': shop.key, 'Accept-Language': 'en' },
      );
      found.push([response.status, await response.json()]);
    }
    return found;
  }

  const elsewhere = {
    return_url: ['The return url field must be a URL of a site that this service allows.'],
  };

  it("allows only the operator's origins in live mode", async () => {
    const placed = await placeEach({ TOPUP_RETURN_ORIGINS: 'https://shop.example,https://m.shop.example' }, [
      'https://shop.example/orders',
      'https://m.shop.example/{order_id}',
      'https://shop.example.evil.example/',
      'http://shop.example/',
    ]);
    expect(placed.map(([status, { errors }]) => [status, errors])).toEqual([
      [201, undefined],
      [201, undefined],
      [422, elsewhere],
      [422, elsewhere],
    ]);
  });

  it('allows no origins in live mode by default', async () => {
    const placed = await placeEach({}, ['https://shop.example/']);
    expect(placed.map(([status, { errors }]) => [status, errors])).toEqual([[422, elsewhere]]);
  });
});
