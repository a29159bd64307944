import { copyStore, createSqliteStore, readConfig, startServer } from '@topup-kit/server';
import { type Figure, type Measure, median } from '../measure.ts';
import { someOrderIds, storeWith } from '../stores.ts';

const rounds = 10;

/** The pages of the console, by their paths below it. */
const pagesOf = (orderId: string): Record<string, string> => ({
  overview: '',
  orders: '/orders',
  'orders that were delivered': '/orders?payment=PAID&delivery=Sukses',
  'orders of a phone number': '/orders?q=%2B62+100000012',
  'orders with a total': '/orders?q=22000',
  'stuck orders': '/orders?problem=stuck',
  'an order': `/orders/${orderId}`,
  'money that waits': '/payments',
  catalogue: '/catalog',
  'changes of the catalogue': '/catalog/edits',
  promos: '/catalog/promos',
  callbacks: '/events',
  webhooks: '/events/webhooks',
  sandbox: '/sandbox',
  'what changed': '/live?after=0',
});

/** Asks a server over a store for each page, and then so often that its time is known. */
async function measure(store: string, orderId: string): Promise<Figure[]> {
  await using server = await startServer(
    readConfig({ TOPUP_MODE: 'sandbox', TOPUP_STORE: store, TOPUP_LOG_LEVEL: 'silent', PORT: '0' }),
  );
  const figures: Figure[] = [];
  for (const [name, path] of Object.entries(pagesOf(orderId))) {
    const values: number[] = [];
    for (let round = -1; round < rounds; round += 1) {
      const start = performance.now();
      const response = await fetch(server.consoleUrl + path);
      await response.text();
      if (response.status !== 200) throw new Error(`${path} responded with ${response.status}`);
      // What is read for the first time is not what an operator waits for all day.
      if (round >= 0) values.push(performance.now() - start);
    }
    figures.push({ name, unit: 'ms', values });
  }
  return figures;
}

export const consolePages: Measure = {
  name: 'console',
  about: 'each page of the console with 1,000,000 orders, in a file and in PostgreSQL',
  async run() {
    const path = await storeWith(1_000_000);
    const file = createSqliteStore({ path });
    // A server that runs has done both long ago.
    for (let count = 1; count > 0; ) count = await file.indexForSearch(10_000);
    for (let count = 1; count > 0; ) count = await file.prepareSales(200);
    await file.close();
    const orderId = someOrderIds(path, 2)[0] ?? '';
    const inFile = await measure(`file:${path}`, orderId);
    // Here, because it takes signals and the end of the process for itself, also for the other measures.
    const { startPostgres } = await import('../../packages/server/test/helpers/postgres.ts');
    await using database = await startPostgres({ durable: true });
    const url = await database.newSchema();
    await copyStore({ kind: 'file', path }, { kind: 'postgres', url });
    const inPostgres = await measure(url, orderId);
    const slowest = (figures: readonly Figure[]): number =>
      Math.max(...figures.map(({ values }) => median(values)));
    const named = (store: string, figures: readonly Figure[]): Figure[] =>
      figures.map((figure) => ({ ...figure, name: `${figure.name}, ${store}` }));
    return {
      figures: [...named('file', inFile), ...named('PostgreSQL', inPostgres)],
      bars: [
        { name: 'slowest page, file, ms', value: slowest(inFile), kind: 'at most', bar: 150 },
        { name: 'slowest page, PostgreSQL, ms', value: slowest(inPostgres), kind: 'at most', bar: 150 },
      ],
      remarks: [],
    };
  },
};
