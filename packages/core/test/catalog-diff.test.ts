import { describe, expect, it } from 'vitest';
import { diffCatalogs } from '../src/features/catalog/diff.ts';
import type { Catalog } from '../src/features/store.ts';
import { sandboxCatalog } from '../src/sandbox/index.ts';

/** The changes after an edit of the sandbox's catalogue. */
function edited(edit: (catalog: Catalog) => void) {
  const to = sandboxCatalog();
  edit(to);
  return diffCatalogs(sandboxCatalog(), to);
}

/** The first item of a list that is never empty in the sandbox's catalogue. */
function first<Item>(items: Item[]): Item {
  const [item] = items;
  if (item === undefined) throw new Error('an empty list');
  return item;
}

describe('diffCatalogs', () => {
  it('finds nothing between equal catalogues, whatever the order of their keys', () => {
    const { promos, payment_methods, games, categories } = sandboxCatalog();
    const { products, ...rest } = first(games);

    const to = { promos, payment_methods, games: [{ products, ...rest }, ...games.slice(1)], categories };

    expect(diffCatalogs(sandboxCatalog(), to)).toEqual([]);
  });

  it('treats a missing catalogue as an empty catalogue', () => {
    const catalog = sandboxCatalog();
    const { categories, games, payment_methods, promos } = catalog;
    const entries = [categories, games, games.flatMap(({ products }) => products), payment_methods, promos];

    const changes = diffCatalogs(null, catalog);

    expect(new Set(changes.map(({ change }) => change))).toEqual(new Set(['added']));
    expect(changes).toHaveLength(entries.flat().length);
  });

  it('lists the changed fields of a game, and its products as separate entries', () => {
    const changes = edited(({ games }) => {
      const game = first(games);
      game.title = 'Another';
      first(game.products).selling_price += 1;
    });

    const { id, title, products } = first(sandboxCatalog().games);
    const { id: productId, title: productTitle, selling_price } = first(products);
    expect(changes).toEqual([
      {
        change: 'changed',
        kind: 'game',
        key: id,
        title: 'Another',
        fields: [{ field: 'title', from: title, to: 'Another' }],
      },
      {
        change: 'changed',
        kind: 'product',
        key: productId,
        title: productTitle,
        fields: [{ field: 'selling_price', from: selling_price, to: selling_price + 1 }],
      },
    ]);
  });

  it('lists added and removed entries', () => {
    const changes = edited((catalog) => {
      const method = first(catalog.payment_methods);
      catalog.payment_methods.push({ ...method, id: 999, code: 'NEW', name: 'New' });
      catalog.promos.shift();
    });

    expect(changes).toEqual([
      { change: 'added', kind: 'payment_method', key: 999, title: 'New', fields: [] },
      { change: 'removed', kind: 'promo', key: 'RAMADAN10', title: 'RAMADAN10', fields: [] },
    ]);
  });

  it('identifies a promo by its code in any letter case, and lists the changed fields of its discount', () => {
    const changes = edited(({ promos }) => {
      const promo = first(promos);
      promo.code = 'Ramadan10';
      promo.discount = { type: 'FIXED', value: 500, max_discount: promo.discount.max_discount };
    });

    expect(changes).toMatchObject([
      {
        change: 'changed',
        kind: 'promo',
        key: 'RAMADAN10',
        fields: [
          { field: 'code', from: 'RAMADAN10', to: 'Ramadan10' },
          { field: 'discount.type', from: 'PERCENT', to: 'FIXED' },
          { field: 'discount.basis_points', from: 1000, to: null },
          { field: 'discount.value', from: null, to: 500 },
        ],
      },
    ]);
  });

  it('lists a product that moved to another game', () => {
    const changes = edited(({ games: [from, to] }) => {
      const product = from?.products.pop();
      if (product) to?.products.push(product);
    });

    expect(changes).toMatchObject([{ kind: 'product', fields: [{ field: 'game_id' }] }]);
  });

  it.each(['categories', 'games', 'payment_methods', 'promos'] as const)(
    'reports that %s are in another sequence',
    (list) => {
      const changes = edited((catalog) => catalog[list].reverse());

      expect(changes).toMatchObject([
        { change: 'changed', kind: 'catalog', key: null, title: '', fields: [{ field: list }] },
      ]);
    },
  );

  it('lists a new sequence of products together with the other changes to their game', () => {
    const changes = edited(({ games }) => {
      const game = first(games);
      game.products.reverse();
      game.sort += 1;
    });

    expect(changes).toMatchObject([{ kind: 'game', fields: [{ field: 'sort' }, { field: 'products' }] }]);
  });

  it('lists an entry inserted between two others as added, not as a new sequence', () => {
    const changes = edited((catalog) => {
      const [one, ...others] = catalog.categories;
      if (one) catalog.categories = [one, { id: 999, title: 'New' }, ...others];
    });

    expect(changes).toMatchObject([{ change: 'added', kind: 'category', key: 999 }]);
  });
});
