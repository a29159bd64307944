import type { Store } from '@topup-kit/core/store';
import { copyStore, createSqliteStore, openStore } from '@topup-kit/server/internal';
import { type Measure, median, timed } from '../measure.ts';
import { someOrderIds, storeWith } from '../stores.ts';

const rounds = 5;

/** Returns texts that an operator may know about an order in the middle of the store, and texts that many orders contain. */
async function textsOf(store: Store, orderId: string): Promise<Record<string, string>> {
  const order = await store.findOrder(orderId);
  if (!order) throw new Error('a store with orders has one in the middle');
  return {
    'order id': orderId,
    'last part of the id': orderId.slice(-8),
    'its first letters': orderId.slice(-8, -4),
    'phone number': '+62 100000012',
    'player id': order.target.id,
    'payment reference': order.payment.reference,
    'serial number': order.serialNumber ?? 'SN',
    total: String(order.pricing.total_price),
    'product code': order.product.code,
    nothing: 'nobody@example.com',
  };
}

async function measure(store: Store, texts: Record<string, string>) {
  const figures = [];
  for (const [name, text] of Object.entries(texts)) {
    const values: number[] = [];
    for (let round = 0; round < rounds; round += 1)
      values.push(await timed(() => store.searchOrders({ text, limit: 20 })));
    figures.push({ name, unit: 'ms', values });
  }
  return figures;
}

export const search: Measure = {
  name: 'search',
  about:
    'orders search by each thing that is known of an order, with 1,000,000 orders, in a file and in PostgreSQL',
  async run() {
    const path = await storeWith(1_000_000);
    const file = createSqliteStore({ path });
    let changes = 0;
    const indexing = await timed(async () => {
      for (let count = 1; count > 0; changes += count) count = await file.indexForSearch(10_000);
    });
    const texts = await textsOf(file, someOrderIds(path, 2)[0] ?? '');
    const inFile = await measure(file, texts);
    await file.close();
    // Imported here, because the module handles signals and the end of the process, which would affect the other measures.
    const { startPostgres } = await import('../../packages/server/test/helpers/postgres.ts');
    await using database = await startPostgres({ durable: true });
    const url = await database.newSchema();
    await copyStore({ kind: 'file', path }, { kind: 'postgres', url });
    const postgres = openStore({ kind: 'postgres', url });
    const inPostgres = await measure(postgres, texts);
    await postgres.close();
    const slowest = (figures: typeof inFile): number =>
      Math.max(...figures.map(({ values }) => median(values)));
    const named = (store: string, figures: typeof inFile) =>
      figures.map((figure) => ({ ...figure, name: `${figure.name}, ${store}` }));
    return {
      figures: [...named('file', inFile), ...named('PostgreSQL', inPostgres)],
      bars: [
        { name: 'slowest search, file, ms', value: slowest(inFile), kind: 'at most', bar: 50 },
        { name: 'slowest search, PostgreSQL, ms', value: slowest(inPostgres), kind: 'at most', bar: 50 },
      ],
      remarks: [
        `${changes.toLocaleString('en')} changes were made searchable in ${(indexing / 1000).toFixed(1)} s, ${Math.round((indexing * 1000) / changes)} us each.`,
      ],
    };
  },
};
