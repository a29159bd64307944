import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addressOf, openGame } from './helpers/dialects.ts';
import { inDrawer, shopForTests } from './helpers/shop.ts';
import { buy, expectSound, fillCheckout, heading, orderIdOf, placeOrder, says } from './helpers/visitor.ts';

const tools = shopForTests('mock', { width: 360, height: 740 });
const { shop, visit } = tools;

describe('on a service with interface-only', () => {
  it('shows the game, and says that it cannot be ordered here', async () => {
    const page = await openGame(tools, 'interface-only');
    await says(page, 'Game ini belum bisa dipesan di sini.');
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Beli sekarang' }).count()).toBe(0);
    await expectSound(page);
    await page.getByRole('link', { name: 'Tampilkan semua game' }).click();
    await says(page, 'Sedang populer');
  });

  it('shows how to pay an order of this device, and says that it cannot be followed', async () => {
    const page = await visit();
    const orderId = await placeOrder(page, shop());
    await page.goto(`${shop().url}${addressOf('interface-only', `#/pay/${orderId}`)}`);
    await says(page, 'Rp 22.000');
    await says(page, 'Status pesanan ini tidak bisa kami ikuti dari sini.');
    expect(await page.getByText('Menunggu pembayaranmu.').count()).toBe(0);
    await page.getByRole('link', { name: 'Lihat invoice' }).click();
    await says(page, '12345678 (2012)');
    await says(page, 'Status pesanan ini tidak bisa kami ikuti dari sini.');
    expect(await page.getByText('Sukses').count()).toBe(0);
    await expectSound(page);
  });
});
describe('on a service with other statuses', () => {
  it('shows the states as they are told, and claims no success', async () => {
    const page = await openGame(tools, 'other statuses');
    await fillCheckout(page);
    await buy(page);
    await heading(page, 'Selesaikan pembayaran');
    await shop().happen(page, orderIdOf(page), 'pay');
    await says(page, 'SETTLED / Processing');
    await says(page, 'SETTLED / Success');
    await says(page, 'Sedang diperiksa');
    expect(await page.getByText('Pesanan sudah masuk ke akunmu.').count()).toBe(0);
    expect(await page.locator('.progress-done').count()).toBe(1);
  });
});

/** Loses what the service answers to orders, for as long as the page lives. */
const loseAnswers = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const { fetch } = window;
    window.fetch = async (...asked) => {
      const answer = await fetch(...asked);
      if (answer.url.endsWith('/order')) throw new TypeError('the connection broke');
      return answer;
    };
  });

/** How many orders the service has, as its sandbox knows them. */
async function ordersMade(page: Page): Promise<number> {
  const text = await page.evaluate(() => {
    dispatchEvent(new Event('pagehide'));
    return sessionStorage.getItem('kilat:sandbox') ?? '';
  });
  const { steps }: { steps: { kind: string }[] } = JSON.parse(text);
  return steps.filter(({ kind }) => kind === 'order').length;
}

describe('an order whose answer was lost', () => {
  it('is not sent again by itself, by hand or after a reload where keys are ignored', async () => {
    const page = await openGame(tools, 'idempotency ignored');
    await fillCheckout(page);
    await loseAnswers(page);
    await buy(page);
    await says(page, 'Kami belum tahu apakah pesananmu dibuat. Hubungi kami dulu');
    await expectSound(page);
    await buy(page);
    expect(await ordersMade(page)).toBe(1);
    await page.reload();
    await heading(page, 'Mobile Legends: Bang Bang');
    await buy(page);
    await says(page, 'Kami belum tahu apakah pesananmu dibuat. Hubungi kami dulu');
    expect(await ordersMade(page)).toBe(1);
  });

  it('is sent again where keys are ignored once the visitor says that there is none', async () => {
    const page = await openGame(tools, 'idempotency ignored');
    await fillCheckout(page);
    await inDrawer(page, (drawer) => drawer.getByRole('checkbox', { name: 'offline' }).check());
    await buy(page);
    await says(page, 'Kami belum tahu apakah pesananmu dibuat. Hubungi kami dulu');
    await inDrawer(page, (drawer) => drawer.getByRole('checkbox', { name: 'offline' }).uncheck());
    await page.getByRole('button', { name: 'Sudah dipastikan belum dibuat: pesan lagi' }).click();
    await heading(page, 'Selesaikan pembayaran');
    expect(await ordersMade(page)).toBe(1);
  });
});

it('a dialect that there is not says which there are', async () => {
  const page = await visit('?dialect=klingon');
  await heading(page, 'There is no dialect “klingon”');
  await expectSound(page);
  await page.getByRole('link', { name: 'other statuses' }).click();
  await says(page, 'Sedang populer');
});
