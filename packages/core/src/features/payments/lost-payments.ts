import type { PaymentEvent, PaymentResult } from '../../engine/events.ts';
import { unchanging } from '../../engine/operators.ts';
import { isElsewhere } from '../../engine/orders/recover.ts';
import { askForReport } from '../../engine/payment-event.ts';
import { applyPaymentEvent } from '../../engine/payments.ts';
import { askGateway } from '../../engine/waiting.ts';
import {
  type ListedPayment,
  type PaymentOutcome,
  type PaymentReport,
  type RemoteGateway,
  readListedPayments,
} from '../../gateway/index.ts';
import {
  done,
  type ExpiringPayment,
  type Reconciliation,
  type Store,
  type StoredOrder,
} from '../../store/index.ts';

/** Time-out of a gateway's list, in milliseconds. */
const listTimeoutMs = 10 * 60_000;

/** Time after its expiry in which a payment may still be reported, in milliseconds. */
const graceTime = 24 * 60 * 60_000;

/** Maximum difference between a gateway's clock and ours, in milliseconds. */
const clockTolerance = 10 * 60_000;

/** Number of failures in a row after which the gateway counts as down, and the remaining payments are not requested. */
const manyFailures = 5;

const pageSize = 100;

/** A payment that could not be checked, and the reason. */
interface UnaskedPayment {
  orderId: string;
  error: unknown;
}

/** Payments at a gateway that a store may not know. */
export interface GatewayPaymentsReport {
  /** Reported payments and refunds. */
  events: PaymentEvent[];
  /** Number of listed payments; null if the gateway can't list them. */
  listed: number | null;
  /** Number of payments checked one by one. */
  asked: number;
  unasked: UnaskedPayment[];
  /** Ids of orders for which the gateway has no payment. */
  absent: string[];
  /** Number of open payments at other gateways, which were not asked. */
  elsewhere: number;
}

/** Selects payments to check. */
interface LostPayments {
  /** Time in unix milliseconds after which payments may be lost. */
  since: number;
  /** Ids of orders that the store lacks. */
  lostOrders?: readonly string[];
  onProgress?: ((asked: number) => void) | undefined;
}

const isMoney = (report: PaymentReport): report is PaymentOutcome =>
  report.status === 'paid' || report.status === 'refunded';

/** Finds orders whose payments can still be made, or may have been made since a given time. */
async function findOpenOrders(store: Store, since: number): Promise<StoredOrder[]> {
  const open: StoredOrder[] = [];
  for (const status of ['UNPAID', 'EXPIRED'] as const) {
    const from = status === 'EXPIRED' ? since - graceTime : Number.MIN_SAFE_INTEGER;
    let after: Pick<ExpiringPayment, 'expiresAt' | 'orderId'> | undefined = { expiresAt: from, orderId: '' };
    while (after) {
      const page: ExpiringPayment[] = await store.findPaymentsByExpiry(status, after, pageSize);
      for (const { orderId } of page) {
        const order = await store.findOrder(orderId);
        if (order) open.push(order);
      }
      after = page.length < pageSize ? undefined : page.at(-1);
    }
  }
  return open;
}

/** Checks payments one after the other, and stops once the gateway is down. */
async function askEach(
  names: readonly string[],
  ask: (orderId: string) => Promise<void>,
): Promise<UnaskedPayment[]> {
  const unasked: UnaskedPayment[] = [];
  let failures = 0;
  for (const orderId of names) {
    const last = unasked.at(-1);
    if (failures >= manyFailures && last) {
      unasked.push({ orderId, error: last.error });
      continue;
    }
    try {
      await ask(orderId);
      failures = 0;
    } catch (error) {
      unasked.push({ orderId, error });
      failures += 1;
    }
  }
  return unasked;
}

/**
 * Asks a gateway for payments since a given time, such as after restoring a backup. It asks for all payments in the gateway's list, for the
 * store's open payments that the list lacks, and for payments of the named orders that the store lacks. It changes nothing.
 *
 * @throws the gateway's error if it can't list its payments now.
 */
export async function askForPayments(
  { store, gateway }: { store: Store; gateway: RemoteGateway },
  { since, lostOrders = [], onProgress }: LostPayments,
): Promise<GatewayPaymentsReport> {
  const listed: ListedPayment[] | null = gateway.listPayments
    ? readListedPayments(
        await askGateway(
          async (signal) => gateway.listPayments?.(since - clockTolerance, signal),
          listTimeoutMs,
        ),
      )
    : null;
  const events: PaymentEvent[] = [];
  const add = (reference: string, orderId: string | null, report: PaymentReport): void => {
    if (isMoney(report)) events.push({ reference, orderId, ...report });
  };
  for (const { reference, orderId, report } of listed ?? []) add(reference, orderId, report);

  const known = new Set(listed?.map(({ reference }) => reference));
  const open = (await findOpenOrders(store, since)).filter(({ payment }) => !known.has(payment.reference));
  const ours = new Map(
    open.filter((order) => !isElsewhere(gateway, order)).map((order) => [order.orderId, order]),
  );
  const absent: string[] = [];

  async function check(orderId: string, reference: string, amount: number): Promise<void> {
    const { checkPayment } = gateway;
    if (!checkPayment) throw new Error(`The gateway ${gateway.name} can't be asked about a payment.`);
    // The method is bound, because an adapter may be an instance of a class.
    add(reference, orderId, await askForReport(checkPayment.bind(gateway), { orderId, reference, amount }));
  }

  const names = [...ours.keys(), ...lostOrders];
  let asked = 0;
  const unasked = await askEach(names, async (orderId) => {
    asked += 1;
    onProgress?.(asked);
    const order = ours.get(orderId) ?? (await store.findOrder(orderId));
    if (order) return check(orderId, order.payment.reference, order.pricing.total_price);
    // The amount is unknown, but the gateway finds a payment with another amount as well, with its reference.
    const request = { orderId, amount: 0, ageMs: Number.MAX_SAFE_INTEGER };
    const payment = await askGateway((signal) => gateway.findPayment(request, signal));
    if (payment.state === 'absent') absent.push(orderId);
    else await check(orderId, payment.payment.reference, 0);
  });
  return {
    events,
    listed: listed?.length ?? null,
    asked: names.length - unasked.length,
    unasked,
    absent,
    elsewhere: open.length - ours.size,
  };
}

/** The actual or possible result of applying a gateway's payment. */
export interface AppliedPayment {
  event: PaymentEvent;
  outcome: PaymentResult['outcome'];
  reason: string | null;
  /** The order before the payment was applied. */
  order: StoredOrder | null;
  /** The new payment to reconcile. */
  reconciliation: Reconciliation | null;
}

/** Applies the result of {@link askForPayments}, sorted by time. Returns the new payments. With `dryRun`, it changes nothing. */
export async function applyPayments(
  {
    store,
    now,
    dryRun: isDry,
  }: { store: Store /** World time in unix milliseconds. */; now: number; dryRun: boolean },
  events: readonly PaymentEvent[],
): Promise<AppliedPayment[]> {
  const applied: AppliedPayment[] = [];
  for (const event of events.toSorted((a, b) => (a.at ?? now) - (b.at ?? now))) {
    let reconciliation: Reconciliation | null = null;
    const recorder: Store = {
      ...(isDry ? unchanging(store) : store),
      async addReconciliation(added) {
        reconciliation = added;
        return isDry ? done : store.addReconciliation(added);
      },
    };
    const { outcome, reason, order } = await applyPaymentEvent({ store: recorder, now }, event);
    if (outcome === 'applied' || outcome === 'failed' || reconciliation)
      applied.push({ event, outcome, reason, order, reconciliation });
  }
  return applied;
}
