import type { Locale, Localised } from '../../contract/index.ts';
import { type PaymentGateway, type RemoteGateway, readFoundPayment } from '../../gateway/index.ts';
import type { Clock } from '../../platform/index.ts';
import type { Payment, RenderedResponse, ReservedOrder, Store, StoredOrder } from '../../store/index.ts';
import { OperatorError } from '../errors.ts';
import type { EmitEvent } from '../events.ts';
import { askGateway, gatewayTimeoutMs } from '../waiting.ts';
import { applyEvent } from './change-order.ts';
import type { OrderEventInput } from './states.ts';

export interface PaymentDependencies {
  store: Store;
  gateway: PaymentGateway;
  worldClock: Clock;
  /** Renders the response that an order's idempotency key replays; in the service's own language by default. */
  renderResponse: (order: StoredOrder, locale?: Locale) => RenderedResponse;
  emit: EmitEvent;
}

/** Age of a reserved order below which its request may still be in flight, in milliseconds of world time. */
const inFlightTime = 3 * gatewayTimeoutMs;

/** Tells whether an order's payment is at another gateway, so that this gateway doesn't know it. */
export const isElsewhere = ({ name }: { name: string }, { gateway }: ReservedOrder): boolean =>
  gateway !== null && gateway !== name;

/**
 * Ends an order that can't be paid, because it has no payment, or only the payment's reference is readable. The order is stored as FAILED
 * with the reference, so that money that still arrives becomes a reconciliation. Its idempotency key becomes free again.
 */
async function failOrder(
  store: Store,
  { orderId, reference }: { orderId: string; reference: string },
  how: Pick<OrderEventInput, 'by' | 'at' | 'operator' | 'note'>,
): ReturnType<Store['finaliseOrder']> {
  const payment: Payment = { reference, code: null, url: null, qrString: null };
  const finalised = await store.finaliseOrder({ orderId, payment, response: null });
  if ('conflict' in finalised) return finalised;
  await applyEvent(store, orderId, { event: 'failed', ...how });
  return finalised;
}

/**
 * Gives up an order that may or may not have a payment. It stays in the store as FAILED, with the note, its author, and the order's own id
 * as the payment's reference. Its promo use, unique code and idempotency key become free again.
 */
export const voidOrder = (
  { store, worldClock, operator }: { store: Store; worldClock: Clock; operator: string },
  orderId: string,
  note: string,
): ReturnType<Store['finaliseOrder']> =>
  failOrder(store, { orderId, reference: orderId }, { by: 'operator', at: worldClock(), operator, note });

/**
 * Finishes a reserved order: finalises it with its payment at the gateway, or abandons it if it has none. The order stays reserved while
 * the gateway is unreachable or unreadable, or another gateway is configured.
 *
 * @param reference the reference of a payment that certainly exists but is otherwise unreadable
 * @returns the order if it can be paid now; null otherwise.
 */
export async function recoverOrder(
  deps: PaymentDependencies,
  gateway: RemoteGateway,
  reserved: ReservedOrder,
  reference: string | null = null,
): Promise<StoredOrder | null> {
  const { store, renderResponse, emit } = deps;
  const { orderId } = reserved;
  if (isElsewhere(gateway, reserved)) return null;
  try {
    const result = await findPayment(deps, gateway, reserved);
    if (result.state === 'found') {
      const { payment } = result;
      const order: StoredOrder = { ...reserved, payment };
      const stored = await store.finaliseOrder({ orderId, payment, response: renderResponse(order) });
      if ('done' in stored) return order;
      if (await store.findOrder(orderId)) return null;
      throw new Error(`${payment.reference}: ${stored.conflict}`);
    }
    const known = reference ?? (result.state === 'unreadable' ? result.reference : null);
    if (known !== null) {
      const how = { by: 'gateway', at: deps.worldClock() } as const;
      const failed = await failOrder(store, { orderId, reference: known }, how);
      // Another server may have ended the order meanwhile.
      if ('conflict' in failed && !(await store.findOrder(orderId)))
        throw new Error(`${known}: ${failed.conflict}`);
    } else if (result.state === 'absent') await store.abandonOrder(orderId);
  } catch (error) {
    emit({ type: 'error', error, about: orderId });
  }
  return null;
}

type FoundPayment =
  | { state: 'found'; payment: Payment }
  | { state: 'absent' }
  | { state: 'unreadable'; reference: string | null };

/** Finds the payment for an order at the gateway. Errors are reported, and leave the payment unreadable. */
async function findPayment(
  { worldClock, emit }: PaymentDependencies,
  gateway: RemoteGateway,
  { orderId, pricing, createdAt, paymentMethod }: ReservedOrder,
): Promise<FoundPayment> {
  const request = { orderId, amount: pricing.total_price, ageMs: Math.max(0, worldClock() - createdAt) };
  try {
    const response = await askGateway((signal) => gateway.findPayment(request, signal));
    const result = readFoundPayment(response, paymentMethod);
    if (result.state === 'unreadable') emit({ type: 'error', error: result.error, about: orderId });
    return result;
  } catch (error) {
    emit({ type: 'error', error, about: orderId });
    return { state: 'unreadable', reference: null };
  }
}

/** Data that an operator needs before giving up an order. `until` is unix milliseconds of world time. */
export type Unclear =
  | { state: 'unclear'; order: ReservedOrder }
  | { state: 'in-flight'; until: number }
  | { state: 'placed' }
  | { state: 'missing' };

/** Finds an order that may or may not have a payment. Abandoning it during a recovery is safe: the second step no longer finds it. */
export async function findUnclear(
  { store, worldClock }: Pick<PaymentDependencies, 'store' | 'worldClock'>,
  orderId: string,
): Promise<Unclear> {
  const order = await store.findReservedOrder(orderId);
  if (!order) return { state: (await store.findOrder(orderId)) ? 'placed' : 'missing' };
  const until = order.createdAt + inFlightTime;
  return until <= worldClock() ? { state: 'unclear', order } : { state: 'in-flight', until };
}

const notAbandoned = {
  placed: {
    id: 'tidak bisa dilepaskan: pesanan ini sudah punya pembayaran.',
    en: "can't be abandoned: it has a payment.",
  },
  'in-flight': {
    id: 'belum bisa dilepaskan: pembayarannya mungkin masih dibuat.',
    en: "can't be abandoned yet: the gateway may still be creating its payment.",
  },
  missing: { id: 'tidak ada.', en: "can't be abandoned: there is no such order." },
} satisfies Record<string, Localised>;

/** The error for an order that can't be given up. */
export class AbandonError extends OperatorError {
  override readonly name = 'AbandonError';
  readonly words: () => Localised;
  readonly found: Exclude<Unclear, { state: 'unclear' }>;

  constructor(orderId: string, found: AbandonError['found']) {
    const { id, en } = notAbandoned[found.state];
    super(`${orderId} ${en}`);
    this.words = () => ({ id: `${orderId} ${id}`, en: `${orderId} ${en}` });
    this.found = found;
  }
}

/** Describes {@link abandonOrder}. */
export const abandonWords = (orderId: string): Localised => ({
  id: `${orderId} menjadi FAILED / Batal dengan catatan Anda; kode promo, kode unik, dan kunci idempotensinya bisa dipakai lagi.`,
  en: `${orderId} will be FAILED / Batal, and its promo code, unique code and idempotency key will be free again.`,
});

/** Finds an order that can be given up now. @throws AbandonError if it can't be. */
export async function findAbandonable(
  deps: Pick<PaymentDependencies, 'store' | 'worldClock'>,
  orderId: string,
): Promise<ReservedOrder> {
  const found = await findUnclear(deps, orderId);
  if (found.state === 'unclear') return found.order;
  throw new AbandonError(orderId, found);
}

/** Gives up an order like {@link voidOrder}. @throws AbandonError if it can't be given up. */
export async function abandonOrder(
  deps: Parameters<typeof voidOrder>[0],
  orderId: string,
  note: string,
): Promise<void> {
  await findAbandonable(deps, orderId);
  // If a server has finished the order in the meantime, this throws the matching error.
  if ('conflict' in (await voidOrder(deps, orderId, note))) await findAbandonable(deps, orderId);
}

/** Finds reserved orders whose request ended without an outcome, because of a crash or an unreachable gateway. */
export async function findInterrupted(
  { store, worldClock }: Pick<PaymentDependencies, 'store' | 'worldClock'>,
  limit: number,
): Promise<ReservedOrder[]> {
  const reserved = await store.findReservedOrders(limit);
  return reserved.filter(({ createdAt }) => createdAt + inFlightTime <= worldClock());
}
