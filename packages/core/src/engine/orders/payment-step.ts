import type { Locale } from '../../contract/index.ts';
import type { LocalGateway, PaymentGateway, PaymentRequest, RemoteGateway } from '../../gateway/index.ts';
import type { Clock } from '../../platform/index.ts';
import type {
  Payment,
  PlaceOrderConflict,
  ReservedOrder,
  ReserveOrder,
  Store,
  StoredOrder,
} from '../../store/index.ts';
import { DomainError } from '../errors.ts';
import { withTimeout } from '../time.ts';

export interface PaymentDependencies {
  store: Store;
  gateway: PaymentGateway;
  worldClock: Clock;
  /** The response that an order's idempotency key replays; in the service's own language by default. */
  renderResponse: (order: StoredOrder, locale?: Locale) => string;
  reportError: (error: unknown, about: string) => void;
}

/** How long a gateway may take for one response, in milliseconds of real time. */
const timeoutMs = 10_000;

/** The request of a reserved order younger than this may still be in flight, in milliseconds of world time. */
const inFlightTime = 3 * timeoutMs;

/** Sends a request to a gateway and stops waiting after its time, even if the gateway ignores the signal. */
const askGateway = <Result>(send: (signal: AbortSignal) => Promise<Result>): Promise<Result> =>
  withTimeout(send(AbortSignal.timeout(timeoutMs)), timeoutMs, 'the gateway did not respond in time');

/** The response to an order, or the conflict that another proposal may avoid. */
type Outcome = { body: string; replayed: false } | PlaceOrderConflict;

const saveFailed = (cause: unknown): never => {
  throw new DomainError('SAVE_FAILED', { cause });
};

const requestOf = ({ order }: ReserveOrder): PaymentRequest => ({
  orderId: order.orderId,
  amount: order.pricing.total_price,
  method: order.paymentMethod,
  expiresAt: order.expiresAt,
});

/** For a gateway without I/O: order and payment in one commit. */
async function storeAtOnce(
  { store, renderResponse }: PaymentDependencies,
  gateway: LocalGateway,
  proposal: ReserveOrder,
): Promise<Outcome> {
  let payment: Payment;
  try {
    payment = gateway.createPayment(requestOf(proposal));
  } catch (cause) {
    throw new DomainError('PAYMENT_FAILED', { cause });
  }
  const order: StoredOrder = { ...proposal.order, payment };
  const body = renderResponse(order);
  const response = proposal.response && { ...proposal.response, body };
  const outcome = await store.placeOrder({ order, promo: proposal.promo, response }).catch(saveFailed);
  return 'conflict' in outcome ? outcome : { body, replayed: false };
}

/** A failed request may have created the payment, so the gateway is asked for it. */
async function afterFailure(
  deps: PaymentDependencies,
  gateway: RemoteGateway,
  { order }: ReserveOrder,
  cause: unknown,
): Promise<Outcome> {
  const recovered = await recoverOrder(deps, gateway, order);
  if (recovered) return { body: deps.renderResponse(recovered), replayed: false };
  throw new DomainError('PAYMENT_FAILED', { cause });
}

/** For a gateway with I/O: reserve, ask the gateway, finalise or abandon (open points: creating an order). */
async function storeInSteps(
  deps: PaymentDependencies,
  gateway: RemoteGateway,
  proposal: ReserveOrder,
): Promise<Outcome> {
  const { store, renderResponse } = deps;
  const reserved = await store.reserveOrder(proposal).catch(saveFailed);
  if ('conflict' in reserved) return reserved;
  let payment: Payment;
  try {
    payment = await askGateway((signal) => gateway.createPayment(requestOf(proposal), signal));
  } catch (cause) {
    return afterFailure(deps, gateway, proposal, cause);
  }
  const body = renderResponse({ ...proposal.order, payment });
  const { orderId } = proposal.order;
  const finalised = await store.finaliseOrder({ orderId, payment, body }).catch(saveFailed);
  return 'done' in finalised ? { body, replayed: false } : saveFailed(new Error(finalised.conflict));
}

/** Gets a payment for a proposed order and stores both, or neither. */
export function storeWithPayment(deps: PaymentDependencies, proposal: ReserveOrder): Promise<Outcome> {
  const { gateway } = deps;
  return gateway.kind === 'local'
    ? storeAtOnce(deps, gateway, proposal)
    : storeInSteps(deps, gateway, proposal);
}

/**
 * Finishes a reserved order: finalises it with the payment that the gateway has for it, or abandons it when there is
 * none. The order stays reserved while the gateway can't be reached.
 *
 * @returns the order if it now has a payment; null otherwise.
 */
export async function recoverOrder(
  { store, renderResponse, reportError }: PaymentDependencies,
  gateway: RemoteGateway,
  reserved: ReservedOrder,
): Promise<StoredOrder | null> {
  const { orderId } = reserved;
  try {
    const payment = await askGateway((signal) => gateway.findPayment(orderId, signal));
    if (payment === null) {
      await store.abandonOrder(orderId);
      return null;
    }
    const order: StoredOrder = { ...reserved, payment };
    const stored = await store.finaliseOrder({ orderId, payment, body: renderResponse(order) });
    return 'done' in stored ? order : null;
  } catch (error) {
    reportError(error, orderId);
    return null;
  }
}

/** Reserved orders whose request has ended without an outcome, after a crash or an unreachable gateway. */
export async function findInterrupted(
  { store, worldClock }: Pick<PaymentDependencies, 'store' | 'worldClock'>,
  limit: number,
): Promise<ReservedOrder[]> {
  const reserved = await store.findReservedOrders(limit);
  return reserved.filter(({ createdAt }) => createdAt + inFlightTime <= worldClock());
}
