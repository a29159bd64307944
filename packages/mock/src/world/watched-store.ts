import { done, type Store } from '@topup-kit/core/store';

/** A store that knows without looking when something may fall due. */
export interface WatchedStore {
  store: Store;
  /** Whether something may have fallen due at a moment of world time. */
  mayBeDue(now: number): boolean;
  /** Something falls due at a moment. */
  expect(moment: number): void;
  /** Looks anew, once what was due is done. */
  lookAgain(): Promise<void>;
}

/** Every request asks whether something is due; only when an expected moment has come, the orders are gone through. */
export function watchStore(store: Store): WatchedStore {
  // Nothing is known of the orders that are there already.
  let expected = Number.NEGATIVE_INFINITY;
  const expect = (moment: number): void => {
    expected = Math.min(expected, moment);
  };
  return {
    store: {
      ...store,
      async placeOrder(command) {
        const outcome = await store.placeOrder(command);
        if (outcome === done) expect(command.order.expiresAt);
        return outcome;
      },
      async changeOrder(command) {
        const outcome = await store.changeOrder(command);
        for (const { nextAt } of command.units) if (nextAt !== null) expect(nextAt);
        return outcome;
      },
    },
    mayBeDue: (now) => now >= expected,
    expect,
    async lookAgain() {
      expected = Number.POSITIVE_INFINITY;
      const next = await store.nextDueAt();
      if (next !== null) expect(next);
    },
  };
}
