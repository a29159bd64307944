import { isOfStore } from '@topup-kit/core/engine';
import type { Store } from '@topup-kit/core/store';
import { waitBriefly } from './wait-briefly.ts';

export interface SeenChange {
  id: string;
  placed: boolean;
}

/** What changed after a place in the sequence of changes. */
export interface ChangesSince {
  /** The place of the last change. */
  position: number;
  orders: readonly SeenChange[];
}

/** The shortest time between two questions to the store, in milliseconds, however many pages ask. */
const intervalMs = 1_000;

/** How many changes are read at once, and are kept for pages that ask late. A page that asks later sees what it shows by itself. */
const readAtOnce = 500;
const maxKept = 2_000;

/** After so many milliseconds in which nobody looked, what happened meanwhile is of no page. */
const idleMs = 60_000;

/**
 * Returns a function that tells what changed after a place. All pages share one question to the store in a second, and no
 * page costs one while nobody looks.
 */
export function createChanges({
  store,
  failure,
  monotonicMs,
}: {
  store: Pick<Store, 'findChanges' | 'lastPosition'>;
  /** Why the store accepts no writes; null while it does. */
  failure: () => Error | null;
  monotonicMs: () => number;
}) {
  let kept: (SeenChange & { position: number })[] = [];
  let position: number | null = null;
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | null = null;

  async function read(): Promise<void> {
    const now = monotonicMs();
    if (position === null || now - readAt > idleMs) position = await store.lastPosition();
    readAt = now;
    // To give changes their places is a change itself: pages would wait for a store that is locked.
    if (failure() !== null) return;
    const changes = await store.findChanges(position, readAtOnce);
    kept = [
      ...kept,
      ...changes.map(({ position, orderId, entry }) => ({ position, id: orderId, placed: entry === null })),
    ].slice(-maxKept);
    position = changes.at(-1)?.position ?? position;
  }

  return async (after: number | null): Promise<ChangesSince> => {
    if (monotonicMs() - readAt >= intervalMs || position === null)
      reading ??= read()
        .catch((error: unknown) => {
          if (!isOfStore(error)) throw error;
        })
        .finally(() => {
          reading = null;
        });
    await waitBriefly(reading ?? Promise.resolve());
    const last = position ?? 0;
    if (after === null) return { position: last, orders: [] };
    return { position: last, orders: kept.filter((change) => change.position > after) };
  };
}
