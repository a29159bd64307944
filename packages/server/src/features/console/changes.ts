import { isStoreFailure } from '@topup-kit/core/engine';
import type { Store } from '@topup-kit/core/store';
import { waitBriefly } from './wait-briefly.ts';

export interface SeenChange {
  id: string;
  placed: boolean;
}

export interface ChangesSince {
  /** The position of the last change. */
  position: number;
  orders: readonly SeenChange[];
}

/** Minimum time between two queries of the store, in milliseconds, for all pages together. */
const intervalMs = 1_000;

/** Maximum number of changes per query, and of changes kept for late pages. A page that is even later reloads all of its content. */
const readAtOnce = 500;
const maxKept = 2_000;

/** Time without an open page after which the kept changes are discarded, in milliseconds. */
const idleMs = 60_000;

/**
 * Creates a function that reads the changes after a position. All pages share one query per second, and no query is made while no page is
 * open.
 */
export function createChanges({
  store,
  failure,
  monotonicMs,
}: {
  store: Pick<Store, 'findChanges' | 'lastPosition'>;
  /** Reason why the store rejects writes; null while it accepts them. */
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
    // Numbering changes is a write, so pages would wait for a locked store.
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
          if (!isStoreFailure(error)) throw error;
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
