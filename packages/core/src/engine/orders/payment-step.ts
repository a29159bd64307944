import { type Locale, returnAddress } from '../../contract/index.ts';
import {
  type LocalGateway,
  type PaymentGateway,
  type PaymentItem,
  type PaymentRequest,
  type RemoteGateway,
  readCreatedPayment,
  readFoundPayment,
  readPayment,
} from '../../gateway/index.ts';
import type { Clock } from '../../platform/index.ts';
import {
  type Payment,
  type PlaceOrderConflict,
  type RenderedResponse,
  type ReservedOrder,
  type ReserveOrder,
  type Store,
  type StoredOrder,
  StoreError,
} from '../../store/index.ts';
import { DomainError } from '../errors.ts';
import type { Emit } from '../events.ts';
import { askGateway, gatewayTimeoutMs } from '../time.ts';
import { applyEvent } from './change-order.ts';
import type { OrderEventInput } from './states.ts';

export interface PaymentDependencies {
  store: Store;
  gateway: PaymentGateway;
  worldClock: Clock;
  /** The response that an order's idempotency key replays; in the service's own language by default. */
  renderResponse: (order: StoredOrder, locale?: Locale) => RenderedResponse;
  emit: Emit;
}

/** The request of a reserved order younger than this may still be in flight, in milliseconds of world time. */
const inFlightTime = 3 * gatewayTimeoutMs;

/** Whether an order's payment is at another gateway, so that this one would not know it. */
export const isElsewhere = ({ name }: { name: string }, { gateway }: ReservedOrder): boolean =>
  gateway !== null && gateway !== name;

/** The response to an order, or the conflict that another proposal may avoid. */
type Outcome = (RenderedResponse & { replayed: false }) | PlaceOrderConflict;

const saveFailed = (cause: unknown): never => {
  throw new DomainError('SAVE_FAILED', { cause });
};

/** For the first command of an order: when the store is only busy, nothing is stored and another try may succeed. */
const notStored = (cause: unknown): never => {
  if (cause instanceof StoreError && cause.retryAfter !== null) throw cause;
  return saveFailed(cause);
};

/** The lines of the price: they add up to the total. */
function itemsOf({ game, product, pricing }: ReservedOrder): PaymentItem[] {
  const { unit_price_after_promo, quantity, payment_fee, unique_code } = pricing;
  const extra = (name: string, price: number): PaymentItem[] =>
    price === 0 ? [] : [{ sku: null, name, price, quantity: 1 }];
  return [
    { sku: product.code, name: `${game.title}: ${product.title}`, price: unit_price_after_promo, quantity },
    ...extra('Payment fee', payment_fee),
    ...extra('Unique code', unique_code),
  ];
}

const returnUrlOf = (order: ReservedOrder): Pick<PaymentRequest, 'returnUrl'> => {
  const returnUrl = returnAddress(order);
  return returnUrl === null ? {} : { returnUrl };
};

const requestOf = ({ order }: ReserveOrder): PaymentRequest => ({
  orderId: order.orderId,
  amount: order.pricing.total_price,
  method: {
    code: order.paymentMethod.code,
    group: order.paymentMethod.group,
    name: order.paymentMethod.name,
  },
  expiresAt: order.expiresAt,
  customer: {
    phone: order.contact.whatsapp,
    email: order.contact.email,
    name: order.target.nickname,
  },
  items: itemsOf(order),
  ...returnUrlOf(order),
});

/** For a gateway without I/O: order and payment in one commit. */
async function storeAtOnce(
  { store, renderResponse }: PaymentDependencies,
  gateway: LocalGateway,
  proposal: ReserveOrder,
): Promise<Outcome> {
  let payment: Payment;
  try {
    const created = readPayment(gateway.createPayment(requestOf(proposal)), proposal.order.paymentMethod);
    if (created.state === 'unreadable') throw created.error;
    payment = created.payment;
  } catch (cause) {
    throw new DomainError('PAYMENT_FAILED', { cause });
  }
  const order: StoredOrder = { ...proposal.order, payment };
  const rendered = renderResponse(order);
  const response = proposal.response && { ...proposal.response, ...rendered };
  const outcome = await store.placeOrder({ order, promo: proposal.promo, response }).catch(notStored);
  return 'conflict' in outcome ? outcome : { ...rendered, replayed: false };
}

const noteCall = ({ emit, gateway }: PaymentDependencies, error?: unknown): void =>
  emit({ type: 'call', provider: gateway.name, call: 'payments', error });

/** A failed request may have created the payment, so the gateway is asked for it. */
async function afterFailure(
  deps: PaymentDependencies,
  gateway: RemoteGateway,
  { order }: ReserveOrder,
  { cause, reference }: { cause: unknown; reference: string | null },
): Promise<Outcome> {
  const recovered = await recoverOrder(deps, gateway, order, reference);
  noteCall(deps, recovered ? undefined : cause);
  if (recovered) return { ...deps.renderResponse(recovered), replayed: false };
  throw new DomainError('PAYMENT_FAILED', { cause });
}

/** For a gateway with I/O: reserve, ask the gateway, finalise or abandon (open points: creating an order). */
async function storeInSteps(
  deps: PaymentDependencies,
  gateway: RemoteGateway,
  proposal: ReserveOrder,
): Promise<Outcome> {
  const { store, renderResponse, emit } = deps;
  const { orderId } = proposal.order;
  const reserved = await store.reserveOrder(proposal).catch(notStored);
  if ('conflict' in reserved) return reserved;
  let answer: unknown;
  try {
    answer = await askGateway((signal) => gateway.createPayment(requestOf(proposal), signal));
  } catch (cause) {
    return afterFailure(deps, gateway, proposal, { cause, reference: null });
  }
  const created = readCreatedPayment(answer, proposal.order.paymentMethod);
  if (created.state === 'rejected') {
    noteCall(deps, created.error);
    // If it can't be stored, the order is recovered like any other.
    await store
      .abandonOrder(orderId)
      .catch((error: unknown) => emit({ type: 'error', error, about: orderId }));
    throw new DomainError('PAYMENT_FAILED', { cause: created.error });
  }
  if (created.state === 'unreadable')
    return afterFailure(deps, gateway, proposal, { cause: created.error, reference: created.reference });
  noteCall(deps);
  const { payment } = created;
  const response = renderResponse({ ...proposal.order, payment });
  const finalised = await store.finaliseOrder({ orderId, payment, response }).catch(saveFailed);
  return 'done' in finalised ? { ...response, replayed: false } : saveFailed(new Error(finalised.conflict));
}

/** Gets a payment for a proposed order and stores both, or neither. */
export function storeWithPayment(deps: PaymentDependencies, proposal: ReserveOrder): Promise<Outcome> {
  const { gateway } = deps;
  return gateway.kind === 'local'
    ? storeAtOnce(deps, gateway, proposal)
    : storeInSteps(deps, gateway, proposal);
}

/**
 * Ends an order that nobody can pay as it is: of whose payment only the reference is readable, or is made up. It is stored as FAILED
 * with the reference, so that money that still arrives becomes a reconciliation. Its idempotency key is free again.
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
 * Gives up an order of which nobody knows whether it has a payment. It stays as FAILED, with the note and who did it, and with its own
 * id as the reference of its payment; its promo use, unique code and idempotency key are free again.
 */
export const voidOrder = (
  { store, worldClock, operator }: { store: Store; worldClock: Clock; operator: string },
  orderId: string,
  note: string,
): ReturnType<Store['finaliseOrder']> =>
  failOrder(store, { orderId, reference: orderId }, { by: 'operator', at: worldClock(), operator, note });

/**
 * Finishes a reserved order: finalises it with the payment that the gateway has for it, or abandons it when there is
 * none. The order stays reserved while the gateway can't be reached or another one is configured, and while nothing of its
 * response is readable.
 *
 * @param reference that of a payment that certainly exists, although nothing else of it is readable
 * @returns the order if it can now be paid; null otherwise.
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
      // Another server may have recovered it meanwhile.
      if (await store.findOrder(orderId)) return null;
      throw new Error(`${payment.reference}: ${stored.conflict}`);
    }
    const known = reference ?? (result.state === 'unreadable' ? result.reference : null);
    if (known !== null) {
      const how = { by: 'gateway', at: deps.worldClock() } as const;
      const failed = await failOrder(store, { orderId, reference: known }, how);
      // Another server may have failed it meanwhile.
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

/** Asks the gateway for the payment of an order. Errors are reported, and leave the payment unreadable. */
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

/** What an operator has to know of an order before giving it up; `until` is unix milliseconds of world time. */
export type Unclear =
  | { state: 'unclear'; order: ReservedOrder }
  | { state: 'in-flight'; until: number }
  | { state: 'placed' }
  | { state: 'missing' };

/**
 * Finds an order of which nobody knows whether it has a payment. Abandoning it harms no server that is just recovering it:
 * of the two, the second one finds it gone.
 */
export async function findUnclear(
  { store, worldClock }: Pick<PaymentDependencies, 'store' | 'worldClock'>,
  orderId: string,
): Promise<Unclear> {
  const order = await store.findReservedOrder(orderId);
  if (!order) return { state: (await store.findOrder(orderId)) ? 'placed' : 'missing' };
  const until = order.createdAt + inFlightTime;
  return until <= worldClock() ? { state: 'unclear', order } : { state: 'in-flight', until };
}

/** Reserved orders whose request has ended without an outcome, after a crash or an unreachable gateway. */
export async function findInterrupted(
  { store, worldClock }: Pick<PaymentDependencies, 'store' | 'worldClock'>,
  limit: number,
): Promise<ReservedOrder[]> {
  const reserved = await store.findReservedOrders(limit);
  return reserved.filter(({ createdAt }) => createdAt + inFlightTime <= worldClock());
}
