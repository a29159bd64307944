import type { Clock } from '../../platform/index.ts';
import type { Store } from '../../store/index.ts';
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
  supplier: { name: string };
  worldClock: Clock;
  realClock: Clock;
  serverId: string;
  emit: Emit;
  /** The time between two syncs, in milliseconds of real time. */
  syncMs: number;
}): () => Promise<void> {
  const { store, supplier, worldClock, realClock, serverId, emit, syncMs } = deps;
  let notBefore = Number.NEGATIVE_INFINITY;
  let distrusted = '';

  /** Says it once, because the list comes again and again. */
  function warn(error: unknown): void {
    if (!(error instanceof EditError)) throw error;
    if (error.message !== distrusted)
      emit({
        type: 'warning',
        warning: `Prices do not follow the supplier: ${error.message} Look at it with topup catalog sync.`,
      });
    distrusted = error.message;
  }

  return async () => {
    const now = realClock();
    // Also after the clock was set back.
    if (now < notBefore && now >= notBefore - Math.max(syncMs, pauseMs)) return;
    notBefore = now + pauseMs;
    const list = (await store.readSupplierLists()).find((list) => list.supplier === supplier.name);
    if (!list || !isCurrent(list, now)) return;
    const claimed = await store.claimWork(
      ['sync of the catalogue'],
      { by: serverId, until: now + syncMs },
      now,
    );
    if (claimed.length === 0) return;
    try {
      const { plan } = await editCatalog(
        { store, realNow: now, operator: null },
        'sync',
        syncWith(list, worldClock()),
      );
      distrusted = '';
      const { prices } = plan;
      if (prices.length > 0) emit({ type: 'prices', supplier: supplier.name, changed: prices.length });
    } catch (error) {
      warn(error);
    }
    notBefore = now + syncMs;
  };
}
