import { describe, expect, it } from 'vitest';
import { another, claim, moment, place, promo } from '../../suites/src/store/fixtures.ts';
import type { OrderInput } from '../src/contract/index.ts';
import { createCatalogReader } from '../src/engine/catalog/view.ts';
import { checkPromo, choose } from '../src/engine/orders/choose.ts';
import { validatePromo } from '../src/engine/orders/validate-promo.ts';
import {
  type CatalogGame,
  type CatalogPaymentMethod,
  type CatalogProduct,
  createMemoryStore,
  type Promo,
  type Store,
  type SupplierProduct,
} from '../src/features/store.ts';
import type { PaymentGateway } from '../src/gateway/index.ts';

const product = (id: number, over: Partial<CatalogProduct> = {}): CatalogProduct => ({
  ...{ id, code: `P${id}`, supplier_code: null, title: 'x', category: null, image: null },
  ...{ selling_price: 1_000, promo_price: null, is_promo: false, status: true },
  ...over,
});

const game = (id: number, over: Partial<CatalogGame> = {}): CatalogGame => ({
  ...{ id, slug: `game-${id}`, title: 'x', developers: 'x', brand: 'x', category_id: 1, description: '' },
  ...{ image: null, banner: null, status: true, hidden: false, populer: false, sort: 0, target: null },
  ...{ fields: [{ name: 'id', label: 'x', required: true }], products: [] },
  ...over,
});

const method = (id: number, over: Partial<CatalogPaymentMethod> = {}): CatalogPaymentMethod => ({
  ...{ id, code: `M${id}`, name: 'x', group: 'QRIS', fee: 0, fee_basis_points: 0, minimum_fee: 0 },
  ...{ minimum_amount: 0, maximum_amount: 9_000, status: true, image: null },
  ...over,
});

const server = (over: object) => ({ name: 'server' as const, label: 'x', required: true, ...over });

const gateway: PaymentGateway = {
  ...{ kind: 'local', name: 'simulated', sandbox: true },
  createPayment: () => ({ reference: 'R', url: 'https://gateway.example/pay' }),
};

const supplier = { name: 'depot' };

/** A catalogue with open, closed and hidden entries, with these promos; and what the supplier lists, if anything. */
async function catalogWith(
  promos: Promo[] = [promo()],
  {
    wrap = (store: Store) => store,
    over = gateway,
    listed,
  }: { wrap?: (store: Store) => Store; over?: PaymentGateway; listed?: SupplierProduct[] } = {},
) {
  const store = createMemoryStore();
  if (listed) await store.saveSupplierList({ supplier: 'depot', readAt: moment, products: listed });
  await store.replaceCatalog({
    categories: [
      { id: 1, title: 'MOBA' },
      { id: 2, title: 'RPG' },
    ],
    games: [
      game(2, { sort: 5, fields: [server({ options: ['Asia', 'Europe'] })], products: [product(201)] }),
      game(1, {
        sort: 5,
        products: [product(101), product(102, { status: false }), product(103), product(104)],
      }),
      game(3, {
        sort: 1,
        fields: [server({ required: false, options: ['Asia'] })],
        category_id: 2,
        products: [product(301)],
      }),
      game(4, { sort: 7, status: false }),
      game(5, { hidden: true, products: [product(501)] }),
      game(6, { sort: 2 }),
    ],
    payment_methods: [method(11), method(12, { status: false })],
    promos,
  });
  const clock = () => moment;
  const catalog = createCatalogReader({
    ...{ store: wrap(store), gateway: over, supplier, worldClock: clock, realClock: clock },
  });
  return { store, catalog, view: await catalog() };
}

describe('the catalogue as clients see it', () => {
  it('lists every game that is not hidden, by sort and then id, with its category', async () => {
    const { view } = await catalogWith();
    expect(view.games.map(({ id, category }) => [id, category])).toEqual([
      [3, { id: 2, title: 'RPG' }],
      [6, { id: 1, title: 'MOBA' }],
      [1, { id: 1, title: 'MOBA' }],
      [2, { id: 1, title: 'MOBA' }],
      [4, { id: 1, title: 'MOBA' }],
    ]);
    expect(view.gameBySlug.get('game-5')).toBeUndefined();
    expect(view.productById.get(501)).toBeUndefined();
    expect(view.findPromo('ten')).toMatchObject({ code: 'TEN' });
  });

  it("closes payment methods that the gateway doesn't offer", async () => {
    const supports = ({ code }: { code: string }) => code !== 'M11';
    const { view } = await catalogWith([], { over: { ...gateway, supports } });
    expect(view.paymentMethods.map(({ id, status }) => [id, status])).toEqual([
      [11, false],
      [12, false],
    ]);
  });

  it('reads the catalogue again only after a change', async () => {
    let reads = 0;
    const { store, catalog, view } = await catalogWith([], {
      wrap: (real) => ({
        ...real,
        readCatalog() {
          reads += 1;
          return real.readCatalog();
        },
      }),
    });
    expect([await catalog(), reads]).toEqual([view, 1]);
    await store.putPromo(promo());
    expect((await catalog()).findPromo('TEN')).toBeDefined();
    expect(reads).toBe(2);
  });
});

const notForSale = 103;
const soldOut = 104;
/** All of them but one, at a cost. */
const listed = [101, 102, soldOut, 201, 301, 501].map((id) => ({
  ...{ code: `P${id}`, price: 900, isAvailable: true, isOncePerDay: false, pause: null },
  stock: id === soldOut ? 0 : null,
}));

const input = (over: Partial<OrderInput>): OrderInput => ({
  ...{ id: '1', game: 'game-1', product_id: 101, payment_method_id: 11, whatsapp: '08', quantity: 1 },
  ...over,
});

describe("an order's game, product or payment method", () => {
  // Whatever comes after it in the order of checks is wrong, too.
  const wrong = { product_id: 999, payment_method_id: 99, promo_code: 'NONE' };
  it.each<[string, Partial<OrderInput>, object]>([
    ['an unknown game', { ...wrong, game: 'nothing' }, { code: 'GAME_NOT_FOUND' }],
    ['a closed game', { ...wrong, game: 'game-4' }, { code: 'GAME_CLOSED' }],
    ['a hidden game', { ...wrong, game: 'game-5' }, { code: 'GAME_NOT_FOUND' }],
    [
      'sent without a server that the game requires',
      { ...wrong, game: 'game-2' },
      { fields: { server: [{ rule: 'required' }] } },
    ],
    [
      'a server that the game does not have',
      { ...wrong, game: 'game-2', server: 'Mars' },
      { fields: { server: [{ rule: 'option' }] } },
    ],
    ['an unknown product', { ...wrong, game: 'game-2', server: 'Asia' }, { code: 'PRODUCT_NOT_FOUND' }],
    ['a closed product', { ...wrong, product_id: 102 }, { code: 'PRODUCT_CLOSED' }],
    [
      'a product that the supplier does not have',
      { ...wrong, product_id: notForSale },
      { code: 'PRODUCT_CLOSED' },
    ],
    [
      'a product that is sold out at the supplier',
      { ...wrong, product_id: soldOut },
      { code: 'PRODUCT_OUT_OF_STOCK' },
    ],
    ['a product of a hidden game', { ...wrong, product_id: 501 }, { code: 'PRODUCT_NOT_FOUND' }],
    ['a product of another game', { ...wrong, product_id: 201 }, { code: 'PRODUCT_GAME_MISMATCH' }],
    ['an unknown payment method', { ...wrong, product_id: 101 }, { code: 'PAYMENT_METHOD_NOT_FOUND' }],
    [
      'a closed payment method',
      { ...wrong, product_id: 101, payment_method_id: 12 },
      { code: 'PAYMENT_METHOD_CLOSED' },
    ],
    ['used with an unknown promo', { promo_code: 'NONE' }, { code: 'PROMO_NOT_FOUND' }],
  ])('rejects the order if its game, product or payment method is %s', async (_what, over, error) => {
    const { view } = await catalogWith([promo()], { listed });
    const act = () => choose(view, input(over));
    expect(act).toThrow(expect.objectContaining(error));
  });

  it.each<[Partial<OrderInput>, object]>([
    [{}, { game: { id: 1 }, product: { id: 101 }, method: { id: 11 }, promo: null }],
    [{ promo_code: 'Ten' }, { promo: { code: 'TEN' } }],
    [{ server: 'anything' }, { game: { id: 1 } }],
    [
      { game: 'game-2', product_id: 201, server: 'Europe' },
      { game: { id: 2 }, product: { id: 201 } },
    ],
    [{ game: 'game-3', product_id: 301 }, { game: { id: 3 } }],
    [{ game: 'game-3', product_id: 301, server: 'Asia' }, { game: { id: 3 } }],
  ])('finds the game, the product and the payment method: %j', async (over, found) => {
    const { view } = await catalogWith();
    expect(choose(view, input(over))).toMatchObject(found);
  });
});

describe('the promo of an order', () => {
  it.each<[string, Partial<Promo>, number, string | undefined]>([
    ['without limits', {}, 1, undefined],
    ['with uses left', { quota: 2, per_customer: 2 }, 1, undefined],
    ['without uses left', { quota: 1 }, 1, 'PROMO_QUOTA'],
    ['without uses left for this customer', { per_customer: 1 }, 1, 'PROMO_USED'],
    ['whose minimum all units together reach', { minimum_purchase: 3_000 }, 3, undefined],
    ['whose minimum they do not reach', { minimum_purchase: 3_000 }, 2, 'PROMO_MINIMUM'],
  ])('checks the promo %s: %j', async (_what, rules, quantity, code) => {
    const { store, view } = await catalogWith([promo(rules)]);
    await store.placeOrder(place(another('A'), { promo: claim({ customer: '628' }) }));
    const choice = choose(view, input({ promo_code: 'TEN' }));
    const checking = checkPromo({ store, promoMaxLoss: 0 }, choice, {
      quantity,
      customer: '628',
      now: moment,
    });
    await expect(checking.catch((error) => error.code)).resolves.toBe(code);
  });

  it.each([
    [{ type: 'PERCENT', basis_points: 1_250, max_discount: null }, 12.5, 125],
    [{ type: 'FIXED', value: 300, max_discount: 200 }, 300, 200],
  ] as const)('shows %j as %d, and subtracts %i from one unit', async (discount, value, off) => {
    const { store, catalog } = await catalogWith([promo({ discount })]);
    const deps = { store, catalog, worldClock: () => moment, promoMaxLoss: 0 };
    const validation = validatePromo(deps, {
      ...{ code: 'ten', game_slug: 'game-1', product_id: 101, payment_method_id: 11 },
    });
    expect(await validation).toEqual({
      promo: { code: 'TEN', discount_type: discount.type, discount_value: value },
      pricing: { base_price: 1_000, discount: off, final_price: 1_000 - off },
    });
  });

  // The unit costs 900 and is sold for 1,000.
  it.each<[string, number, number, string | undefined]>([
    ['sells the unit at its cost', 100, 0, undefined],
    ['sells the unit for 1 below its cost', 101, 0, 'PROMO_NOT_ELIGIBLE'],
    ['sells the unit below its cost by the accepted loss', 150, 50, undefined],
    ['sells the unit below its cost by 1 more', 151, 50, 'PROMO_NOT_ELIGIBLE'],
  ])('%s: %i off, with a loss of %i for the shop', async (_what, value, promoMaxLoss, code) => {
    const rules = promo({ discount: { type: 'FIXED', value, max_discount: null } });
    const { store, catalog, view } = await catalogWith([rules], { listed });
    const error = code === undefined ? undefined : { code, params: { subject: { subject: 'product' } } };
    const result = async (checking: Promise<unknown>) =>
      checking.then(() => undefined).catch(({ code, params }) => ({ code, params }));
    const choice = choose(view, input({ promo_code: 'TEN', quantity: 3 }));
    const use = { quantity: 3, customer: '628', now: moment };
    expect(await result(checkPromo({ store, promoMaxLoss }, choice, use))).toEqual(error);
    const asked = { code: 'TEN', game_slug: 'game-1', product_id: 101, payment_method_id: 11 };
    const deps = { store, catalog, worldClock: () => moment, promoMaxLoss };
    expect(await result(validatePromo(deps, asked))).toEqual(error);
  });

  it("sells any product with an unknown cost at a promo's price", async () => {
    const rules = promo({ discount: { type: 'FIXED', value: 1_000, max_discount: null } });
    const unpriced = listed.map(({ price, ...product }) => product);
    for (const over of [{}, { listed: unpriced }]) {
      const { store, view } = await catalogWith([rules], over);
      const choice = choose(view, input({ promo_code: 'TEN' }));
      const use = { quantity: 1, customer: '628', now: moment };
      await expect(checkPromo({ store, promoMaxLoss: 0 }, choice, use)).resolves.toBeUndefined();
    }
  });
});
