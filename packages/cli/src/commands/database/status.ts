import type {
  DatabaseInfo,
  DatabaseInspection,
  Inspection,
  StoreContent,
  StoreInfo,
} from '@topup-kit/server/internal';
import type { CommandContext } from '../../context.ts';
import { defineCommand, defineGroup } from '../../define-command.ts';
import { usageError } from '../../errors/cli-error.ts';
import { clockAhead, grouped, isoTimeOrNull, readableTime } from '../../output/format.ts';
import { withProgress } from '../../output/progress.ts';
import { type OutputStyle, type Style, statusStyle } from '../../output/style.ts';
import { type ColumnOf, type Fact, factList, list, tableOf } from '../../output/table.ts';
import { upgradeHints } from '../../service/hints.ts';
import {
  type FoundStore,
  findStore,
  onSameStore,
  type SharedAddress,
  storeOption,
} from '../../store/open.ts';
import { copyDatabase } from './copy.ts';
import { advice, factsDocument, fileSize, type Inspected, newestOrder, onStoreFile } from './store-file.ts';
import { upgradeDatabase } from './upgrade.ts';
import { verifyDatabase } from './verify.ts';

const columns: ColumnOf<Inspected['states'][number]>[] = [
  [{ title: 'PAYMENT', style: statusStyle }, ({ paymentStatus }) => paymentStatus],
  [{ title: 'DELIVERY', style: statusStyle }, ({ buyStatus }) => buyStatus],
  [{ title: 'ORDERS', align: 'right' }, ({ count }) => grouped(count)],
];

const formatWords = ({ formatVersion, newestFormat }: StoreContent): string =>
  formatVersion === newestFormat ? `${formatVersion}, the newest` : `${formatVersion} of ${newestFormat}`;

const sizeWords = ({ bytes, logBytes }: Inspection): string =>
  logBytes === 0 ? fileSize(bytes) : `${fileSize(bytes)}, and ${fileSize(logBytes)} in its log`;

type Running = Pick<Inspection, 'server'> | Pick<DatabaseInspection, 'servers'>;

const serverWords = ({ server }: Pick<Inspection, 'server'>): string =>
  server ? [`pid ${server.pid}`, server.address].filter(Boolean).join(', ') : 'none runs on it';

const dueWords = ({ nextDueAt, overdue }: Inspected): string =>
  [
    nextDueAt === null ? 'nothing' : readableTime(nextDueAt),
    ...(overdue > 0 ? [`overdue: ${grouped(overdue)}`] : []),
  ].join(', ');

const catalogWords = ({ games, products, promos }: Inspected): string =>
  `games: ${grouped(games)}, products: ${grouped(products)}, promos: ${grouped(promos)}`;

const ifAny = (count: number): string | null => (count === 0 ? null : grouped(count));

/** Describes the storage. Only a file is checked for damage. */
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

function serverLines(store: Running): Fact[] {
  if (!('servers' in store)) return [['Server', serverWords(store)]];
  const [first = 'none runs on it', ...others] = store.servers;
  return [['Servers', first], ...others.map((server): Fact => ['', server])];
}

function factsOf(path: string, store: Inspected, isChecked: boolean): Fact[] {
  const overdue: Style | undefined = store.overdue > 0 ? 'waiting' : undefined;
  return [
    ...storageOf(path, store, isChecked),
    ['Mode', store.mode ?? 'none yet'],
    ...serverLines(store),
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
    ['Items', store.unknownUnits === 0 ? null : `with unknown outcome: ${store.unknownUnits}`, 'waiting'],
  ];
}

export function statusScreen(path: string, store: Inspected, isChecked: boolean, style: OutputStyle): string {
  const states = tableOf(columns, store.states, { ...style, indent: 2 });
  return [list(factsOf(path, store, isChecked), style), ...(states === '' ? [] : [states])].join('\n');
}

const serversDocument = (store: Running) =>
  'servers' in store
    ? { servers: store.servers }
    : { server: store.server && { pid: store.server.pid, address: store.server.address ?? null } };

export const statusDocument = (path: string, store: Inspected, isChecked: boolean) => ({
  store: path,
  ...('servers' in store
    ? { bytes: store.bytes }
    : { check: isChecked ? 'full' : null, bytes: store.bytes, log_bytes: store.logBytes }),
  ...factsDocument(store),
  newest_format: store.newestFormat,
  ...serversDocument(store),
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
  next_due_at: isoTimeOrNull(store.nextDueAt),
  overdue: store.overdue,
  open_reconciliations: store.openReconciliations,
  unknown_units: store.unknownUnits,
});

/** Facts about a store of an older format that can be read before its upgrade. */
type Outdated = StoreInfo | DatabaseInfo;

const readFacts = async (address: SharedAddress): Promise<Outdated> => {
  const { readDatabaseInfo, readStoreInfo } = await import('@topup-kit/server/internal');
  return address.kind === 'postgres' ? readDatabaseInfo(address.url) : readStoreInfo(address.path);
};

const needsUpgrade = (error: unknown): boolean =>
  error instanceof Error && 'problem' in error && error.problem === 'needs_upgrade';

async function printOutdated(
  context: CommandContext,
  { address, path }: FoundStore,
  topup: (args: string) => string,
): Promise<void> {
  const store = await readFacts(address);
  const { findServer } = await import('@topup-kit/server/internal');
  const running: Running =
    'servers' in store ? store : { server: address.kind === 'file' ? findServer(address.path) : null };
  await context.print({
    document: {
      store: path,
      ...factsDocument(store),
      newest_format: store.newestFormat,
      ...serversDocument(running),
    },
    screen: factList([
      [address.kind === 'file' ? 'File' : 'Database', path],
      ['Format', formatWords(store), 'waiting'],
      ['Mode', store.mode ?? 'none yet'],
      ...serverLines(running),
      ['Keys', grouped(store.keys)],
      ['Games', grouped(store.games)],
      ['Orders', grouped(store.orders)],
      ['Newest', newestOrder(store)],
    ]),
  });
  context.remark(
    `\nThis version needs a newer format, and shows the rest after an upgrade:\n  ${topup('db upgrade')}\n${upgradeHints[address.kind]}`,
  );
}

const hintsFor = (topup: (args: string) => string) => ({
  missing: 'Use another store with --store or TOPUP_STORE.',
  damaged: `Stop the server, copy the file and the files next to it, and restore\nthe last good backup:\n  ${topup('restore <backup>')}`,
});

const showStatus = defineCommand({
  name: 'status',
  description:
    'Show the state of a store, its contents and its due work; with --check, exits with 1 when its file is damaged',
  build: (command) => command.option('--check', 'check the whole file for damage').option(...storeOption),
  example: 'db status --check',
  async run(context, options) {
    const located = await findStore(context, options);
    const { address, path } = located;
    const topup = onSameStore(context, options);
    const isChecked = options.check === true;
    if (address.kind === 'postgres' && isChecked)
      throw usageError('--check looks for damage in a store file.', "PostgreSQL's own tool is pg_amcheck.");
    const store = await onStoreFile(context.io, hintsFor(topup), async () => {
      const { inspectDatabase, inspectStore } = await import('@topup-kit/server/internal');
      return withProgress(context, 'Reading the store', async () =>
        address.kind === 'postgres'
          ? inspectDatabase(address.url)
          : inspectStore(address.path, {
              check: isChecked ? 'full' : undefined,
              signal: context.io.signal,
            }),
      ).catch((error: unknown) => {
        if (needsUpgrade(error)) return null;
        throw error;
      });
    });
    if (store === null) return printOutdated(context, located, topup);
    await context.print({
      document: statusDocument(path, store, isChecked),
      screen: (style) => statusScreen(path, store, isChecked, style),
    });
    const lines = advice(store, topup);
    if (lines.length > 0) context.remark(`\n${lines.join('\n')}`);
  },
});

export const noun = defineGroup('These commands work on the store itself.', [
  showStatus,
  verifyDatabase,
  upgradeDatabase,
  copyDatabase,
]);
