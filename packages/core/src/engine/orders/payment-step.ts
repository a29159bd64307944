import { type Locale, returnAddress } from '../../contract/index.ts';
import {
  type LocalGateway,
  type PaymentItem,
  type PaymentRequest,
  type RemoteGateway,
  readCreatedPayment,
  readPayment,
} from '../../gateway/index.ts';
import {
  type Payment,
  type PlaceOrderConflict,
  type RenderedResponse,
  type ReservedOrder,
  type ReserveOrder,
  type StoredOrder,
  StoreError,
} from '../../store/index.ts';
import { DomainError } from '../errors.ts';
import { askGateway } from '../waiting.ts';
import { type PaymentDependencies, recoverOrder } from './recover.ts';

/** The response to an order, or a conflict that a different proposal may avoid. */
type Outcome = (RenderedResponse & { replayed: false }) | PlaceOrderConflict;

const saveFailed = (cause: unknown): never => {
  throw new DomainError('SAVE_FAILED', { cause });
};

/** Throws the error for a failed first command of an order. If the store is only busy, nothing is stored, and another try may succeed. */
const notStored = (cause: unknown): never => {
  if (cause instanceof StoreError && cause.retryAfter !== null) throw cause;
  return saveFailed(cause);
};

/** Returns the lines of the price, which add up to the total. */
function itemsOf({ game, product, pricing }: ReservedOrder): PaymentItem[] {
  const { unit_price_after_promo, quantity, payment_fee, unique_code } = pricing;
  const items: PaymentItem[] = [
    { sku: product.code, name: `${game.title}: ${product.title}`, price: unit_price_after_promo, quantity },
  ];
  if (payment_fee !== 0) items.push({ sku: null, name: 'Payment fee', price: payment_fee, quantity: 1 });
  if (unique_code !== 0) items.push({ sku: null, name: 'Unique code', price: unique_code, quantity: 1 });
  return items;
}

function requestOf(order: ReservedOrder): PaymentRequest {
  const { orderId, pricing, paymentMethod, expiresAt, contact, target } = order;
  const { code, group, name } = paymentMethod;
  const returnUrl = returnAddress(order);
  return {
    orderId,
    amount: pricing.total_price,
    method: { code, group, name },
    expiresAt,
    customer: { phone: contact.whatsapp, email: contact.email, name: target.nickname },
    items: itemsOf(order),
    ...(returnUrl !== null && { returnUrl }),
  };
}

/** Stores order and payment in one commit, for a gateway without I/O. */
async function storeAtOnce(
  { store, renderResponse }: PaymentDependencies,
  gateway: LocalGateway,
  proposal: ReserveOrder,
  locale: Locale | undefined,
): Promise<Outcome> {
  let payment: Payment;
  try {
    const created = readPayment(
      gateway.createPayment(requestOf(proposal.order)),
      proposal.order.paymentMethod,
    );
    if (created.state === 'unreadable') throw created.error;
    payment = created.payment;
  } catch (cause) {
    throw new DomainError('PAYMENT_FAILED', { cause });
  }
  const order: StoredOrder = { ...proposal.order, payment };
  const rendered = renderResponse(order, locale);
  const response = proposal.response && { ...proposal.response, ...rendered };
  const outcome = await store.placeOrder({ order, promo: proposal.promo, response }).catch(notStored);
  return 'conflict' in outcome ? outcome : { ...rendered, replayed: false };
}

const noteCall = ({ emit, gateway }: PaymentDependencies, error?: unknown): void =>
  emit({ type: 'call', provider: gateway.name, call: 'payments', error });

/** Asks the gateway for the payment, because a failed request may have created it. */
async function afterFailure(
  deps: PaymentDependencies,
  gateway: RemoteGateway,
  order: ReservedOrder,
  { cause, reference }: { cause: unknown; reference: string | null },
): Promise<Outcome> {
  const recovered = await recoverOrder(deps, gateway, order, reference);
  noteCall(deps, recovered ? undefined : cause);
  if (recovered) return { ...deps.renderResponse(recovered), replayed: false };
  throw new DomainError('PAYMENT_FAILED', { cause });
}

/** Reserves an order, calls the gateway, then finalises or abandons the order (open points: creating an order), if the gateway does I/O. */
async function storeInSteps(
  deps: PaymentDependencies,
  gateway: RemoteGateway,
  proposal: ReserveOrder,
): Promise<Outcome> {
  const { store, renderResponse, emit } = deps;
  const { order } = proposal;
  const { orderId } = order;
  const reserved = await store.reserveOrder(proposal).catch(notStored);
  if ('conflict' in reserved) return reserved;
  let answer: unknown;
  try {
    answer = await askGateway((signal) => gateway.createPayment(requestOf(order), signal));
  } catch (cause) {
    return afterFailure(deps, gateway, order, { cause, reference: null });
  }
  const created = readCreatedPayment(answer, order.paymentMethod);
  if (created.state === 'rejected') {
    noteCall(deps, created.error);
    // If the payment can't be stored, the order is recovered like any other order.
    await store
      .abandonOrder(orderId)
      .catch((error: unknown) => emit({ type: 'error', error, about: orderId }));
    throw new DomainError('PAYMENT_FAILED', { cause: created.error });
  }
  if (created.state === 'unreadable')
    return afterFailure(deps, gateway, order, { cause: created.error, reference: created.reference });
  noteCall(deps);
  const { payment } = created;
  const response = renderResponse({ ...order, payment });
  const finalised = await store.finaliseOrder({ orderId, payment, response }).catch(saveFailed);
  return 'done' in finalised ? { ...response, replayed: false } : saveFailed(new Error(finalised.conflict));
}

/** Creates a payment for a proposed order, and stores both or neither. The response is in the language of `locale`. */
export function storeWithPayment(
  deps: PaymentDependencies,
  proposal: ReserveOrder,
  locale: Locale | undefined,
): Promise<Outcome> {
  const { gateway, renderResponse } = deps;
  return gateway.kind === 'local'
    ? storeAtOnce(deps, gateway, proposal, locale)
    : storeInSteps({ ...deps, renderResponse: (order) => renderResponse(order, locale) }, gateway, proposal);
}
