import { callbackOutcomes } from '@topup-kit/core/callback';
import { activityWords } from '@topup-kit/core/engine';
import { webhookStates } from '@topup-kit/core/store';
import { describe, expect, it } from 'vitest';
import type { RunningServer } from '../src/index.ts';
import { type Answer, ask, hiddenFields, sameOrigin, wordsOf } from './helpers/console.ts';
import { happen, placeOrder } from './helpers/orders.ts';
import { startSandbox } from './helpers/sandbox.ts';

const indonesian = { 'Accept-Language': 'id' };

const look = (server: RunningServer, path: string): Promise<Answer> =>
  ask(server.consoleUrl + path, { headers: indonesian });

/** Why an action can't be done: there is no form for it, or its form says why when it is sent. */
async function check(server: RunningServer, path: string, fields: Record<string, string>): Promise<string> {
  const seen = await look(server, path);
  const form = { ...hiddenFields(seen), note: 'dicoba', ...fields };
  const headers = { ...sameOrigin, ...indonesian };
  const page =
    seen.status === 409 ? seen : await ask(server.consoleUrl + path, { method: 'POST', headers, form });
  expect(page.status).toBe(409);
  return wordsOf(page);
}

async function story(server: RunningServer, actions: readonly string[]): Promise<string> {
  const order = await placeOrder(server, { promo_code: undefined });
  for (const action of actions) expect((await happen(server, order, action)).status).toBe(200);
  return `/orders/${order.order_id}`;
}

describe('a form in Indonesian says why nothing was done', () => {
  it.each([
    [
      ['pay'],
      'retry',
      {},
      'Tidak ada barang yang gagal, jadi tidak ada yang perlu dikirim ulang: server menanyakan barang 1, 2',
    ],
    [
      ['pay', 'lose-delivery'],
      'retry',
      {},
      'Tidak diketahui apakah pemasok sudah mengirim, jadi jika dikirim ulang, pesanan bisa terkirim dua kali: barang 1, 2.',
    ],
    [
      ['pay', 'fail-delivery', 'contradict-delivery'],
      'retry',
      {},
      'Pemasok melaporkan pengiriman setelah pengirimannya gagal: barang 1, 2. Cari tahu di pemasok',
    ],
    [
      ['pay', 'fail-delivery', 'contradict-delivery'],
      'refund',
      { all: 'owed' },
      'Laporan pemasok saling bertentangan',
    ],
    [
      ['pay', 'lose-delivery'],
      'refund',
      { all: 'owed' },
      'Pemasok mungkin sudah mengirim pesanan ini: barang 1, 2.',
    ],
    [
      ['pay', 'deliver'],
      'mark',
      { outcome: 'delivered' },
      'Semua barang pesanan ini sudah ditandai terkirim.',
    ],
    [['pay', 'fail-delivery'], 'mark', { outcome: 'failed', unit: '2' }, 'Barang 2 sudah ditandai gagal.'],
    [
      ['pay', 'deliver'],
      'mark',
      { outcome: 'failed', unit: '9' },
      'Pesanan ini tidak punya barang 9: barangnya bernomor 1 sampai 2.',
    ],
  ])(
    'explains in Indonesian why an order that is %j rejects an action: %s',
    async (actions, action, fields, sentence) => {
      await using server = await startSandbox();
      const path = await story(server, actions);
      expect(await check(server, `${path}/${action}`, fields)).toContain(sentence);
    },
  );

  it('explains in Indonesian why an edit of the catalogue is rejected', async () => {
    await using server = await startSandbox();
    const perform = async (path: string, fields: Record<string, string>): Promise<void> => {
      const form = { ...hiddenFields(await look(server, path)), note: 'dicoba', step: 'perform', ...fields };
      await ask(server.consoleUrl + path, { method: 'POST', headers: sameOrigin, form });
    };
    expect(await check(server, '/catalog/products/NOPE/lock', {})).toContain(
      'Katalog tidak punya produk NOPE.',
    );
    expect(await check(server, '/catalog/games/nope/close', {})).toContain('Katalog tidak punya game nope.');
    await perform('/catalog/products/ML86/set-price', { price: '23000' });
    await perform('/catalog/products/ML86/set-price', { price: '24000' });
    expect(await check(server, '/catalog/edits/1/undo', {})).toContain(
      'Setelah perubahan 1, perubahan lain mengubah harga ML86.',
    );
  });
});

describe('chips in Indonesian', () => {
  it.each([
    ['/events', 'outcome', callbackOutcomes],
    ['/events/webhooks', 'state', webhookStates],
  ] as const)('shows no internal name of a state in Indonesian on %s', async (path, name, states) => {
    await using server = await startSandbox();
    const { text } = await look(server, path);
    for (const state of states) {
      const [, shown] = new RegExp(`${name}=${state}"[^>]*>([^<]+)<`).exec(text) ?? [];
      expect(shown).not.toBe(undefined);
      expect(shown).not.toBe(state);
    }
  });
});

describe('a page in Indonesian uses the words of shops', () => {
  it('uses the words of shops for the states of orders', async () => {
    await using server = await startSandbox();
    await story(server, []);
    const owing = await story(server, ['pay', 'fail-delivery']);
    const form = { ...hiddenFields(await look(server, `${owing}/refund`)), note: 'kosong', all: 'owed' };
    const headers = { ...sameOrigin, ...indonesian };
    await ask(`${server.consoleUrl}${owing}/refund`, { method: 'POST', headers, form });
    const orders = wordsOf(await look(server, '/orders'));
    expect(orders).toContain('Refund belum dibayar');
    expect(orders.match(/Menunggu pembayaran/g)).toHaveLength(2);
    expect(orders).not.toContain('Menunggu bayar');
  });

  it('uses the words of shops for the headings of lists', async () => {
    await using server = await startSandbox();
    for (const path of ['/catalog', '/catalog/promos', '/catalog/methods']) {
      const words = wordsOf(await look(server, path));
      expect([path, words.includes('Status'), words.includes('Keadaan')]).toEqual([path, true, false]);
    }
  });

  it.each([
    ['order.settled', 'Mencatat pembayaran ke pesanan'],
    ['order.failed', 'Menutup pesanan yang ditinggalkan'],
  ])('uses the words of shops for the activity %s', (action, words) => {
    expect(activityWords(action).id).toBe(words);
  });
});
