import type {
  CopyProgress,
  DatabaseInspection,
  Inspection,
  StoreContent,
  StoreFileErrorCode,
} from '@topup-kit/server/internal';
import { CliError, type ExitCode, exitCodes } from '../../errors/cli-error.ts';
import { stopped } from '../../input/prompts.ts';
import type { Io } from '../../io.ts';
import { grouped, isoTimeOrNull, timeOfStore } from '../../output/format.ts';
import type { Fact } from '../../output/table.ts';
import { updateHint, upgradeHints } from '../../service/hints.ts';

/** Next step for each problem. */
export type StoreFileHints = Partial<Record<StoreFileErrorCode, string>>;

/** Codes and exit codes of specific problems. */
const kinds: Partial<Record<StoreFileErrorCode, { code: string; exitCode: ExitCode }>> = {
  missing: { code: 'NOT_FOUND', exitCode: exitCodes.notFound },
  no_folder: { code: 'NOT_FOUND', exitCode: exitCodes.notFound },
  exists: { code: 'FILE_EXISTS', exitCode: exitCodes.rejected },
  damaged: { code: 'DAMAGED', exitCode: exitCodes.failure },
  disk_full: { code: 'DISK_FULL', exitCode: exitCodes.failure },
  served_already: { code: 'STORE_SERVED', exitCode: exitCodes.rejected },
  in_use: { code: 'STORE_IN_USE', exitCode: exitCodes.rejected },
  unfinished: { code: 'STORE_IN_USE', exitCode: exitCodes.rejected },
  own_file: { code: 'STORE_IN_USE', exitCode: exitCodes.rejected },
  needs_upgrade: { code: 'NEEDS_UPGRADE', exitCode: exitCodes.rejected },
  busy: { code: 'STORE_IN_USE', exitCode: exitCodes.rejected },
  is_a_folder: { code: 'STORE_FILE', exitCode: exitCodes.usage },
  not_a_file: { code: 'STORE_FILE', exitCode: exitCodes.usage },
};

/** Advice if this user may not read or write the file. */
export const accessHint =
  "Run the command as the server's user, who may read and write the file, its folder and the files next to it (-wal, -shm).";

const commonHints: StoreFileHints = {
  disk_full: 'The incomplete file was removed. Free some space, or use another disk.',
  in_use: 'Nothing was changed. Wait until it has ended, and try again.',
  busy: 'Nothing was changed. Try again in a moment.',
  not_writable: accessHint,
  not_a_file: 'Nothing was changed. Use a regular file.',
  newer_version: updateHint,
  needs_upgrade: upgradeHints.file,
};

/** Runs work on a store or a backup. A problem of the file becomes a CliError. */
export async function onStoreFile<Value>(
  io: Io,
  hints: StoreFileHints,
  work: () => Promise<Value>,
): Promise<Value> {
  const { StoreFileError } = await import('@topup-kit/server/internal');
  try {
    return await work();
  } catch (error) {
    if (io.signal?.aborted && error === io.signal.reason) throw stopped(io.signal);
    if (!(error instanceof StoreFileError)) throw error;
    const kind = kinds[error.problem] ?? { code: 'STORE_FILE', exitCode: exitCodes.failure };
    const hint = hints[error.problem] ?? commonHints[error.problem];
    throw new CliError(error.message, { ...kind, hint, cause: error });
  }
}

export const factsDocument = ({ formatVersion, mode, orders, newestOrderAt, keys, games }: StoreContent) => ({
  format_version: formatVersion,
  mode,
  orders,
  newest_order_at: isoTimeOrNull(newestOrderAt),
  keys,
  games,
});

export const newestOrder = ({
  newestOrderAt,
  display,
}: Pick<StoreContent, 'newestOrderAt' | 'display'>): string =>
  newestOrderAt === null ? 'none' : timeOfStore(newestOrderAt, display);

export const factLines = (content: StoreContent): Fact[] => [
  ['Orders', grouped(content.orders)],
  ['Newest', newestOrder(content)],
  ['Keys', grouped(content.keys)],
  ['Games', grouped(content.games)],
  ['Mode', content.mode ?? 'none yet'],
];

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'];

/** Formats a size: `1.3 GB`, with 1 GB = 1,000,000,000 bytes. */
export function fileSize(bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
  const format = { style: 'unit', unit: units[power], maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat('en', format).format(bytes / 1000 ** power);
}

export const copyWords = (progress: CopyProgress): string =>
  progress.step === 'verifying'
    ? 'Verifying'
    : `Copying, ${Math.floor((100 * progress.done) / progress.total)} %`;

export type Inspected = Inspection | DatabaseInspection;

export const isServed = (store: Inspected): boolean =>
  'servers' in store ? store.servers.length > 0 : store.server !== null;

/** Returns how to start a server. `topup serve` has no gateway or supplier with real money, so a live store needs its owner's program. */
function startServer({ mode }: Inspected, topup: (args: string) => string): string {
  if (mode === 'live') return 'start your own server on it.';
  return `start one:\n  ${topup('serve --sandbox')}`;
}

/** Returns the next steps for the store file, one or two lines each. `topup` builds a command line for the same store. */
export function upkeep(store: Inspected, topup: (args: string) => string): string[] {
  const waits = store.overdue > 0 || store.reserved > 0;
  return waits && !isServed(store)
    ? [`A server must run to handle overdue and reserved orders: ${startServer(store, topup)}`]
    : [];
}

/** Returns the next steps for the store and its content. */
export const advice = (store: Inspected, topup: (args: string) => string): string[] => [
  ...upkeep(store, topup),
  ...(store.openReconciliations > 0 ? [`See the payments to reconcile:\n  ${topup('payments list')}`] : []),
  ...(store.unknownUnits > 0
    ? [
        `The supplier can't be asked for the outcome of some items: look in the supplier's dashboard. See the orders:\n  ${topup('orders list --buy-status Proses')}`,
      ]
    : []),
];
