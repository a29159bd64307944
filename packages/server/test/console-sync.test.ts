import { editCatalog, setMargin } from '@topup-kit/core/engine';
import { expect, it } from 'vitest';
import { hiddenFields, sameOrigin, startConsole, wordsOf } from './helpers/console.ts';

const english = { 'Accept-Language': 'en' };
const listedAlways = { stock: null, isOncePerDay: false, pause: null };

/** A live shop with a rule of 10 %, whose server does not sync by itself, and the costs of some products. */
async function startShop(costs: Record<string, number>) {
  const console = await startConsole({ TOPUP_SYNC_MINUTES: '0' });
  const { store, clock } = console;
  const rule = { percent: 1_000, flat: 0, minimum: 0, floor: 0, rounding: null };
  const edit = { store, realClock: () => clock.now, operator: 'rina' };
  await editCatalog(edit, 'margin set', setMargin({ scope: 'shop', key: '' }, rule));
  const products = Object.entries(costs).map(([code, price]) => ({
    ...{ code, price, isAvailable: true, ...listedAlways },
  }));
  await store.saveSupplierList({ supplier: 'real-supplier', readAt: clock.now, products });
  const cookie = await console.logIn();
  return {
    ...console,
    look: (path: string) => console.ask(path, { cookie, headers: english }),
    send: (path: string, form: Record<string, string>) =>
      console.ask(path, { method: 'POST', cookie, headers: { ...sameOrigin, ...english }, form }),
    async price(code: string) {
      const catalog = await store.readCatalog();
      return catalog?.games.flatMap(({ products }) => products).find((product) => product.code === code)
        ?.selling_price;
    },
  };
}

it('syncs from the alert of products below cost in two clicks, after a preview', async () => {
  // 12 % more than 20,000, of which a customer pays 22,000.
  await using shop = await startShop({ ML86: 22_400, ML172: 0 });
  const home = await shop.look('');
  expect(wordsOf(home)).toContain('1 product costs more than its price and is closed');
  const [, path = ''] =
    /href="\/console(\/catalog\/sync\/real-supplier[^"]*)">Sync prices/.exec(home.text) ?? [];
  const page = await shop.look(path);
  expect(wordsOf(page)).toMatch(/ML86 price Rp 22,000 Rp 24,640/);
  expect(wordsOf(page)).toMatch(/keep their price, .* ML172 \(listed at 0\)/);
  expect(page.text).toMatch(/href="\/console\/catalog\?state=loses[^"]*">Products that lose money/);
  expect(await shop.price('ML86')).toBe(22_000);
  const done = await shop.send(path, { ...hiddenFields(page), step: 'perform' });
  expect(done.status).toBe(303);
  expect([await shop.price('ML86'), await shop.price('ML172')]).toEqual([24_640, 43_800]);
  expect(wordsOf(await shop.look(''))).not.toContain('costs more than its price');
  expect(await shop.store.listCatalogEdits(1)).toMatchObject([{ by: 'Dewi', command: 'sync' }]);
  expect(wordsOf(await shop.look('/catalog/edits'))).toMatch(/Dewi sync 1/);
});

it('rejects a sync without a list from the last day, and changes no price', async () => {
  await using shop = await startShop({ ML86: 22_400 });
  for (const supplier of ['real-supplier', 'nobody']) {
    if (supplier === 'real-supplier') shop.clock.now += 25 * 3_600_000;
    const cookie = await shop.logIn();
    const page = await shop.ask(`/catalog/sync/${supplier}`, { cookie, headers: english });
    expect([page.status, wordsOf(page)]).toEqual([
      409,
      expect.stringContaining(`There is no list of ${supplier} from the last 24 hours.`),
    ]);
  }
  expect(await shop.price('ML86')).toBe(22_000);
});

it('marks and lists prices that are far above the price of their rule', async () => {
  await using shop = await startShop({ ML86: 18_000, ML172: 38_636 });
  // 22,000 is 11 % above 19,800; 42,500 is what the rule gives.
  expect(wordsOf(await shop.look('/catalog?q=ML86'))).toContain('11% above its rule');
  expect(wordsOf(await shop.look('/catalog?q=ML172'))).not.toContain('% above its rule');
  const listed = await shop.look('/catalog?state=dear');
  expect(listed.text).toContain('product-ML86');
  expect(listed.text).not.toContain('product-ML172');
});

it('explains in Indonesian why a list that shrank is distrusted', async () => {
  await using shop = await startShop({ ML86: 20_000, ML172: 38_000, A: 1_000, B: 1_000 });
  const path = '/catalog/sync/real-supplier';
  await shop.send(path, { ...hiddenFields(await shop.look(path)), step: 'perform' });
  const products = [{ ...{ code: 'ML86', price: 20_000, isAvailable: true }, ...listedAlways }];
  await shop.store.saveSupplierList({ supplier: 'real-supplier', readAt: shop.clock.now, products });
  const page = await shop.ask(path, { cookie: await shop.logIn(), headers: { 'Accept-Language': 'id' } });
  expect([page.status, wordsOf(page)]).toEqual([
    409,
    expect.stringContaining('Daftar real-supplier memuat 1 produk, padahal 4 saat harga terakhir dihitung.'),
  ]);
});
