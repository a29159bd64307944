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
import { Refusal } from '../errors.ts';
import { inTime } from '../time.ts';

/** The answer to an order, or the conflict that asks for another proposal. */
type Outcome = { body: string; replayed: false } | PlaceOrderConflict;

const saveFailed = (cause: unknown): never => {
  throw new Refusal('SAVE_FAILED', { cause });
};

const requestOf = ({ order }: ReserveOrder): PaymentRequest => ({
  orderId: order.orderId,
  amount: order.pricing.total_price,
  method: order.paymentMethod,
  expiresAt: order.expiresAt,
});

/** A gateway that does no I/O: order and payment in one commit. */
async function placeAtOnce(
  { store, renderAnswer }: RecoveryDependencies,
  gateway: LocalGateway,
  proposal: ReserveOrder,
): Promise<Outcome> {
  let payment: Payment;
  try {
    payment = gateway.createPayment(requestOf(proposal));
  } catch (cause) {
    throw new Refusal('PAYMENT_FAILED', { cause });
  }
  const order: StoredOrder = { ...proposal.order, payment };
  const body = renderAnswer(order);
  const answer = proposal.answer && { ...proposal.answer, body };
  const outcome = await store.placeOrder({ order, promo: proposal.promo, answer }).catch(saveFailed);
  return 'conflict' in outcome ? outcome : { body, replayed: false };
}

/** What failed may have happened all the same, so the gateway is asked whether it did. */
async function afterFailure(
  deps: RecoveryDependencies,
  gateway: RemoteGateway,
  { order }: ReserveOrder,
  cause: unknown,
): Promise<Outcome> {
  const recovered = await recoverOrder(deps, gateway, order);
  if (recovered.order) return { body: deps.renderAnswer(recovered.order), replayed: false };
  throw new Refusal('PAYMENT_FAILED', { cause });
}

/** Reserve, ask the gateway, finalise or abandon (open points: creating an order). */
async function placeInSteps(
  deps: RecoveryDependencies,
  gateway: RemoteGateway,
  proposal: ReserveOrder,
): Promise<Outcome> {
  const { store, renderAnswer } = deps;
  const reserved = await store.reserveOrder(proposal).catch(saveFailed);
  if ('conflict' in reserved) return reserved;
  let payment: Payment;
  try {
    payment = await askGateway((signal) => gateway.createPayment(requestOf(proposal), signal));
  } catch (cause) {
    return afterFailure(deps, gateway, proposal, cause);
  }
  const body = renderAnswer({ ...proposal.order, payment });
  const { orderId } = proposal.order;
  const finalised = await store.finaliseOrder({ orderId, payment, body }).catch(saveFailed);
  return 'done' in finalised ? { body, replayed: false } : saveFailed(new Error(finalised.conflict));
}

/** Gets a payment for a proposed order and stores both, or nothing. */
export function storeProposal(deps: RecoveryDependencies, proposal: ReserveOrder): Promise<Outcome> {
  const { gateway } = deps;
  return gateway.kind === 'local'
    ? placeAtOnce(deps, gateway, proposal)
    : placeInSteps(deps, gateway, proposal);
}

export interface RecoveryDependencies {
  store: Store;
  gateway: PaymentGateway;
  worldClock: Clock;
  /** The answer that an order's idempotency key replays. */
  renderAnswer: (order: StoredOrder) => string;
  reportError: (error: unknown, about: string) => void;
}

/** How long a gateway may take to answer, in milliseconds of real time. */
const gatewayPatience = 10_000;

/** Asks a gateway, and waits no longer than its time, whether or not it heeds the signal. */
export const askGateway = <Result>(ask: (signal: AbortSignal) => Promise<Result>): Promise<Result> =>
  inTime(ask(AbortSignal.timeout(gatewayPatience)), gatewayPatience, 'the gateway did not answer in time');

/** A reserved order that is younger than this may still be at its gateway, in milliseconds of world time. */
const stillUnderWay = 3 * gatewayPatience;

export type Recovery = 'finalised' | 'abandoned' | 'unknown';

/**
 * Ends what was begun: a reserved order gets the payment that the gateway has for it, or is forgotten when there is
 * none. While the gateway can't tell, the order stays reserved.
 */
export async function recoverOrder(
  { store, renderAnswer, reportError }: RecoveryDependencies,
  gateway: RemoteGateway,
  order: ReservedOrder,
): Promise<{ outcome: Recovery; order?: StoredOrder }> {
  const { orderId } = order;
  try {
    const payment = await askGateway((signal) => gateway.findPayment(orderId, signal));
    if (payment === null) {
      await store.abandonOrder(orderId);
      return { outcome: 'abandoned' };
    }
    const whole: StoredOrder = { ...order, payment };
    const stored = await store.finaliseOrder({ orderId, payment, body: renderAnswer(whole) });
    return 'done' in stored ? { outcome: 'finalised', order: whole } : { outcome: 'unknown' };
  } catch (error) {
    reportError(error, orderId);
    return { outcome: 'unknown' };
  }
}

/** Reserved orders that nobody is creating any more: a crash, or a gateway that went silent, left them so. */
export async function findInterrupted(
  { store, worldClock }: Pick<RecoveryDependencies, 'store' | 'worldClock'>,
  limit: number,
): Promise<ReservedOrder[]> {
  const reserved = await store.findReservedOrders(limit);
  return reserved.filter(({ createdAt }) => createdAt + stillUnderWay <= worldClock());
}
