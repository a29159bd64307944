import type { OrderInput, PaymentGroup, Pricing } from '../../contract/index.ts';
import type { PaymentGateway } from '../../gateway/index.ts';
import type { Clock, Random } from '../../platform/index.ts';
import type {
  IdempotentAnswer,
  PlaceOrderConflict,
  Promo,
  PromoUses,
  Store,
  StoredOrder,
} from '../../store/index.ts';
import type { CatalogView } from '../catalog/catalog-view.ts';
import { priceOrder, unitPrice } from '../pricing.ts';
import { promoRefusal } from '../promos.ts';
import { Refusal } from '../refusal.ts';
import type { ZonedTime } from '../zoned-time.ts';
import { type Choice, choose } from './choose.ts';
import { customerOf } from './customer.ts';
import { createOrderId } from './order-id.ts';
import { initialState } from './order-states.ts';
import { uniqueCodes } from './unique-codes.ts';

export interface PlaceOrderDependencies {
  store: Store;
  gateway: PaymentGateway;
  worldClock: Clock;
  random: Random;
  catalog: () => Promise<CatalogView>;
  localTime: (moment: number) => ZonedTime;
  /** How long an order waits for its payment, in milliseconds. */
  paymentTime: Record<PaymentGroup, number>;
}

/** Who orders what, and how the answer reads that an idempotency key is to replay. */
export interface OrderCommand {
  accountId: string;
  input: OrderInput;
  idempotency: { key: string; fingerprint: string } | null;
  render: (order: StoredOrder) => string;
}

/** The answer to an order, and whether it is the stored one of an earlier order. */
export interface OrderAnswer {
  body: string;
  replayed: boolean;
}

/** How long an idempotency key is kept, in milliseconds of world time (open points: idempotency). */
const idempotencyTime = 24 * 60 * 60_000;

/** How often ids and references are drawn anew; that even two of them collide is not to be expected. */
const draws = 5;

/** How often a promo was used; not counted for one that may be used any number of times. */
async function usesOf(
  store: Store,
  { code, quota, per_customer }: Promo,
  customer: string,
): Promise<PromoUses> {
  if (quota === null && per_customer === null) return { total: 0, byCustomer: 0 };
  return store.countPromoUses(code, customer);
}

async function checkPromo(
  deps: PlaceOrderDependencies,
  choice: Choice,
  input: OrderInput,
  now: number,
): Promise<void> {
  const { promo, product, game, method } = choice;
  if (!promo) return;
  const refusal = promoRefusal(promo, {
    now,
    game: game.slug,
    productId: product.id,
    paymentMethodId: method.id,
    subtotalBeforePromo: unitPrice(product) * input.quantity,
    uses: await usesOf(deps.store, promo, customerOf(input.whatsapp)),
  });
  if (refusal) throw refusal;
}

const isWithinLimits = ({ method }: Choice, { total_price }: Pricing): boolean =>
  total_price >= method.minimum_amount && total_price <= method.maximum_amount;

const outsideLimits = ({ method }: Choice): Refusal =>
  new Refusal('PAYMENT_LIMIT', {
    words: {
      method: method.name,
      minimum: { money: method.minimum_amount },
      maximum: { money: method.maximum_amount },
    },
  });

function requestPayment(deps: PlaceOrderDependencies, orderId: string, amount: number, { method }: Choice) {
  try {
    return deps.gateway.createPayment({ orderId, amount, method });
  } catch (cause) {
    throw new Refusal('PAYMENT_FAILED', { cause });
  }
}

function proposeOrder(
  deps: PlaceOrderDependencies,
  { accountId, input }: OrderCommand,
  choice: Choice,
  pricing: Pricing,
  now: number,
): StoredOrder {
  const { game, product, method } = choice;
  const orderId = createOrderId(deps.localTime(now).digits, deps.random);
  return {
    orderId,
    accountId,
    createdAt: now,
    expiresAt: now + deps.paymentTime[method.group],
    ...initialState,
    target: { id: input.id, server: input.server ?? null, nickname: input.nickname ?? null },
    contact: { email: input.email ?? null, whatsapp: input.whatsapp },
    game: {
      id: game.id,
      slug: game.slug,
      title: game.title,
      developers: game.developers,
      brand: game.brand,
      description: game.description,
      image: game.image,
      banner: game.banner,
      status: game.status,
      populer: game.populer,
    },
    product: { id: product.id, code: product.code, title: product.title, image: product.image },
    paymentMethod: { id: method.id, code: method.code, name: method.name, group: method.group },
    pricing,
    payment: requestPayment(deps, orderId, pricing.total_price, choice),
    serialNumber: null,
  };
}

/** The answer that an idempotency key replays; a key that was used for another payload is refused. */
export function replay(stored: IdempotentAnswer, fingerprint: string): OrderAnswer {
  if (stored.fingerprint !== fingerprint) throw new Refusal('IDEMPOTENCY_CONFLICT');
  return { body: stored.body, replayed: true };
}

/** Stores one proposal: the answer to it, or the conflict that asks for another proposal. */
async function tryToStore(
  deps: PlaceOrderDependencies,
  command: OrderCommand,
  { promo }: Choice,
  order: StoredOrder,
): Promise<OrderAnswer | PlaceOrderConflict> {
  const { accountId, idempotency } = command;
  const body = command.render(order);
  const outcome = await deps.store
    .placeOrder({
      order,
      promo: promo && {
        code: promo.code,
        customer: customerOf(order.contact.whatsapp),
        perCustomer: promo.per_customer,
      },
      answer: idempotency && {
        accountId,
        ...idempotency,
        body,
        expiresAt: order.createdAt + idempotencyTime,
      },
    })
    .catch((cause: unknown) => {
      throw new Refusal('SAVE_FAILED', { cause });
    });
  return 'conflict' in outcome ? outcome : { body, replayed: false };
}

/** What a conflict means when another proposal can't help; undefined when it can. */
function settledConflict(conflict: PlaceOrderConflict, command: OrderCommand): OrderAnswer | undefined {
  if (conflict.conflict === 'promo_exhausted') throw new Refusal('PROMO_QUOTA');
  if (conflict.conflict === 'promo_used') throw new Refusal('PROMO_USED');
  if (conflict.conflict === 'idempotency_conflict')
    return replay(conflict.stored, command.idempotency?.fingerprint ?? '');
  return undefined;
}

/** Proposes orders with one unique code until the store takes one; undefined when the code itself is taken. */
async function placeWithCode(
  deps: PlaceOrderDependencies,
  command: OrderCommand,
  choice: Choice,
  pricing: Pricing,
  now: number,
): Promise<OrderAnswer | undefined> {
  for (let draw = 0; draw < draws; draw += 1) {
    const outcome = await tryToStore(
      deps,
      command,
      choice,
      proposeOrder(deps, command, choice, pricing, now),
    );
    if ('body' in outcome) return outcome;
    if (outcome.conflict === 'code_taken') return undefined;
    const answer = settledConflict(outcome, command);
    if (answer) return answer;
  }
  throw new Refusal('SAVE_FAILED', {
    cause: new Error(`no free order id or payment reference in ${draws} draws`),
  });
}

/**
 * Places an order: prices it, asks the gateway for a payment and stores all of it in one commit. The store's
 * constraints refuse ids, unique codes, promo uses and idempotency keys that are taken; then another is proposed.
 *
 * @throws Refusal, in the order of checks of the open points.
 */
export async function placeOrder(deps: PlaceOrderDependencies, command: OrderCommand): Promise<OrderAnswer> {
  const { input } = command;
  const now = deps.worldClock();
  const choice = choose(await deps.catalog(), input);
  await checkPromo(deps, choice, input, now);
  let fits = false;
  for (const uniqueCode of uniqueCodes(choice.method.group, deps.random)) {
    const pricing = priceOrder({ ...choice, quantity: input.quantity, uniqueCode });
    // A unique code may carry the total over a limit; another one may not.
    if (!isWithinLimits(choice, pricing)) continue;
    fits = true;
    const answer = await placeWithCode(deps, command, choice, pricing, now);
    if (answer) return answer;
  }
  throw fits ? new Refusal('PAYMENT_METHOD_BUSY') : outsideLimits(choice);
}
