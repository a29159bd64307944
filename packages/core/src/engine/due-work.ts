import type { Clock } from '../platform/index.ts';
import type { Store } from '../store/index.ts';
import { type DeliveryDependencies, deliverUnits } from './delivery/deliver.ts';
import { dueMoment } from './delivery/purchase.ts';
import type { EmitEvent } from './events.ts';
import { createFailures, type Failures, isStoreFailure } from './failures.ts';
import type { Keyring } from './keys.ts';
import { applyEvent } from './orders/change-order.ts';
import { findInterrupted, type PaymentDependencies, recoverOrder } from './orders/recover.ts';
import { createPaymentPolling } from './payment-polling.ts';
import { batchSize, type House, type Room, type StartTask } from './rooms.ts';
import { allSuppliers } from './suppliers.ts';
import { withTimeout, yieldToEventLoop } from './waiting.ts';

/** Maximum number of rounds in one run. */
const maxRounds = 20;

/** Maximum number of requests to suppliers and gateways in flight, from all servers of the store. */
const maxInFlight = 200;

/** Number of orders with due deliveries to mark in parallel. Each of them waits for the store several times. */
const ordersAtOnce = 8;

/** Duration of a server's claim on work, in milliseconds of real time: longer than any work takes. */
const leaseMs = 30_000;

/** Time that a round waits for its requests, in milliseconds of real time. After that, they continue in the background. */
const roundWaitMs = 50;

/** Number of changes that are indexed for searches in one batch, and the pauses after a full and a partial batch, in milliseconds. */
const indexedAtOnce = 200;
const indexPauseMs = 1_000;
const idleIndexPauseMs = 5_000;

/** Runs a background task, such as `deliver`, for an item: an order, or one of its purchases. */
export type RunTracked = <Result>(kind: string, item: string, work: () => Promise<Result>) => Promise<Result>;

/** Background tasks. Only one task of each name runs at a time. */
interface BackgroundTasks {
  /** Number of additional tasks that may start now. */
  capacity(): number;
  /** Starts a task, unless a task with this name is running. Resolves when it ends, even if it fails. */
  start(name: string, task: () => Promise<unknown>): Promise<void>;
  /** Waits for all running tasks, at most `timeoutMs`. */
  settle(timeoutMs: number): Promise<void>;
}

function createBackgroundTasks(limit: () => number, failures: Failures): BackgroundTasks {
  const running = new Map<string, Promise<void>>();
  return {
    // The number of running tasks may exceed the limit, because an order may have many units.
    capacity: () => Math.max(0, limit() - running.size),
    start(name, task) {
      const present = running.get(name);
      if (present) return present;
      const started = task()
        .then(
          () => failures.forget(name),
          (error: unknown) => failures.report(error, name),
        )
        .finally(() => void running.delete(name));
      running.set(name, started);
      return started;
    },
    async settle(timeoutMs) {
      // No task rejects, so the only error here is the time-out.
      await withTimeout(Promise.all(running.values()), timeoutMs, 'slow').catch(() => {});
    },
  };
}

/** Creates a function that claims an item, batched per turn of the event loop. It resolves with true if this server has the item. */
function createClaims(
  store: Pick<Store, 'claimWork'>,
  { by, clock }: { by: string; clock: Clock },
): (name: string) => Promise<boolean> {
  let gathered: string[] = [];
  let claimed: Promise<ReadonlySet<string>> | undefined;
  async function claimGathered(): Promise<ReadonlySet<string>> {
    await Promise.resolve();
    const names = gathered;
    gathered = [];
    claimed = undefined;
    const now = clock();
    return new Set(await store.claimWork(names, { by, until: now + leaseMs }, now));
  }
  return async (name) => {
    gathered.push(name);
    claimed ??= claimGathered();
    return (await claimed).has(name);
  };
}

/** Work that becomes due without a request. */
export interface DueWork {
  /**
   * Does all work that is due now: expires orders, calls suppliers, recovers interrupted orders, deletes old responses, stores when keys
   * were last used, and does the work of rooms.
   */
  run(): Promise<void>;
}

/**
 * Creates a function that does work when it becomes due. The list of this work is in the store, so a restart loses nothing. Every step is a
 * compare-and-set, so it is done only once. Work that sends requests is claimed first, so that two servers don't send the same requests; a
 * delivery is claimed by marking it before the request. An item that fails or is slow doesn't delay other items.
 */
export function createDueWork(
  deps: DeliveryDependencies &
    PaymentDependencies &
    Omit<House, 'isOurs' | 'start' | 'startClaimed' | 'capacity'> & {
      keys: Pick<Keyring, 'recordUses'>;
      watchWork: RunTracked;
      rooms: readonly Room[];
    },
): DueWork {
  const { store, worldClock, monotonicClock, emit, gateway, keys, watchWork } = deps;
  const failures = createFailures(monotonicClock, emit);
  /** Failures of recoveries are separate, because the task of a recovery succeeds even if it learned nothing. */
  const recoveries = createFailures(monotonicClock, emit);
  const emitOnce: EmitEvent = (event) =>
    event.type === 'error' ? recoveries.report(event.error, event.about) : emit(event);
  const background = createBackgroundTasks(
    () => Math.ceil(maxInFlight / deps.countServers()),
    createFailures(monotonicClock, emit),
  );
  const polling =
    gateway.kind === 'remote' && gateway.checkPayment
      ? createPaymentPolling(deps, {
          // The method is bound, because an adapter may be an instance of a class.
          checkPayment: gateway.checkPayment.bind(gateway),
          checkIntervalMs: gateway.checkIntervalMs,
        })
      : null;
  const startAs =
    (kind: string): StartTask =>
    (name, task, item = name) =>
      background.start(name, () => watchWork(kind, item, task));
  const isOurs = createClaims(store, { by: deps.serverId, clock: deps.realClock });
  const startClaimedAs =
    (kind: string): StartTask =>
    (name, task, item = name) =>
      background.start(name, async () => {
        if (await isOurs(name)) await watchWork(kind, item, task);
      });
  const start = {
    delivery: startAs('deliver'),
    recovery: startClaimedAs('recover order'),
    check: startClaimedAs('check payment'),
  };
  let nextIndexing = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | undefined;
  let following: Promise<void> | undefined;

  /** Returns the first items that are not postponed. It reads more items than needed, because postponed items may come first. */
  async function next<Item extends { orderId: string }>(
    limit: number,
    find: (limit: number) => Promise<Item[]>,
    postponed = failures,
  ): Promise<Item[]> {
    const items = await find(limit + postponed.countPostponed());
    return items.filter(({ orderId }) => !postponed.isPostponed(orderId)).slice(0, limit);
  }

  /** Handles one item. Rejects only for a problem of the store, which concerns all items. */
  async function attempt(name: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
      failures.forget(name);
    } catch (error) {
      if (isStoreFailure(error)) throw error;
      failures.postpone(name);
      failures.report(error, name);
    }
  }

  async function expireOrders(): Promise<number> {
    const now = worldClock();
    const overdue = await next(batchSize, (limit) => store.findOverdueOrders(now, limit));
    const event = { event: 'expired', by: 'clock', at: now } as const;
    for (const order of overdue)
      await attempt(order.orderId, () => applyEvent(store, order.orderId, event, order));
    return overdue.length;
  }

  async function askSuppliers(): Promise<number> {
    const room = Math.min(batchSize, background.capacity());
    const at = dueMoment(allSuppliers(deps), worldClock());
    const due = await next(room, (limit) => store.findDueUnits(at, limit));
    const orderIds = new Set(due.map(({ orderId }) => orderId)).values();
    const work = async (): Promise<void> => {
      for (const orderId of orderIds)
        await attempt(orderId, () => deliverUnits(deps, start.delivery, orderId));
    };
    // This waits for all workers, so that no order is started twice.
    for (const result of await Promise.allSettled(Array.from({ length: ordersAtOnce }, work)))
      if (result.status === 'rejected') throw result.reason;
    return due.length;
  }

  async function recoverOrders(): Promise<number> {
    if (gateway.kind === 'local') return 0;
    const room = Math.min(batchSize, background.capacity());
    const interrupted = await next(room, (limit) => findInterrupted(deps, limit), recoveries);
    for (const order of interrupted) {
      // The order is postponed even after a success, so that later orders get their turn.
      recoveries.postpone(order.orderId);
      void start.recovery(order.orderId, () => recoverOrder({ ...deps, emit: emitOnce }, gateway, order));
    }
    return interrupted.length;
  }

  /** Indexes one batch, because a search processes the remaining changes itself. */
  async function indexForSearch(): Promise<void> {
    if (monotonicClock() < nextIndexing) return;
    const count = await store.indexForSearch(indexedAtOnce);
    nextIndexing = monotonicClock() + (count === indexedAtOnce ? indexPauseMs : idleIndexPauseMs);
  }

  const house = {
    ...deps,
    isOurs,
    start: startAs,
    startClaimed: startClaimedAs,
    capacity: background.capacity,
  };

  /** Kinds of work. A kind that works in batches returns the number of items. */
  const kinds = new Map<string, () => Promise<unknown> | undefined>([
    // Payments are checked before orders expire, so that payments that expired while no server ran are checked as well.
    ['check payments', () => polling?.run(Math.min(batchSize, background.capacity()), start.check)],
    ['expire orders', expireOrders],
    ['ask suppliers', askSuppliers],
    ['recover orders', recoverOrders],
    ['delete old responses', () => store.dropIdempotentResponses(worldClock(), batchSize)],
    ['store when keys were last used', () => keys.recordUses()],
    ['let orders be found', indexForSearch],
    ...deps.rooms.flatMap((room) => Object.entries(room(house))),
  ]);

  /** Runs one batch of a kind; true if the batch was full. A failed kind is tried again in the next run, because nothing else does it. */
  async function isFull(name: string, kind: () => Promise<unknown> | undefined): Promise<boolean> {
    try {
      const count = await kind();
      failures.forget(name);
      return count === batchSize;
    } catch (error) {
      failures.report(error, name);
      return false;
    }
  }

  /** Runs one batch of each kind; true if any batch was full, so that there may be more. */
  async function round(): Promise<boolean> {
    let more = false;
    for (const [name, kind] of kinds) if (await isFull(name, kind)) more = true;
    await background.settle(roundWaitMs);
    return more;
  }

  async function rounds(): Promise<void> {
    for (let count = 0; count < maxRounds && (await round()); count += 1) await yieldToEventLoop();
  }

  function begin(): Promise<void> {
    running ??= rounds().finally(() => {
      running = undefined;
    });
    return running;
  }

  return {
    run() {
      if (!running) return begin();
      const follow = (): Promise<void> => {
        following = undefined;
        return begin();
      };
      // The current run may have missed work that became due after its start.
      following ??= running.then(follow, follow);
      return following;
    },
  };
}
