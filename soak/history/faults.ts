import { done, type OrderProgress, type StoredOrder } from '../../packages/core/src/features/store.ts';
import { reads, writes } from '../../packages/server/src/features/commands.ts';
import { sql } from '../../packages/server/src/sql/statement.ts';

let cases = 0;

/** Returns true in one of this number of cases. */
function isOneOf(count: number): boolean {
  cases += 1;
  return cases % count === 0;
}

/** Writes a change over a concurrent change, as without a compare-and-set. */
function loseUpdates(): void {
  const { changeOrder } = writes;
  writes.changeOrder = function* (change) {
    const result = yield* changeOrder(change);
    if (!('conflict' in result) || result.conflict !== 'order_changed') return result;
    const [current] = yield [sql`SELECT version FROM orders WHERE order_id = ${change.orderId}`];
    return yield* changeOrder({ ...change, version: Number(current?.rows[0]?.version) });
  };
}

/** Lifetime of the cache of {@link readFromCache}, in milliseconds. */
const cacheMs = 1_000;

/** Makes some polls return cached data. */
function readFromCache(): void {
  const { findProgress } = reads;
  const cache = new Map<string, { at: number; progress: OrderProgress | null }>();
  reads.findProgress = function* (orderId) {
    const cached = cache.get(orderId);
    const now = performance.now();
    if (cached && now - cached.at < cacheMs && isOneOf(2)) return cached.progress;
    const progress = yield* findProgress(orderId);
    cache.set(orderId, { at: now, progress });
    return progress;
  };
}

/** Deletes some keys before they are looked up. */
function forgetKeys(): void {
  const { findIdempotentResponse } = reads;
  const { reserveOrder } = writes;
  const forgotten = new Set<string>();
  reads.findIdempotentResponse = function* (accountId, key) {
    const stored = yield* findIdempotentResponse(accountId, key);
    if (!stored?.body || !isOneOf(20)) return stored;
    forgotten.add(key);
    return null;
  };
  writes.reserveOrder = function* (command) {
    const { key = '', accountId = '' } = command.response ?? {};
    if (forgotten.delete(key))
      yield [sql`DELETE FROM idempotent_responses WHERE account_id = ${accountId} AND key = ${key}`];
    return yield* reserveOrder(command);
  };
}

/** Puts some orders back into delivery after they were delivered. */
function goBack(): void {
  const { changeOrder } = writes;
  let delivered: string | null = null;
  writes.changeOrder = function* (change) {
    const result = yield* changeOrder(change);
    if (delivered !== null && isOneOf(4)) {
      yield [
        sql`UPDATE orders SET buy_status = 'Proses' WHERE order_id = ${delivered} AND buy_status = 'Sukses'`,
      ];
      delivered = null;
    } else if (change.to.buyStatus === 'Sukses') delivered = change.orderId;
    return result;
  };
}

/** Number of changes that {@link commitLater} holds back. */
const mostHeld = 3;

/** Confirms changes before they are stored: this server shows them from its memory, and stores them with a later change. */
function commitLater(): void {
  const { changeOrder } = writes;
  const { findOrder, findProgress } = reads;
  type Change = Parameters<typeof changeOrder>[0];
  let held: Change[] = [];
  const asHeld = <Found extends OrderProgress | StoredOrder>(order: Found | null): Found | null => {
    const change = order && held.findLast(({ orderId }) => orderId === order.orderId);
    return change ? { ...order, ...change.to, version: change.version + 1 } : order;
  };
  reads.findOrder = function* (orderId) {
    return asHeld(yield* findOrder(orderId));
  };
  reads.findProgress = function* (orderId) {
    return asHeld(yield* findProgress(orderId));
  };
  writes.changeOrder = function* (change): ReturnType<typeof changeOrder> {
    if (change.entry?.event === 'paid' && held.length < mostHeld) {
      held.push(change);
      return done;
    }
    const late = held;
    held = [];
    for (const one of late) yield* changeOrder(one);
    return yield* changeOrder(change);
  };
}

/**
 * Faults of a server that the check must find. Each changes the commands of the store before a store is made from them, as a wrong
 * statement, a cache or an early response would.
 */
export const faults = {
  'a lost update': loseUpdates,
  'a stale read': readFromCache,
  'a key forgotten': forgetKeys,
  'a state that goes back': goBack,
  'a commit told before it was one': commitLater,
};
export type Fault = keyof typeof faults;

export const faultNames = Object.keys(faults) as Fault[]; // Safe: these are the keys of a constant table.

/** Plants a fault by its name. */
export function plant(name: string): void {
  const fault = faultNames.find((one) => one === name);
  if (fault) faults[fault]();
  else if (name !== '') throw new Error(`there is no fault ${name}`);
}
