import { describe, expect, it } from 'vitest';
import { readCatalogFile } from '../src/engine/catalog/file.ts';
import { diffCatalogs } from '../src/features/catalog/diff.ts';
import type { CatalogGame } from '../src/features/store.ts';
import { sandboxCatalog, sandboxCatalogFile } from '../src/sandbox/index.ts';
import type { PurchaseRequest } from '../src/supplier/index.ts';
import { supplierThat } from './helpers/supplier.ts';
import { createTestService, fixtureOrder } from './helpers/test-service.ts';

/** The sandbox's catalogue with a change of its first game, whose first product is ML86. */
function catalogWith(target: string | null, supplierCode: string | null = null) {
  const catalog = sandboxCatalog('en');
  const games = catalog.games.map(
    (game): CatalogGame =>
      game.slug !== 'mobile-legends'
        ? game
        : {
            ...game,
            target,
            products: game.products.map((product) => ({ ...product, supplier_code: supplierCode })),
          },
  );
  return { ...catalog, games };
}

/** What a supplier is asked to buy for an order of ML86. */
async function bought(target: string | null, supplierCode?: string | null, over: object = {}) {
  const requests: PurchaseRequest[] = [];
  const supplier = supplierThat({
    async submit(request) {
      requests.push(request);
      return { state: 'pending' };
    },
  });
  const { order, sandbox, get, store } = await createTestService({
    supplier,
    catalog: catalogWith(target, supplierCode),
  });
  const { orderId } = (await order({ ...fixtureOrder, quantity: 1, promo_code: undefined, ...over })).json;
  await sandbox.act(orderId, 'pay');
  return { request: requests[0], get, store, orderId };
}

describe('the request to a supplier', () => {
  it("sends the product's code and the account in one string by default", async () => {
    const { request } = await bought(null);
    expect(request).toMatchObject({
      productCode: 'ML86',
      target: { id: '12345678', server: '2012', text: '123456782012' },
    });
  });

  it.each([
    ['{id}|{server}', '12345678|2012'],
    ['{id}', '12345678'],
    ['{server}-{id}-{id}', '2012-12345678-12345678'],
  ])('follows the template %s', async (template, text) => {
    expect((await bought(template)).request?.target.text).toBe(text);
  });

  it('sends only the id for a game without servers', async () => {
    const freeFire = { game: 'free-fire', product_id: 1204, server: undefined };
    expect((await bought(null, null, freeFire)).request?.target).toEqual({
      ...{ id: '12345678', server: null, text: '12345678' },
    });
  });

  it("replaces placeholders only once, so that a customer's input is never expanded", async () => {
    const { request } = await bought('{id}|{server}', null, { id: '{server}$&', server: '{id}' });
    expect(request?.target.text).toBe('{server}$&|{id}');
  });

  it("sends the supplier's code, which no client sees", async () => {
    const { request, get, orderId } = await bought('{id}@{server}', 'diamonds 86/x');
    expect(request?.productCode).toBe('diamonds 86/x');
    for (const path of [`/invoice/${orderId}`, '/games', '/games/mobile-legends', '/order/mobile-legends']) {
      const { text, status } = await get(path);
      expect(status).toBe(200);
      expect(text).not.toMatch(/supplier_code|diamonds 86|\{id\}|"target"/);
    }
  });

  it("sends the catalogue's values at the time of the order", async () => {
    const { store, orderId } = await bought('{id}|{server}', 'old');
    expect(await store.findOrder(orderId)).toMatchObject({
      game: { target: '{id}|{server}' },
      product: { code: 'ML86', supplier_code: 'old' },
    });
  });

  it('uses defaults for orders of earlier versions', async () => {
    const requests: PurchaseRequest[] = [];
    const { order, sandbox } = await createTestService({
      catalog: catalogWith('{id}|{server}', 'other'),
      supplier: supplierThat({
        async submit(request) {
          requests.push(request);
          return { state: 'pending' };
        },
      }),
      store: (store) => ({
        ...store,
        placeOrder({ order: { game, product, ...order }, ...command }) {
          const { target: _target, ...oldGame } = game;
          const { supplier_code: _code, ...oldProduct } = product;
          return store.placeOrder({ ...command, order: { ...order, game: oldGame, product: oldProduct } });
        },
      }),
    });
    const { orderId } = (await order()).json;
    await sandbox.act(orderId, 'pay');
    expect(requests[0]).toMatchObject({ productCode: 'ML86', target: { text: '123456782012' } });
  });
});

/** The problems of the sandbox's catalogue file with a change of its first game. */
function problemsWith(change: object): unknown {
  // Safe: the sandbox's own file has games.
  const file = structuredClone(sandboxCatalogFile) as { games: object[] };
  Object.assign(file.games[0] ?? {}, change);
  return readCatalogFile(file);
}

describe('a catalogue file', () => {
  it.each(['{id}', '{id}{server}', '{id}|{server}', 'id={id};zone={server}'])(
    'accepts the template %s',
    (target) => {
      expect(problemsWith({ target })).not.toHaveProperty('problems');
    },
  );

  it.each(['', '{server}', '{ID}', '{id}{zone}', '{id}{', '{id}}', 'id'])(
    'rejects the template %j',
    (target) => {
      const rule = 'must contain {id}, and no placeholder but {id} and {server}';
      expect(problemsWith({ target })).toEqual({ problems: [{ path: 'games[0].target', rule }] });
    },
  );

  it('rejects {server} in a game without a server field', () => {
    expect(problemsWith({ target: '{id}{server}', fields: [{ name: 'id', label: 'ID' }] })).toEqual({
      problems: [{ path: 'games[0].target', rule: 'must not contain {server}: the game has no such field' }],
    });
  });

  it('rejects a supplier code with spaces around it', () => {
    const products = [{ id: 901, code: 'ML86', supplier_code: ' ml86', title: 'x', selling_price: 1 }];
    expect(problemsWith({ products })).toMatchObject({
      problems: expect.arrayContaining([
        expect.objectContaining({ path: 'games[0].products[0].supplier_code' }),
      ]),
    });
  });
});

describe('the difference between catalogues', () => {
  it('shows supplier codes and templates in the difference', () => {
    expect(diffCatalogs(catalogWith(null), catalogWith('{id}', null))).toEqual([
      expect.objectContaining({
        kind: 'game',
        key: 11,
        fields: [{ field: 'target', from: null, to: '{id}' }],
      }),
    ]);
    const codes = diffCatalogs(catalogWith(null, 'a'), catalogWith(null, 'b'));
    expect(codes[0]?.fields).toEqual([{ field: 'supplier_code', from: 'a', to: 'b' }]);
  });

  it('shows no difference for a catalogue that is older than supplier codes', () => {
    const stored = sandboxCatalog();
    for (const game of stored.games) {
      Reflect.deleteProperty(game, 'target');
      for (const product of game.products) Reflect.deleteProperty(product, 'supplier_code');
    }
    const changed = diffCatalogs(stored, sandboxCatalog()).flatMap(({ fields }) => fields);
    expect(changed.filter(({ to }) => to === null)).toEqual([]);
  });
});

it('separates a HoYoverse server with a bar in the sandbox, as live-parts says', () => {
  const templates = sandboxCatalog().games.flatMap(({ slug, target }) =>
    target === null ? [] : [[slug, target]],
  );
  expect(Object.fromEntries(templates)).toEqual({
    'genshin-impact': '{id}|{server}',
    'honkai-star-rail': '{id}|{server}',
    'zenless-zone-zero': '{id}|{server}',
  });
});
