import { assertEqual } from '../../assertions.ts';
import { catalog, listedActivity, moment, ok, promo } from '../fixtures.ts';
import type { StoreCases } from '../store-case.ts';

const rule = { percent: 800, flat: 500, minimum: 300, floor: 0, rounding: { up: 100 } } as const;
const edit = { at: moment, by: 'rina', command: 'margin set', values: [] };

export const editCases: StoreCases = {
  'an edit stores the catalogue, its margins and a line of the history at once': async (store) => {
    await store.replaceCatalog(catalog([promo()]));
    const changed = { ...catalog([promo()]), categories: [{ id: 7, title: 'Edited' }] };
    const margins = [
      { scope: 'product', key: 'ML86', rule: { ...rule, rounding: 'end-900' } },
      { scope: 'shop', key: '', rule },
    ] as const;
    const value = { kind: 'product', key: 'ML86', field: 'selling_price', from: 22_000, to: null } as const;
    const planned = { revision: await store.revision(), catalog: changed, margins };
    assertEqual(await store.editCatalog(planned, { ...edit, values: [value] }), ok, 'edit');
    assertEqual(await store.readCatalog(), changed, 'catalogue');
    assertEqual(await store.readMargins(), margins, 'margins');
    assertEqual(await store.listCatalogEdits(9), [{ ...edit, values: [value], number: 1 }], 'history');
  },
  'an edit of a catalogue that was changed since is a conflict, and nothing of it is stored': async (
    store,
  ) => {
    await store.replaceCatalog(catalog());
    const revision = await store.revision();
    const planned = { revision, catalog: catalog(), margins: [{ scope: 'shop', key: '', rule }] as const };
    const outcomes = await Promise.all([store.editCatalog(planned, edit), store.editCatalog(planned, edit)]);
    assertEqual(outcomes.filter((outcome) => 'done' in outcome).length, 1, 'edits');
    await store.saveSupplierList({ supplier: 'depot', readAt: moment, products: [] });
    const late = { ...planned, revision: revision + 1, margins: [] };
    assertEqual(await store.editCatalog(late, edit), { conflict: 'catalog_changed' }, 'late edit');
    assertEqual(await store.readMargins(), planned.margins, 'margins');
    assertEqual((await store.listCatalogEdits(9)).length, 1, 'history');
  },
  'an edit keeps the list by which prices were computed, also where nothing is for the history': async (
    store,
  ) => {
    await store.replaceCatalog(catalog());
    const margins = [] as const;
    const pricedBy = { supplier: 'depot', readAt: moment, products: [] };
    const newer = { ...pricedBy, readAt: moment + 1 };
    const other = { ...pricedBy, supplier: 'warehouse', readAt: moment - 1 };
    for (const list of [pricedBy, other, newer])
      await store.editCatalog(
        { revision: await store.revision(), catalog: null, margins, pricedBy: list },
        null,
      );
    assertEqual(await store.readPricedLists(), [newer, other], 'lists');
    assertEqual(await store.readSupplierLists(), [], 'what suppliers listed');
    assertEqual(await store.readCatalog(), catalog(), 'catalogue, which nothing changed');
    assertEqual(await store.listCatalogEdits(9), [], 'history');
  },
  'an edit keeps promos, an import keeps margins, and the newest edits come first': async (store) => {
    await store.replaceCatalog(catalog());
    const revision = await store.revision();
    await store.editCatalog(
      { revision, catalog: catalog(), margins: [{ scope: 'shop', key: '', rule }] },
      edit,
    );
    await store.putPromo(promo());
    await store.editCatalog(
      { revision: await store.revision(), catalog: catalog(), margins: await store.readMargins() },
      { ...edit, by: null, command: 'sync' },
    );
    assertEqual(await store.readCatalog(), catalog([promo()]), 'catalogue');
    await store.replaceCatalog(catalog());
    assertEqual(await store.readMargins(), [{ scope: 'shop', key: '', rule }], 'margins');
    assertEqual(
      await store.listCatalogEdits(1),
      [{ ...edit, by: null, command: 'sync', number: 2 }],
      'newest',
    );
  },
  'an edit of the catalogue is an activity of its operator, and none of the server': async (store) => {
    await store.replaceCatalog(catalog(), { ...edit, command: 'set-price ML86' });
    await store.replaceCatalog(catalog(), { ...edit, by: null });
    const planned = { revision: await store.revision(), catalog: null, margins: [] };
    await store.editCatalog(planned, { ...edit, by: 'ani' });
    const common = { at: moment, action: 'catalog.edited', amount: null };
    assertEqual(
      await listedActivity(store),
      [
        { ...common, operator: 'ani', subject: 'margin set' },
        { ...common, operator: 'rina', subject: 'set-price ML86' },
      ],
      'activity',
    );
  },
  'the last list of each supplier is kept, the newest first, also when the orders are deleted': async (
    store,
  ) => {
    assertEqual(await store.readSupplierLists(), [], 'none');
    const least = { code: 'ML86', isAvailable: true, stock: null, isOncePerDay: false, pause: null };
    const most = {
      code: 'ml 172 “≥”',
      price: 19_500,
      name: '172 Diamonds',
      brand: 'ML',
      category: 'Games',
      isAvailable: false,
      stock: 3,
      isOncePerDay: true,
      pause: { from: moment, until: moment + 1 },
    };
    const list = { supplier: 'supplier', readAt: moment, products: [least, most] };
    const other = { supplier: 'supplier-2', readAt: moment + 1, products: [] };
    assertEqual(await store.saveSupplierList(list), ok, 'first');
    await store.saveSupplierList(other);
    await store.clearOrders();
    assertEqual(await store.readSupplierLists(), [other, list], 'both');
    const later = { ...list, readAt: moment + 2, products: [most] };
    await store.saveSupplierList(later);
    assertEqual(await store.readSupplierLists(), [later, other], 'one was replaced');
  },
  'the revision grows with the list of a supplier': async (store) => {
    const before = await store.revision();
    await store.saveSupplierList({ supplier: 'depot', readAt: moment, products: [] });
    assertEqual((await store.revision()) > before, true, 'grown');
  },
};
