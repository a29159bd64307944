import { isOfStore } from '@topup-kit/core/engine';
import type { ConsoleDependencies } from '../view.ts';
import { waitBriefly } from '../wait-briefly.ts';

/** How long changes of sales are added up before a page is shown, in milliseconds: a report of a big store takes longer at first. */
const mostMs = 50;
const atOnce = 200;

/**
 * Adds up what changed of sales, for a while; returns whether some of it is left for the next page. A store that accepts no changes can
 * still be read.
 */
export async function addUpSales({
  store,
  failure,
}: {
  store: Pick<ConsoleDependencies['store'], 'prepareSales'>;
  failure: ConsoleDependencies['failure'];
}): Promise<boolean> {
  const end = performance.now() + mostMs;
  try {
    while (performance.now() < end && failure() === null) {
      const added = await waitBriefly(store.prepareSales(atOnce));
      if (added !== null && added < atOnce) return false;
    }
  } catch (error) {
    if (!isOfStore(error)) throw error;
  }
  return true;
}
