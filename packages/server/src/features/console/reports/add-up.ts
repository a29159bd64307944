import { isStoreFailure } from '@topup-kit/core/engine';
import type { ConsoleDependencies } from '../view.ts';
import { waitBriefly } from '../wait-briefly.ts';

/** Maximum time for adding up changed sales before a page is shown, in milliseconds. The first report of a big store takes longer. */
const maxAddUpMs = 50;
const salesPerBatch = 200;

/**
 * Adds up changed sales for a limited time. Returns whether some sales are left for the next page. A store that rejects changes can still
 * be read.
 */
export async function addUpSales({
  store,
  failure,
}: {
  store: Pick<ConsoleDependencies['store'], 'prepareSales'>;
  failure: ConsoleDependencies['failure'];
}): Promise<boolean> {
  const end = performance.now() + maxAddUpMs;
  try {
    while (performance.now() < end && failure() === null) {
      const added = await waitBriefly(store.prepareSales(salesPerBatch));
      if (added !== null && added < salesPerBatch) return false;
    }
  } catch (error) {
    if (!isStoreFailure(error)) throw error;
  }
  return true;
}
