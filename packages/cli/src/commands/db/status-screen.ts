import type { CheckDepth, Inspection } from '@topup-kit/server';
import { readableTime } from '../../output/format.ts';
import { type Look, type Style, statusStyle } from '../../output/style.ts';
import { type Column, type Fact, list, table } from '../../output/table.ts';
import { grouped, newestOrder } from '../backup/facts.ts';
import { fileSize } from '../backup/file-size.ts';

const columns: Column[] = [
  { title: 'PAYMENT', style: statusStyle },
  { title: 'DELIVERY', style: statusStyle },
  { title: 'ORDERS', align: 'right' },
];

const formatWords = ({ formatVersion, newestFormat }: Inspection): string =>
  formatVersion === newestFormat ? `${formatVersion}, the newest` : `${formatVersion} of ${newestFormat}`;

const sizeWords = ({ bytes, logBytes }: Inspection): string =>
  logBytes === 0 ? fileSize(bytes) : `${fileSize(bytes)}, and ${fileSize(logBytes)} in its log`;

const serverWords = ({ server }: Inspection): string =>
  server ? [`pid ${server.pid}`, server.address].filter(Boolean).join(', ') : 'none runs on it';

const dueWords = ({ nextDueAt, overdue }: Inspection): string =>
  [
    nextDueAt === null ? 'nothing' : readableTime(nextDueAt),
    ...(overdue > 0 ? [`overdue: ${grouped(overdue)}`] : []),
  ].join(', ');

const worldWords = ({ worldOffset }: Inspection): string | null =>
  worldOffset === 0 ? null : `${grouped(Math.round(worldOffset / 1000))} s ahead of real time`;

const catalogWords = ({ games, products, promos }: Inspection): string =>
  `games: ${grouped(games)}, products: ${grouped(products)}, promos: ${grouped(promos)}`;

const ifAny = (count: number): string | null => (count === 0 ? null : grouped(count));

const checkWords: Record<CheckDepth, string> = {
  quick: 'no damage found',
  full: 'no damage found, by the full check',
};

function factsOf(path: string, store: Inspection, check: CheckDepth): Fact[] {
  const overdue: Style | undefined = store.overdue > 0 ? 'waiting' : undefined;
  return [
    ['File', path],
    ['Size', sizeWords(store)],
    ['Format', formatWords(store)],
    ['Check', checkWords[check], 'good'],
    ['Mode', store.mode ?? 'none yet'],
    ['Server', serverWords(store)],
    ['World', worldWords(store)],
    ['Catalog', catalogWords(store)],
    ['Keys', `active: ${grouped(store.activeKeys)}, revoked: ${grouped(store.keys - store.activeKeys)}`],
    ['Orders', grouped(store.orders)],
    ['Newest', newestOrder(store)],
    ['Reserved', ifAny(store.reserved), 'waiting'],
    ['Next due', dueWords(store), overdue],
    [
      'Payments',
      store.openReconciliations === 0 ? null : `to reconcile: ${store.openReconciliations}`,
      'waiting',
    ],
  ];
}

/** How a store's file is, and what is in it. */
export function statusScreen(path: string, store: Inspection, check: CheckDepth, look: Look): string {
  const rows = store.states.map(({ paymentStatus, buyStatus, count }) => [
    paymentStatus,
    buyStatus,
    grouped(count),
  ]);
  const states = rows.length === 0 ? '' : `\n${table(columns, rows, { ...look, indent: 2 })}`;
  return list(factsOf(path, store, check), look) + states;
}
