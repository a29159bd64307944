import { describe, expect, it } from 'vitest';
import { findBelowCost } from '../src/engine/index.ts';
import { sandboxCatalog } from '../src/sandbox/index.ts';
import type { Catalog, CatalogProduct } from '../src/store/index.ts';
import { createTestService, fixtureOrder } from './helpers/test-service.ts';

const start = Date.UTC(2026, 2, 28, 3);
const hour = 3_600_000;
const at = (moment: number): string => new Date(moment).toISOString();
const price = 22_000;
const sale = 15_000;

/** The sandbox's catalogue, 86 Diamond changed. */
function catalogWith(change: Partial<CatalogProduct>): Catalog {
  const catalog = sandboxCatalog();
  const games = catalog.games.map((game) => ({
    ...game,
    products: game.products.map((product) => (product.id === 901 ? { ...product, ...change } : product)),
  }));
  return { ...catalog, games };
}

async function shopWith(change: Partial<CatalogProduct>) {
  const service = await createTestService({
    now: start,
    catalog: catalogWith({ promo_price: sale, ...change }),
  });
  const { promo_code: _, ...order } = { ...fixtureOrder, quantity: 1 };
  return {
    ...service,
    /** What the game's page says, what an order costs, and the version of the page. */
    async seen() {
      const page = await service.get('/games/mobile-legends');
      const product = page.json.data.products.find(({ id }: { id: number }) => id === 901);
      const placed = await service.order(order);
      return {
        shown: [product.selling_price, product.promo_price, product.is_promo],
        paid: placed.json.data.pricing.unit_price_before_promo,
        version: page.headers.get('ETag'),
      };
    },
  };
}

describe('a price with a start and an end', () => {
  it('is the price from its start until just before its end, on the page and in orders', async () => {
    const { seen, clock } = await shopWith({
      promo_from: at(start + hour),
      promo_until: at(start + 2 * hour),
    });
    const before = await seen();
    expect(before).toMatchObject({ shown: [price, sale, false], paid: price });
    clock.now = start + hour - 1;
    expect(await seen()).toEqual(before);
    clock.now = start + hour;
    const during = await seen();
    expect(during).toMatchObject({ shown: [price, sale, true], paid: sale });
    expect(during.version).not.toBe(before.version);
    clock.now = start + 2 * hour - 1;
    expect(await seen()).toEqual(during);
    clock.now = start + 2 * hour;
    expect(await seen()).toEqual(before);
  });

  it.each([
    ['a start alone', { promo_from: at(start) }, true],
    ['a start alone, later', { promo_from: at(start + 1) }, false],
    ['an end alone', { promo_until: at(start + 1) }, true],
    ['an end alone, past', { promo_until: at(start) }, false],
    ['neither', { promo_from: null, promo_until: null, is_promo: true }, true],
    ['an end that is past, whatever is_promo says', { promo_until: at(start), is_promo: true }, false],
  ])('may have %s', async (_, change, isSale) => {
    const { seen } = await shopWith(change);
    expect((await seen()).paid).toBe(isSale ? sale : price);
  });

  it('counts again when a sandbox sets its clock back', async () => {
    const { seen, sandbox, clock } = await shopWith({ promo_until: at(start + hour) });
    await sandbox.advance(2 * hour);
    expect((await seen()).paid).toBe(price);
    await sandbox.reset();
    expect((await seen()).paid).toBe(sale);
    expect(clock.now).toBe(start);
  });

  it('closes what costs more than the sale brings, only while it lasts', async () => {
    const { store, clock, get } = await shopWith({
      promo_from: at(start + hour),
      promo_until: at(start + 2 * hour),
    });
    const product = { isAvailable: true, stock: null, isOncePerDay: false, pause: null };
    const codes = sandboxCatalog().games.flatMap((game) => game.products);
    await store.saveSupplierList({
      supplier: 'simulated',
      readAt: start,
      products: codes.map(({ code, supplier_code, id }) => ({
        ...product,
        code: supplier_code ?? code,
        price: id === 901 ? sale + 1 : 1,
      })),
    });
    const isOpen = async () =>
      (await get('/games/mobile-legends')).json.data.products.find(({ id }: { id: number }) => id === 901)
        .status;
    const below = async () => (await findBelowCost(store, clock.now)).map(({ product: { code } }) => code);
    const seen: unknown[] = [];
    for (const moment of [start, start + hour, start + 2 * hour]) {
      clock.now = moment;
      seen.push([await isOpen(), await below()]);
    }
    expect(seen).toEqual([
      [true, []],
      [false, ['ML86']],
      [true, []],
    ]);
  });
});
