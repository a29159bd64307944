import { refundOrder } from '@topup-kit/core/engine';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openStore } from '../src/index.ts';
import { advance, axeViolations, showsStatus, soon, useBrowser, widthsTooNarrow } from './helpers/browser.ts';
import { happen, placeOrder } from './helpers/orders.ts';
import { temporaryFolder } from './helpers/sandbox.ts';

const { open, startSandbox } = useBrowser();

const isSound = async (page: Page, complaints: string[]) => {
  expect(await axeViolations(page)).toEqual([]);
  expect(await widthsTooNarrow(page)).toEqual([]);
  expect(complaints).toEqual([]);
};

// Every `pnpm test` checks QRIS.
it.each([
  ['a virtual account', 13],
  ['a shop', 17],
  ['an e-wallet', 19],
  ['a bank transfer', 21],
])('shows the page for %s without accessibility violations', async (_, method) => {
  await using server = await startSandbox();
  const { payment_url } = await placeOrder(server, { payment_method_id: method });
  const { page, complaints } = await open(payment_url, { bypassCSP: true });
  await isSound(page, complaints);
});

describe('each state of an order', () => {
  const states: [string, string, object, string[]][] = [
    ['waiting', 'Menunggu pembayaran', {}, []],
    ['processing', 'Sudah dibayar, sedang diproses', { id: '900000004' }, ['pay']],
    ['delivered', 'Sukses', {}, ['pay', 'deliver']],
    ['failed', 'Pembayaran gagal', {}, ['fail']],
    ['expired', 'Waktu pembayaran habis', {}, ['expire']],
    ['undelivered', 'Pengiriman gagal', { id: '900000001' }, ['pay']],
  ];

  it.each(states)(
    'shows the texts of %s without accessibility violations',
    async (status, words, over, actions) => {
      await using server = await startSandbox();
      const order = await placeOrder(server, over);
      for (const action of actions) await happen(server, order, action);
      // The supplier rejects after two seconds.
      if (status === 'undelivered') await advance(server, '5s');
      const { page, complaints } = await open(order.payment_url, { bypassCSP: true });
      await showsStatus(page, words);
      expect(await page.getAttribute('main', 'data-status')).toBe(status);
      expect(await page.locator('.status svg').count()).toBe(1);
      await isSound(page, complaints);
    },
  );

  it('shows the texts of a refunded order without accessibility violations', async () => {
    await using folder = await temporaryFolder();
    const path = `${folder.path}/topup.db`;
    await using server = await startSandbox({ TOPUP_STORE: `file:${path}` });
    const order = await placeOrder(server, { id: '900000001' });
    await happen(server, order, 'pay');
    await advance(server, '5s');
    const read = async () => (await (await fetch(`${order.payment_url}/status`)).json()).data.buy_status;
    await expect.poll(read, soon).toBe('Gagal');
    const store = openStore({ kind: 'file', path });
    await refundOrder({ store, worldClock: Date.now, operator: 'ani' }, order.order_id);
    await store.close();
    const { page, complaints } = await open(order.payment_url, { bypassCSP: true });
    await showsStatus(page, 'Dana dikembalikan');
    await isSound(page, complaints);
  });
});
