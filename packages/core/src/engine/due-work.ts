import type { Clock } from '../platform/index.ts';
import { type DeliveryDependencies, deliverUnits } from './delivery.ts';
import { findInterrupted, type RecoveryDependencies, recoverOrder } from './orders/payment-step.ts';
import { happen } from './orders/states.ts';
import { breathe, inTime } from './time.ts';

/** How much of each kind one round takes on, so that a long backlog leaves room for requests. */
const batch = 100;

/** How many rounds follow one another while there is more to do. */
const mostRounds = 20;

/** How many suppliers and gateways are waited for at once. */
const mostAtOnce = 200;

/** What answers at once is waited for; what takes longer goes on by itself (milliseconds of real time). */
const grace = 50;

/** How long what failed is put off, in milliseconds of real time. */
const pause = 30_000;

/** Work that falls due by itself. */
export interface DueWork {
  /** Does what is due now: expires orders, asks suppliers, recovers what a crash left, forgets old answers. */
  run(): Promise<void>;
}

/**
 * Does what falls due. All that is to be done stands in the store, so it goes on where it was after any end of the
 * process, and each piece happens once: every step is a compare-and-set. What fails or is slow holds up nothing else.
 */
export function createDueWork(
  deps: DeliveryDependencies & RecoveryDependencies & { realClock: Clock },
): DueWork {
  const { store, worldClock, realClock, reportError, gateway } = deps;
  const background = createBackground(mostAtOnce, reportError);
  const heldBack = createHeldBack(realClock, pause);
  let running: Promise<void> | undefined;

  /** The first of a list that are not held back, with as many more read as there may be in their way. */
  async function next<Item extends { orderId: string }>(
    limit: number,
    find: (limit: number) => Promise<Item[]>,
  ): Promise<Item[]> {
    const found = limit <= 0 ? [] : await find(limit + heldBack.size());
    return found.filter(({ orderId }) => !heldBack.has(orderId)).slice(0, limit);
  }

  const putOff =
    (orderId: string) =>
    (error: unknown): void => {
      heldBack.add(orderId);
      reportError(error, orderId);
    };

  async function expireOrders(): Promise<number> {
    const now = worldClock();
    const overdue = await next(batch, (limit) => store.findOverdueOrders(now, limit));
    for (const { orderId } of overdue)
      await happen(store, orderId, { event: 'expired', by: 'clock', at: now }).catch(putOff(orderId));
    return overdue.length;
  }

  async function askSuppliers(): Promise<number> {
    const room = Math.min(batch, background.room());
    const due = await next(room, (limit) => store.findDueUnits(worldClock(), limit));
    const orderIds = new Set(due.map(({ orderId }) => orderId));
    for (const orderId of orderIds)
      await deliverUnits(deps, background.start, orderId).catch(putOff(orderId));
    return due.length;
  }

  async function recoverOrders(): Promise<number> {
    if (gateway.kind === 'local') return 0;
    const room = Math.min(batch, background.room());
    const interrupted = await next(room, (limit) => findInterrupted(deps, limit));
    for (const order of interrupted) {
      // Asked about again after a pause, whatever comes of it, so that the next ones have their turn.
      heldBack.add(order.orderId);
      background.start(order.orderId, () => recoverOrder(deps, gateway, order));
    }
    return interrupted.length;
  }

  const kinds = [expireOrders, askSuppliers, recoverOrders, () => store.purgeAnswers(worldClock(), batch)];

  /** One round of each kind; whether any had as much to do as it takes on at once. */
  async function round(): Promise<boolean> {
    let more = false;
    for (const kind of kinds) {
      const count = await kind().catch((error: unknown) => {
        reportError(error, 'due work');
        return 0;
      });
      more ||= count === batch;
    }
    await background.settle(grace);
    return more;
  }

  async function rounds(): Promise<void> {
    for (let count = 0; count < mostRounds && (await round()); count += 1) await breathe();
  }

  return {
    run() {
      running ??= rounds().finally(() => {
        running = undefined;
      });
      return running;
    },
  };
}

/** Work that goes on beside others, each piece once at a time, and is not waited for when it is slow. */
export interface Background {
  /** How many more pieces may be started. */
  room(): number;
  /** Starts a piece of work, unless one of that name is under way. */
  start(name: string, work: () => Promise<unknown>): void;
  /** Waits for all that is under way, and no longer than so many milliseconds. */
  settle(milliseconds: number): Promise<void>;
}

export function createBackground(
  most: number,
  reportError: (error: unknown, about: string) => void,
): Background {
  const underWay = new Map<string, Promise<unknown>>();
  return {
    room: () => most - underWay.size,
    start(name, work) {
      if (underWay.has(name)) return;
      const piece = work()
        .catch((error: unknown) => reportError(error, name))
        .finally(() => underWay.delete(name));
      underWay.set(name, piece);
    },
    async settle(milliseconds) {
      if (underWay.size === 0) return;
      // No piece rejects: what comes here is that the time is over.
      await inTime(Promise.all(underWay.values()), milliseconds, 'slow').catch(() => {});
    },
  };
}

/** Things that failed, put off for a while so that they don't stand in the way of others. */
export interface HeldBack {
  size(): number;
  add(name: string): void;
  has(name: string): boolean;
}

export function createHeldBack(clock: Clock, milliseconds: number): HeldBack {
  const until = new Map<string, number>();
  const forget = (): void => {
    for (const [name, moment] of until) if (moment <= clock()) until.delete(name);
  };
  return {
    size() {
      forget();
      return until.size;
    },
    add: (name) => void until.set(name, clock() + milliseconds),
    has: (name) => (until.get(name) ?? 0) > clock(),
  };
}
