import type { ListNow } from '@topup-kit/core/engine';
import type { CommandContext } from '../../context.ts';
import { CliError, exitCodes, usageError } from '../../errors/cli-error.ts';
import { readableDuration, readableTime } from '../../output/format.ts';
import type { OperatorStore } from '../../store/open.ts';

const withSettings =
  'Run this with the settings of the server, such as those of its EnvironmentFile:\n  set -a; . /etc/topup/topup.env; set +a';

/** What the supplier of the server's settings sells now; without settings, what a server read last. */
export async function readSupplierList(
  { io }: CommandContext,
  { store, path }: Pick<OperatorStore, 'store' | 'path'>,
  expected?: string,
): Promise<ListNow> {
  const { readSupplier } = await import('@topup-kit/server');
  const supplier = readSupplier(io.environment);
  if (expected !== undefined && supplier && supplier.name !== expected)
    throw usageError(`TOPUP_SUPPLIER is ${supplier.name}, not ${expected}.`, withSettings);
  if (!supplier) {
    const lists = await store.readSupplierLists();
    const list = lists.find((list) => expected === undefined || list.supplier === expected);
    if (list) return { list, waitMs: 0 };
    throw usageError(
      `There is no supplier to ask: TOPUP_SUPPLIER is not set, and no server has read a list into ${path} yet.`,
      withSettings,
    );
  }
  if (!supplier.readProducts) throw usageError(`${supplier.name} has no list of its products.`);
  const { readListNow } = await import('@topup-kit/core/engine');
  try {
    return await readListNow({ store, supplier, realClock: Date.now, by: `command ${process.pid}` });
  } catch (error) {
    throw new CliError(
      `${supplier.name} gave no list: ${error instanceof Error ? error.message : String(error)}`,
      {
        code: 'SUPPLIER',
        exitCode: exitCodes.network,
        cause: error,
        hint: 'Nothing was changed.',
      },
    );
  }
}

/** When the list was read, and why it is not of now. */
export function listWords({ list, waitMs }: ListNow): string {
  const read = `the list of ${list.supplier} of ${readableTime(list.readAt)}`;
  if (waitMs === null) return `By ${read}.`;
  const why = waitMs === 0 ? '' : `, because it takes no other question for ${readableDuration(waitMs)}`;
  return `By ${read}${why}.`;
}
