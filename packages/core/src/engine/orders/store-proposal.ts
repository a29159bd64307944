import type { LocalGateway, PaymentRequest, RemoteGateway } from '../../gateway/index.ts';
import type { Payment, PlaceOrderConflict, ReserveOrder, StoredOrder } from '../../store/index.ts';
import { Refusal } from '../refusal.ts';
import { askGateway, type RecoveryDependencies, recoverOrder } from './recover-orders.ts';

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
