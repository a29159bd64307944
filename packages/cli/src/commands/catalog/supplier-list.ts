import type { ListNow } from '@topup-kit/core/engine';
import type { Store } from '@topup-kit/core/store';
import type { Supplier } from '@topup-kit/core/supplier';
import type { CommandContext } from '../../context.ts';
import { CliError, exitCodes, usageError } from '../../errors/cli-error.ts';
import { readableDuration, readableTime } from '../../output/format.ts';
import type { OperatorStore } from '../../store/open.ts';

const withSettings =
  'Run this with the settings of the server, such as those of its EnvironmentFile:\n  set -a; . /etc/topup/topup.env; set +a';

/** List that was read, and whether it belongs to the shop's first supplier. */
export interface ReadList extends ListNow {
  isFirst: boolean;
}

async function askNow(store: Store, supplier: Supplier): Promise<ListNow> {
  const { refreshSupplierList } = await import('@topup-kit/core/engine');
  try {
    return await refreshSupplierList({ store, supplier, realClock: Date.now, by: `command ${process.pid}` });
  } catch (error) {
    throw new CliError(
      `${supplier.name} sent no product list: ${error instanceof Error ? error.message : String(error)}`,
      { code: 'SUPPLIER', exitCode: exitCodes.network, cause: error, hint: 'Nothing was changed.' },
    );
  }
}

/**
 * Reads the current lists of the configured suppliers. The first supplier comes last, so that its list is the newest. Without settings,
 * returns the last list that a server read.
 */
export async function readSupplierLists(
  { io, remark }: CommandContext,
  { store, path }: Pick<OperatorStore, 'store' | 'path'>,
  only?: string,
): Promise<ReadList[]> {
  const { readSuppliers } = await import('@topup-kit/server/internal');
  const all = readSuppliers(io.environment, remark);
  const asked = all.filter(({ name }) => only === undefined || name === only);
  if (all.length > 0 && asked.length === 0)
    throw usageError(
      `TOPUP_SUPPLIER is ${all.map(({ name }) => name).join(',')}, not ${only}.`,
      withSettings,
    );
  const read: ReadList[] = [];
  for (const supplier of asked.toReversed()) {
    if (!supplier.readProducts) throw usageError(`${supplier.name} provides no product list.`);
    read.push({ ...(await askNow(store, supplier)), isFirst: supplier === all[0] });
  }
  if (all.length > 0) return read;
  const lists = await store.readSupplierLists();
  const list = lists.find((list) => only === undefined || list.supplier === only);
  if (!list)
    throw usageError(
      `No supplier list: set TOPUP_SUPPLIER, or start the server once. No server has read a list into ${path} yet.`,
      withSettings,
    );
  return [{ list, waitMs: 0, isFirst: true }];
}

/** Describes when the list was read, and why it is not current. */
export function listWords({ list, waitMs }: ListNow): string {
  const read = `Used the list from ${list.supplier} of ${readableTime(list.readAt)}`;
  if (!waitMs) return `${read}.`;
  return `${read}, because it accepts no new request for ${readableDuration(waitMs)}.`;
}
