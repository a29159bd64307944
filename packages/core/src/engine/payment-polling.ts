import { type CheckPayment, readPaymentReport } from '../gateway/index.ts';
import type { Clock } from '../platform/index.ts';
import type { Store, StoredOrder } from '../store/index.ts';
import { handlePaymentEvent } from './payments.ts';
import { withTimeout } from './time.ts';

interface PollingDependencies {
  store: Store;
  worldClock: Clock;
  reportError: (error: unknown, about: string) => void;
}

/** How often open payments are looked for, in milliseconds of world time. */
const sweepInterval = 5_000;

/** How many open payments are followed at once: those that expire first. */
const maxOpen = 1_000;

/** The time between two questions about a payment grows with the age of its order, between these milliseconds. */
const minGap = 15_000;
const maxGap = 10 * 60_000;

/** How long a gateway may take for one response, in milliseconds of real time. */
const timeoutMs = 10_000;

/** How long after its expiry an order is still asked about while the gateway gives no answer, in milliseconds. */
const graceTime = 60 * 60_000;

/** Asks a gateway about open payments, because callbacks get lost. */
export interface PaymentPolling {
  /** Looks for payments to ask about, and starts at most `room` questions; returns how many. */
  run(room: number, start: (name: string, task: () => Promise<unknown>) => void): Promise<number>;
}

/**
 * Every open payment is asked about when the process starts, and then with growing gaps until it has an outcome. An order
 * that expired is asked about once more, because it may have been paid in its last moments. The schedule is kept in
 * memory: after a restart, all open payments are asked about again.
 */
export function createPaymentPolling(
  { store, worldClock, reportError }: PollingDependencies,
  { checkPayment, checkIntervalMs = 0 }: { checkPayment: CheckPayment; checkIntervalMs?: number | undefined },
): PaymentPolling {
  /** When to ask next, by order id. */
  const schedule = new Map<string, number>();
  let sweptAt = Number.NEGATIVE_INFINITY;

  const gap = ({ createdAt }: StoredOrder, now: number): number =>
    Math.max(checkIntervalMs, minGap, Math.min(maxGap, Math.floor((now - createdAt) / 2)));

  /** Adds open payments to the schedule; a payment of a new order is left alone for a while. */
  async function sweep(now: number): Promise<void> {
    if (now - sweptAt < sweepInterval) return;
    // Every unpaid order is overdue at some time.
    const open = await store.findOverdueOrders(Number.MAX_SAFE_INTEGER, maxOpen);
    sweptAt = now;
    for (const { orderId, createdAt } of open)
      if (!schedule.has(orderId)) schedule.set(orderId, Math.max(now, createdAt + minGap));
  }

  async function ask(order: StoredOrder): Promise<void> {
    const { orderId, payment, pricing } = order;
    const question = { orderId, reference: payment.reference, amount: pricing.total_price };
    const response = checkPayment(question, AbortSignal.timeout(timeoutMs));
    const report = readPaymentReport(
      await withTimeout(response, timeoutMs, 'the gateway did not respond in time'),
    );
    if (report.status !== 'open')
      await handlePaymentEvent({ store, now: worldClock() }, { ...report, reference: payment.reference });
    // Any other order stays in the schedule, because an outcome need not close it: a wrong amount, for example.
    if (order.paymentStatus === 'EXPIRED') schedule.delete(orderId);
  }

  async function question(orderId: string): Promise<void> {
    const order = await store.findOrder(orderId);
    const now = worldClock();
    const isOpen = order?.paymentStatus === 'UNPAID';
    const isJustExpired = order?.paymentStatus === 'EXPIRED' && now < order.expiresAt + graceTime;
    if (!order || !(isOpen || isJustExpired)) {
      schedule.delete(orderId);
      return;
    }
    // An open order is asked about once more after its expiry.
    const next = now + gap(order, now);
    schedule.set(orderId, isOpen ? Math.min(next, Math.max(order.expiresAt, now + checkIntervalMs)) : next);
    await ask(order).catch((error: unknown) => reportError(error, orderId));
  }

  return {
    async run(room, start) {
      const now = worldClock();
      await sweep(now);
      const due = [...schedule].filter(([, at]) => at <= now).slice(0, Math.max(0, room));
      for (const [orderId] of due) start(`payment of ${orderId}`, () => question(orderId));
      return due.length;
    },
  };
}
