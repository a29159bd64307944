import type { CheckPayment } from '../gateway/index.ts';
import type { Clock } from '../platform/index.ts';
import type { ExpiringPayment, Store, StoredOrder } from '../store/index.ts';
import type { EmitEvent } from './events.ts';
import { createFailures, isStoreFailure } from './failures.ts';
import { isElsewhere } from './orders/recover.ts';
import { askForReport } from './payment-event.ts';
import { handlePaymentEvent } from './payments.ts';

interface PollingDependencies {
  store: Store;
  gateway: { name: string };
  worldClock: Clock;
  emit: EmitEvent;
  countServers: () => number;
}

/** Minimum time between two passes over all payments, in milliseconds of world time. */
const passInterval = 5_000;

/** Maximum number of payments per read, and of reads per run, so that requests are served in between. */
const pageSize = 100;
const maxPages = 20;

/** Maximum number of checks in flight, from all servers of the store. */
const maxInFlight = 20;

/** First and longest interval between two checks of a payment, in milliseconds. */
const minGap = 15_000;
const maxGap = 10 * 60_000;

/** Times of checks in milliseconds after a payment's expiry. They are needed because a callback may be lost permanently. */
const lateMoments = [0, 5 * 60_000, 60 * 60_000, 6 * 60 * 60_000, 24 * 60 * 60_000];
/** Time after its expiry for which a payment is still checked, in milliseconds. */
export const lateMs = Math.max(...lateMoments) + maxGap;

/** Number of failures in a row after which the gateway counts as down. */
const manyFailures = 5;

/**
 * Creates a function that counts a payment's checks that are due until a given time: the first ones at ages that double, then one in each
 * longest interval, and a few after the expiry. The result depends only on the payment, so no schedule is stored.
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

/** A pass over all payments, sorted by their expiry. It checks payments whose checks became due after `since`. */
interface Pass {
  since: number;
  until: number;
  status: 'UNPAID' | 'EXPIRED';
  after: Pick<ExpiringPayment, 'expiresAt' | 'orderId'>;
}

/** Checks open payments at a gateway, because callbacks get lost. */
interface PaymentPolling {
  /** Starts at most `room` due checks, and returns their number. */
  run(
    room: number,
    start: (name: string, task: () => Promise<unknown>, item: string) => Promise<void>,
  ): Promise<number>;
}

/**
 * Creates polling of payments. It checks every open payment when the process starts, and then at growing intervals until the payment has an
 * outcome. It continues for a day after the expiry, because the customer may have paid at the last moment. While the gateway is down, it
 * sends single checks with growing pauses between them. It never checks payments of another gateway. It stores nothing, and its memory
 * doesn't grow with the number of payments.
 */
export function createPaymentPolling(
  { store, gateway, worldClock, emit, countServers }: PollingDependencies,
  { checkPayment, checkIntervalMs = 0 }: { checkPayment: CheckPayment; checkIntervalMs?: number | undefined },
): PaymentPolling {
  /** Minimum interval between two checks. A check may be late by the time between two passes, and the next one must not be too early. */
  const leastGap = checkIntervalMs + passInterval;
  const errors = createFailures(worldClock, emit);
  /** Times of the last checks of payments for which another check would be too early. */
  const asked = new Map<string, number>();
  let pass: Pass | null = null;
  let lastUntil = Number.NEGATIVE_INFINITY;
  let inFlight = 0;
  let failures = 0;
  let pausedUntil = Number.NEGATIVE_INFINITY;
  let lastRun = Number.NEGATIVE_INFINITY;

  function noteFailure(now: number): void {
    // Failures of checks that were in flight when the pause started don't count.
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
      // A problem of the store is not the gateway's fault.
      if (isStoreFailure(error)) return;
      noteFailure(worldClock());
      errors.report(error, orderId);
    }
  }

  /** Forgets the times if the clock was set back, on the machine or in a sandbox, because the ages are unknown then. */
  function forgetMoments(now: number): void {
    lastUntil = Math.min(lastUntil, now);
    pausedUntil = Number.NEGATIVE_INFINITY;
    asked.clear();
  }

  /** Returns the current pass, or a new pass if one is due. */
  function currentPass(now: number): Pass | null {
    if (pass || now - lastUntil < passInterval) return pass;
    for (const [orderId, at] of asked) if (now - at >= leastGap) asked.delete(orderId);
    const after = { expiresAt: Number.MIN_SAFE_INTEGER, orderId: '' };
    pass = { since: lastUntil, until: now, status: 'UNPAID', after };
    return pass;
  }

  /** Continues with the next status. Unpaid orders come first, so that the pass doesn't miss one that expires meanwhile. */
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
    // The clock was set back, so the payment's age is unknown.
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
