import type { CheckPayment } from '../gateway/index.ts';
import type { Clock } from '../platform/index.ts';
import type { ExpiringPayment, Store, StoredOrder } from '../store/index.ts';
import type { Emit } from './events.ts';
import { createFailures, isOfStore } from './failures.ts';
import { isElsewhere } from './orders/recover.ts';
import { askForReport } from './payment-event.ts';
import { handlePaymentEvent } from './payments.ts';

interface PollingDependencies {
  store: Store;
  gateway: { name: string };
  worldClock: Clock;
  emit: Emit;
  countServers: () => number;
}

/** The least time between two passes over all payments, in milliseconds of world time. */
const passInterval = 5_000;

/** How many payments are read at once, and how many times in one run, so that requests are served in between. */
const pageSize = 100;
const maxPages = 20;

/** How many questions may be in flight at once, from all servers of the store. */
const maxInFlight = 20;

/** The first gap between two questions about a payment, and the longest one, in milliseconds. */
const minGap = 15_000;
const maxGap = 10 * 60_000;

/** When an expired payment is still asked about, in milliseconds from its expiry: its callback may be lost for good. */
const lateMoments = [0, 5 * 60_000, 60 * 60_000, 6 * 60 * 60_000, 24 * 60 * 60_000];
/** For how long after its expiry a payment is still looked for. */
export const lateMs = Math.max(...lateMoments) + maxGap;

/** So many failed questions one after the other mean that the gateway is down. */
const manyFailures = 5;

/**
 * How many questions about a payment are due until a moment: the first ones at ages that double, then one in each longest
 * gap, and a few after the expiry. It depends on nothing but the payment, so that no schedule has to be kept.
 */
function countMoments({ createdAt, expiresAt }: ExpiringPayment, least: number): (until: number) => number {
  const first = Math.max(minGap, least);
  const last = Math.max(maxGap, least);
  const doublings = Math.ceil(Math.log2(last / first));
  const steadyAge = first * 2 ** doublings;
  return (until) => {
    const age = Math.min(until, expiresAt) - createdAt;
    const late = lateMoments.filter((moment) => until >= expiresAt + moment).length;
    if (age < first) return late;
    if (age < steadyAge) return late + 1 + Math.floor(Math.log2(age / first));
    return late + 1 + doublings + Math.floor((age - steadyAge) / last);
  };
}

/** A walk over all payments, in the order of their expiry. It asks about those with a moment after `since`. */
interface Pass {
  since: number;
  until: number;
  status: 'UNPAID' | 'EXPIRED';
  after: Pick<ExpiringPayment, 'expiresAt' | 'orderId'>;
}

/** Asks a gateway about open payments, because callbacks get lost. */
interface PaymentPolling {
  /** Starts at most `room` questions that are due; returns how many. */
  run(
    room: number,
    start: (name: string, task: () => Promise<unknown>, item: string) => Promise<void>,
  ): Promise<number>;
}

/**
 * Every open payment is asked about when the process starts, and then with growing gaps until it has an outcome; an
 * expired one for another day, because it may have been paid in its last moments. While the gateway is down, it gets one
 * question after each of growing pauses. Nobody is asked about a payment of another gateway. Nothing is stored, and the memory
 * that it needs doesn't grow with the number of payments.
 */
export function createPaymentPolling(
  { store, gateway, worldClock, emit, countServers }: PollingDependencies,
  { checkPayment, checkIntervalMs = 0 }: { checkPayment: CheckPayment; checkIntervalMs?: number | undefined },
): PaymentPolling {
  /** A question may be late by the time between two passes, and the next one must not be too early then. */
  const leastGap = checkIntervalMs + passInterval;
  const errors = createFailures(worldClock, emit);
  /** When payments were asked about, as long as that is too soon to ask again. */
  const asked = new Map<string, number>();
  let pass: Pass | null = null;
  let lastUntil = Number.NEGATIVE_INFINITY;
  let inFlight = 0;
  let failures = 0;
  let pausedUntil = Number.NEGATIVE_INFINITY;
  let lastRun = Number.NEGATIVE_INFINITY;

  function noteFailure(now: number): void {
    // Those that were in flight when the pause began say nothing new.
    if (now < pausedUntil) return;
    failures += 1;
    if (failures >= manyFailures)
      pausedUntil = now + Math.min(maxGap, minGap * 2 ** (failures - manyFailures));
  }

  async function ask({ orderId, payment, pricing }: StoredOrder): Promise<void> {
    const question = { orderId, reference: payment.reference, amount: pricing.total_price };
    const report = await askForReport(checkPayment, question);
    failures = 0;
    errors.forget(orderId);
    if (report.status !== 'open')
      await handlePaymentEvent(
        { store, now: worldClock(), emit },
        { ...report, reference: payment.reference },
      );
  }

  async function question(orderId: string): Promise<void> {
    try {
      const order = await store.findOrder(orderId);
      const isOpen = order?.paymentStatus === 'UNPAID' || order?.paymentStatus === 'EXPIRED';
      if (isOpen && !isElsewhere(gateway, order)) await ask(order);
    } catch (error) {
      // The gateway is not to blame for a problem of the store.
      if (isOfStore(error)) return;
      noteFailure(worldClock());
      errors.report(error, orderId);
    }
  }

  /** How long ago something was is not known when the clock was set back: that of a machine, or of a sandbox. */
  function forgetMoments(now: number): void {
    lastUntil = Math.min(lastUntil, now);
    pausedUntil = Number.NEGATIVE_INFINITY;
    asked.clear();
  }

  /** The pass in progress, or a new one if it is time for it. */
  function currentPass(now: number): Pass | null {
    if (pass || now - lastUntil < passInterval) return pass;
    for (const [orderId, at] of asked) if (now - at >= leastGap) asked.delete(orderId);
    const after = { expiresAt: Number.MIN_SAFE_INTEGER, orderId: '' };
    pass = { since: lastUntil, until: now, status: 'UNPAID', after };
    return pass;
  }

  /** Unpaid orders first: one that expires meanwhile is met among the expired ones again, and not left out. */
  function endOfStatus(current: Pass): void {
    if (current.status === 'EXPIRED') {
      lastUntil = current.until;
      pass = null;
    } else {
      const after = { expiresAt: current.until - lateMs, orderId: '' };
      pass = { ...current, status: 'EXPIRED', after };
    }
  }

  function isDue({ since, until }: Pass, payment: ExpiringPayment, now: number): boolean {
    const askedAt = asked.get(payment.orderId);
    if (askedAt !== undefined && now - askedAt < Math.max(checkIntervalMs, passInterval)) return false;
    // The clock was set back: how old the payment is can't be said.
    if (payment.createdAt > now) return Math.floor(until / maxGap) > Math.floor(since / maxGap);
    const moments = countMoments(payment, leastGap);
    return moments(until) > moments(since);
  }

  return {
    async run(room, start) {
      const now = worldClock();
      if (now < lastRun) forgetMoments(now);
      lastRun = now;
      if (now < pausedUntil) return 0;
      const ownShare = Math.ceil(maxInFlight / countServers());
      const limit = Math.min(room, ownShare - inFlight, failures >= manyFailures ? 1 : room);
      let started = 0;
      for (let pages = 0; pages < maxPages && started < limit; pages += 1) {
        const current = currentPass(now);
        if (!current) break;
        const page = await store.findPaymentsByExpiry(current.status, current.after, pageSize);
        for (const payment of page) {
          if (started >= limit) return started;
          current.after = payment;
          if (!isDue(current, payment, now)) continue;
          asked.set(payment.orderId, now);
          started += 1;
          inFlight += 1;
          void start(
            `payment of ${payment.orderId}`,
            () => question(payment.orderId),
            payment.orderId,
          ).finally(() => {
            inFlight -= 1;
          });
        }
        if (page.length < pageSize) endOfStatus(current);
      }
      return started;
    },
  };
}
