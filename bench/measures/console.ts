import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { copyStore as copyToOther, createSqliteStore } from '@topup-kit/server/internal';
import { startBenchServer } from '../bench-process.ts';
import { type Figure, type Measure, median } from '../measure.ts';
import { addShopData } from '../shop-data.ts';
import { copyStore, someOrderIds, storeWith } from '../stores.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const rounds = 10;
/** Lifetime of the overview's figures before they are read again, in milliseconds. It is a little longer, so that each round reads them. */
const roundMs = 5_500;
const bar = 150;

/** Does the work of a running server on its orders: makes them searchable, and adds up their sales. */
async function catchUp(path: string): Promise<void> {
  const store = createSqliteStore({ path });
  for (let count = 1; count > 0; ) count = await store.indexForSearch(10_000);
  for (let count = 1; count > 0; ) count = await store.prepareSales(10_000);
  await store.close();
}

/** Returns the path of a page of each kind, below the console's path. */
async function pagesOf(path: string): Promise<string[]> {
  const [orderId = ''] = someOrderIds(path, 2);
  const store = createSqliteStore({ path });
  const order = await store.findOrder(orderId);
  await store.close();
  if (!order) throw new Error('a store with orders has one in the middle');
  const day = new Date(Date.now() - 30 * 24 * 60 * 60_000).toISOString().slice(0, 10);
  return [
    '',
    '/orders',
    ...['stuck', 'unfunded', 'contradicted'].map((problem) => `/orders?problem=${problem}`),
    '/orders?payment=UNPAID',
    '/orders?payment=PAID&delivery=Proses',
    '/orders?payment=PAID&delivery=Gagal',
    '/orders?game=free-fire',
    '/orders?account=another-shop',
    '/orders?account=nobody',
    `/orders?payment=REFUND&since=${day}&until=${day}`,
    `/orders?after=${orderId}`,
    ...[
      orderId.slice(-8),
      '+62 100000012',
      order.target.id,
      order.payment.reference,
      'nobody@example.com',
    ].map((text) => `/orders?q=${encodeURIComponent(text)}`),
    `/orders?q=${order.product.code}`,
    `/orders/${orderId}`,
    '/payments',
    '/payments?closed=1',
    '/catalog',
    '/catalog?q=BENCH49',
    '/catalog?state=closed',
    '/catalog/edits',
    '/catalog/edits/5000',
    '/catalog/promos',
    '/events',
    '/events?outcome=rejected',
    '/events/callbacks/cb_000050000',
    '/events/webhooks',
    '/events/webhooks?state=failed',
    '/sandbox',
    '/sandbox/requests',
    '/live?after=0',
  ];
}

/** Measures the time until a page is completely received, in milliseconds. */
async function timeOf(url: string): Promise<number> {
  const start = performance.now();
  const response = await fetch(url, { redirect: 'manual' });
  await response.text();
  // A search for one order redirects to that order.
  if (response.status !== 200 && response.status !== 303) throw new Error(`${url}: ${response.status}`);
  return performance.now() - start;
}

/** Requests all pages in turn, so that no page is requested twice in succession. */
async function measure(store: string, name: string, pages: readonly string[]): Promise<Figure[]> {
  await using server = await startBenchServer('topup.ts', {
    TOPUP_STORE: store,
    TOPUP_LOG_LEVEL: 'silent',
  });
  const times = new Map(pages.map((page) => [page, [] as number[]]));
  for (let round = 0; round <= rounds; round += 1) {
    const until = performance.now() + roundMs;
    for (const [page, values] of times) {
      const time = await timeOf(new URL(`/console${page}`, server.baseUrl).href);
      // The first round only warms up the pages.
      if (round > 0) values.push(time);
    }
    await wait(Math.max(0, until - performance.now()));
  }
  return [...times].map(([page, values]) => ({ name: `/console${page}, ${name}`, unit: 'ms', values }));
}

const slowest = (figures: readonly Figure[]): number =>
  Math.max(...figures.map(({ values }) => median(values)));

export const consolePages: Measure = {
  name: 'console',
  about: 'each page of the console with 1,000,000 orders, over a file and over PostgreSQL',
  async run() {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'shop.db');
    copyStore(await storeWith(1_000_000), path);
    await catchUp(path);
    addShopData(path);
    const pages = await pagesOf(path);
    const inFile = await measure(`file:${path}`, 'file', pages);
    // Imported here, because the module handles signals and the end of the process, which would affect the other measures.
    const { startPostgres } = await import('../../packages/server/test/helpers/postgres.ts');
    await using database = await startPostgres({ durable: true });
    const url = await database.newSchema();
    await copyToOther({ kind: 'file', path }, { kind: 'postgres', url });
    const inPostgres = await measure(url, 'PostgreSQL', pages);
    return {
      figures: [...inFile, ...inPostgres],
      bars: [
        { name: 'slowest page, file, ms', value: slowest(inFile), kind: 'at most', bar },
        { name: 'slowest page, PostgreSQL, ms', value: slowest(inPostgres), kind: 'at most', bar },
      ],
      remarks: [],
    };
  },
};
