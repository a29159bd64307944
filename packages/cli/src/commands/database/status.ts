import type { Inspection } from '@topup-kit/server';
import { defineCommand, defineGroup } from '../../define-command.ts';
import { usageError } from '../../errors/cli-error.ts';
import { clockAhead, isoTime, readableTime } from '../../output/format.ts';
import { withProgress } from '../../output/progress.ts';
import { type OutputStyle, type Style, statusStyle } from '../../output/style.ts';
import { type Column, type Fact, list, table } from '../../output/table.ts';
import { findStore, onSameStore, storeOption } from '../../store/open.ts';
import { copyDatabase } from './copy.ts';
import {
  advice,
  factsDocument,
  fileSize,
  grouped,
  type Inspected,
  newestOrder,
  onStoreFile,
} from './store-file.ts';

const columns: Column[] = [
  { title: 'PAYMENT', style: statusStyle },
  { title: 'DELIVERY', style: statusStyle },
  { title: 'ORDERS', align: 'right' },
];

const formatWords = ({ formatVersion, newestFormat }: Inspected): string =>
  formatVersion === newestFormat ? `${formatVersion}, the newest` : `${formatVersion} of ${newestFormat}`;

const sizeWords = ({ bytes, logBytes }: Inspection): string =>
  logBytes === 0 ? fileSize(bytes) : `${fileSize(bytes)}, and ${fileSize(logBytes)} in its log`;

const serverWords = ({ server }: Inspection): string =>
  server ? [`pid ${server.pid}`, server.address].filter(Boolean).join(', ') : 'none runs on it';

const dueWords = ({ nextDueAt, overdue }: Inspected): string =>
  [
    nextDueAt === null ? 'nothing' : readableTime(nextDueAt),
    ...(overdue > 0 ? [`overdue: ${grouped(overdue)}`] : []),
  ].join(', ');

const catalogWords = ({ games, products, promos }: Inspected): string =>
  `games: ${grouped(games)}, products: ${grouped(products)}, promos: ${grouped(promos)}`;

const ifAny = (count: number): string | null => (count === 0 ? null : grouped(count));

/** Only a file is checked for damage. */
const storageOf = (path: string, store: Inspected, isChecked: boolean): Fact[] =>
  'servers' in store
    ? [
        ['Database', path],
        ['Size', fileSize(store.bytes)],
        ['Format', formatWords(store)],
      ]
    : [
        ['File', path],
        ['Size', sizeWords(store)],
        ['Format', formatWords(store)],
        isChecked ? ['Check', 'no damage found', 'good'] : ['Check', 'not done; --check looks for damage'],
      ];

function serversOf(store: Inspected): Fact[] {
  if (!('servers' in store)) return [['Server', serverWords(store)]];
  const [first = 'none runs on it', ...others] = store.servers;
  return [['Servers', first], ...others.map((server): Fact => ['', server])];
}

function factsOf(path: string, store: Inspected, isChecked: boolean): Fact[] {
  const overdue: Style | undefined = store.overdue > 0 ? 'waiting' : undefined;
  return [
    ...storageOf(path, store, isChecked),
    ['Mode', store.mode ?? 'none yet'],
    ...serversOf(store),
    ['Clock', clockAhead(store.worldOffset)],
    ['Catalog', catalogWords(store)],
    [
      'Keys',
      `active: ${grouped(store.activeKeys)}, revoked or expired: ${grouped(store.keys - store.activeKeys)}`,
    ],
    ['Orders', grouped(store.orders)],
    ['Newest', newestOrder(store)],
    ['Reserved', ifAny(store.reserved), 'waiting'],
    ['Next due', dueWords(store), overdue],
    [
      'Payments',
      store.openReconciliations === 0 ? null : `to reconcile: ${store.openReconciliations}`,
      'waiting',
    ],
    ['Items', store.unknownUnits === 0 ? null : `of unknown outcome: ${store.unknownUnits}`, 'waiting'],
  ];
}

function statusScreen(path: string, store: Inspected, isChecked: boolean, style: OutputStyle): string {
  const rows = store.states.map(({ paymentStatus, buyStatus, count }) => [
    paymentStatus,
    buyStatus,
    grouped(count),
  ]);
  const states = rows.length === 0 ? '' : `\n${table(columns, rows, { ...style, indent: 2 })}`;
  return list(factsOf(path, store, isChecked), style) + states;
}

/** For `--json`. */
const statusDocument = (path: string, store: Inspected, isChecked: boolean) => ({
  store: path,
  ...('servers' in store
    ? { bytes: store.bytes }
    : { check: isChecked ? 'full' : null, bytes: store.bytes, log_bytes: store.logBytes }),
  ...factsDocument(store),
  newest_format: store.newestFormat,
  ...('servers' in store
    ? { servers: store.servers }
    : { server: store.server && { pid: store.server.pid, address: store.server.address ?? null } }),
  world_ahead_ms: store.worldOffset,
  active_keys: store.activeKeys,
  products: store.products,
  promos: store.promos,
  states: store.states.map(({ paymentStatus, buyStatus, count }) => ({
    payment_status: paymentStatus,
    buy_status: buyStatus,
    count,
  })),
  reserved: store.reserved,
  next_due_at: store.nextDueAt === null ? null : isoTime(store.nextDueAt),
  overdue: store.overdue,
  open_reconciliations: store.openReconciliations,
  unknown_units: store.unknownUnits,
});

const hintsFor = (topup: (args: string) => string) => ({
  missing: 'Use another store with --store or TOPUP_STORE.',
  damaged: `Stop the server, keep a copy of the file and of those beside it, and put the last\ngood backup in its place:\n  ${topup('restore <backup>')}`,
});

const showStatus = defineCommand({
  name: 'status',
  description:
    'Show the state of a store, its contents and its due work; with --check, exits with 1 when its file is damaged',
  build: (command) =>
    command.option('--check', 'look for damage in a file, which reads all of it').option(...storeOption),
  example: 'db status --check',
  async run(context, options) {
    const { address, path } = await findStore(context, options);
    const topup = onSameStore(context, options);
    const isChecked = options.check === true;
    if (address.kind === 'postgres' && isChecked)
      throw usageError('--check looks for damage in a store file.', "PostgreSQL's own tool is pg_amcheck.");
    const store = await onStoreFile(context.io, hintsFor(topup), async () => {
      const { inspectDatabase, inspectStore } = await import('@topup-kit/server');
      return withProgress(context, 'Reading the store', async () =>
        address.kind === 'postgres'
          ? inspectDatabase(address.url)
          : inspectStore(address.path, {
              check: isChecked ? 'full' : undefined,
              signal: context.io.signal,
            }),
      );
    });
    await context.print({
      document: statusDocument(path, store, isChecked),
      screen: (style) => statusScreen(path, store, isChecked, style),
    });
    const lines = advice(store, topup);
    if (lines.length > 0) context.remark(`\n${lines.join('\n')}`);
  },
});

export const db = defineGroup('These commands work on the store itself.', [showStatus, copyDatabase]);
