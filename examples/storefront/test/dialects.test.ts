import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addressOf, openGame } from './helpers/dialects.ts';
import { inDrawer, shopForTests } from './helpers/shop.ts';
import {
  buy,
  expectAccessible,
  expectText,
  fillCheckout,
  heading,
  orderIdOf,
  placeOrder,
} from './helpers/visitor.ts';

const tools = shopForTests('mock', { width: 360, height: 740 });
const { shop, visit } = tools;

describe('on a service with interface-only', () => {
  it('shows the game, and that it cannot be ordered here', async () => {
    const page = await openGame(tools, 'interface-only');
    await expectText(page, 'Game ini belum bisa dipesan di sini.');
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Beli sekarang' }).count()).toBe(0);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Tampilkan semua game' }).click();
    await expectText(page, 'Sedang populer');
  });

  it('shows how to pay an order of this device, and that its status is not available', async () => {
    const page = await visit();
    const orderId = await placeOrder(page, shop());
    await page.goto(`${shop().url}${addressOf('interface-only', `#/pay/${orderId}`)}`);
    await expectText(page, 'Rp 22.000');
    await expectText(page, 'Status pesanan ini tidak bisa kami ikuti dari sini.');
    expect(await page.getByText('Menunggu pembayaranmu.').count()).toBe(0);
    await page.getByRole('link', { name: 'Lihat invoice' }).click();
    await expectText(page, '12345678 (2012)');
    await expectText(page, 'Status pesanan ini tidak bisa kami ikuti dari sini.');
    expect(await page.getByText('Sukses').count()).toBe(0);
    await expectAccessible(page);
  });
});
describe('on a service with other statuses', () => {
  it('shows the statuses that the service reports, and no success', async () => {
    const page = await openGame(tools, 'other statuses');
    await fillCheckout(page);
    await buy(page);
    await heading(page, 'Selesaikan pembayaran');
    await shop().act(page, orderIdOf(page), 'pay');
    await expectText(page, 'SETTLED / Processing');
    await expectText(page, 'SETTLED / Success');
    await expectText(page, 'Sedang diperiksa');
    expect(await page.getByText('Pesanan sudah masuk ke akunmu.').count()).toBe(0);
    expect(await page.locator('.progress-done').count()).toBe(1);
  });
});

/** Loses the responses to orders until the page is reloaded. */
const loseOrderResponses = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const { fetch } = window;
    window.fetch = async (...request) => {
      const response = await fetch(...request);
      if (response.url.endsWith('/order')) throw new TypeError('the connection broke');
      return response;
    };
  });

/** How many orders reached the service, according to the saved session of the sandbox. */
async function countOrders(page: Page): Promise<number> {
  const text = await page.evaluate(() => {
    dispatchEvent(new Event('pagehide'));
    return sessionStorage.getItem('kilat:sandbox') ?? '';
  });
  const { steps }: { steps: { kind: string }[] } = JSON.parse(text);
  return steps.filter(({ kind }) => kind === 'order').length;
}

describe('an order whose response was lost', () => {
  it('is not sent again where keys are ignored: not automatically, not by the visitor, not after a reload', async () => {
    const page = await openGame(tools, 'idempotency ignored');
    await fillCheckout(page);
    await loseOrderResponses(page);
    await buy(page);
    await expectText(page, 'Kami belum tahu apakah pesananmu dibuat. Hubungi kami dulu');
    await expectAccessible(page);
    await buy(page);
    expect(await countOrders(page)).toBe(1);
    await page.reload();
    await heading(page, 'Mobile Legends: Bang Bang');
    await buy(page);
    await expectText(page, 'Kami belum tahu apakah pesananmu dibuat. Hubungi kami dulu');
    expect(await countOrders(page)).toBe(1);
  });

  it('is sent again where keys are ignored after the visitor confirms that no order was placed', async () => {
    const page = await openGame(tools, 'idempotency ignored');
    await fillCheckout(page);
    await inDrawer(page, (drawer) => drawer.getByRole('checkbox', { name: 'offline' }).check());
    await buy(page);
    await expectText(page, 'Kami belum tahu apakah pesananmu dibuat. Hubungi kami dulu');
    await inDrawer(page, (drawer) => drawer.getByRole('checkbox', { name: 'offline' }).uncheck());
    await page.getByRole('button', { name: 'Sudah dipastikan belum dibuat: pesan lagi' }).click();
    await heading(page, 'Selesaikan pembayaran');
    expect(await countOrders(page)).toBe(1);
  });
});

it('an unknown dialect in the address shows the list of dialects', async () => {
  const page = await visit('?dialect=klingon');
  await heading(page, 'There is no dialect “klingon”');
  await expectAccessible(page);
  await page.getByRole('link', { name: 'other statuses' }).click();
  await expectText(page, 'Sedang populer');
});
