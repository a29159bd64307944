import { isCurrent } from '../../../engine/catalog/supplier-lists.ts';
import type { House, Room } from '../../../engine/rooms.ts';
import { allSuppliers, type ConfiguredSuppliers } from '../../../engine/suppliers.ts';
import type { Store, SupplierList } from '../../../store/index.ts';
import { editCatalog } from '../edit.ts';
import { EditError } from '../edit-errors.ts';
import { keptOutWords } from '../margins.ts';
import type { CatalogStore } from '../store.ts';
import { planCatalogSync } from '../sync.ts';

/** Time that a server waits before it checks again for a list, or for another server's sync, in milliseconds. */
const pauseMs = 5_000;

/**
 * Creates the due work that syncs prices with the supplier every `syncMs` milliseconds of real time, like `catalog sync` without force.
 * Only one of several servers does it.
 */
export const followPrices =
  (store: Store & CatalogStore, syncMs: number): Room =>
  (house) => ({ "follow the supplier's prices": createScheduledSync(store, syncMs, house) });

type SyncHouse = Pick<House, 'worldClock' | 'realClock' | 'serverId' | 'emit'> &
  ConfiguredSuppliers<{ name: string }>;

export function createScheduledSync(
  store: Store & CatalogStore,
  syncMs: number,
  house: SyncHouse,
): () => Promise<void> {
  const { worldClock, realClock, serverId, emit } = house;
  let notBefore = Number.NEGATIVE_INFINITY;
  let syncedRevision: number | null = null;
  const warned = new Map<string, string | null>();

  /** Warns once, because the supplier sends the same list again and again. */
  function warn(supplier: string, why: string | null): void {
    if (why !== null && why !== warned.get(supplier))
      emit({
        type: 'warning',
        warning: `Prices do not follow the supplier: ${why} Look at it with topup catalog sync.`,
      });
    warned.set(supplier, why);
  }

  async function syncWithList(list: SupplierList): Promise<void> {
    const { supplier } = list;
    const isFirst = supplier === house.supplier.name;
    const edit = { store, realClock, operator: null };
    try {
      const { plan } = await editCatalog(edit, 'sync', planCatalogSync(list, { now: worldClock(), isFirst }));
      const { prices, keptOut } = plan;
      warn(supplier, keptOut.length === 0 ? null : `kept out ${keptOutWords(keptOut).en}.`);
      if (prices.length > 0) emit({ type: 'prices', supplier, changed: prices.length });
    } catch (error) {
      if (!(error instanceof EditError)) throw error;
      warn(supplier, error.message);
    }
  }

  return async () => {
    const now = realClock();
    // The lower bound lets the sync run even if the clock was set back.
    if (now < notBefore && now >= notBefore - Math.max(syncMs, pauseMs)) return;
    const revision = await store.revision();
    // No list, rule or price has changed.
    if (revision === syncedRevision) {
      notBefore = now + syncMs;
      return;
    }
    notBefore = now + pauseMs;
    if ((await store.readMargins()).length === 0) return;
    const all = await store.readSupplierLists();
    const lists = allSuppliers(house).flatMap(({ name }) =>
      all.filter((list) => list.supplier === name && isCurrent(list, now)),
    );
    if (lists.length === 0) return;
    const claimed = await store.claimWork(
      ['sync of the catalogue'],
      { by: serverId, until: now + syncMs },
      now,
    );
    if (claimed.length === 0) return;
    for (const list of lists) await syncWithList(list);
    syncedRevision = revision;
    notBefore = now + syncMs;
  };
}
