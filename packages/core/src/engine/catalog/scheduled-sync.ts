import type { Clock } from '../../platform/index.ts';
import type { Store, SupplierList } from '../../store/index.ts';
import type { Emit } from '../events.ts';
import { type EditDependencies, EditError, editCatalog } from './edit.ts';
import { isCurrent } from './listing.ts';
import { syncWith } from './sync.ts';

/** How long a server waits before it looks again for a list, or for a sync that another one has, in milliseconds. */
const pauseMs = 5_000;

/**
 * Lets prices follow the supplier by themselves: a server's own `catalog sync`, which never forces a list that is not trusted. Of several
 * servers one does it.
 */
export function createScheduledSync(deps: {
  store: EditDependencies['store'] & Pick<Store, 'claimWork'>;
  /** Whose lists prices follow, the first one first. */
  suppliers: readonly { name: string }[];
  worldClock: Clock;
  realClock: Clock;
  serverId: string;
  emit: Emit;
  /** The time between two syncs, in milliseconds of real time. */
  syncMs: number;
}): () => Promise<void> {
  const { store, suppliers, worldClock, realClock, serverId, emit, syncMs } = deps;
  let notBefore = Number.NEGATIVE_INFINITY;
  const distrusted = new Map<string, string>();

  /** Says it once, because the list comes again and again. */
  function warn(supplier: string, error: unknown): void {
    if (!(error instanceof EditError)) throw error;
    if (error.message !== distrusted.get(supplier))
      emit({
        type: 'warning',
        warning: `Prices do not follow the supplier: ${error.message} Look at it with topup catalog sync.`,
      });
    distrusted.set(supplier, error.message);
  }

  async function syncWithList(list: SupplierList): Promise<void> {
    const { supplier } = list;
    const isFirst = supplier === suppliers[0]?.name;
    const edit = { store, realClock, operator: null };
    try {
      const { plan } = await editCatalog(edit, 'sync', syncWith(list, { now: worldClock(), isFirst }));
      distrusted.delete(supplier);
      const { prices } = plan;
      if (prices.length > 0) emit({ type: 'prices', supplier, changed: prices.length });
    } catch (error) {
      warn(supplier, error);
    }
  }

  return async () => {
    const now = realClock();
    // Also after the clock was set back.
    if (now < notBefore && now >= notBefore - Math.max(syncMs, pauseMs)) return;
    notBefore = now + pauseMs;
    const all = await store.readSupplierLists();
    const lists = suppliers.flatMap(({ name }) =>
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
    notBefore = now + syncMs;
  };
}
