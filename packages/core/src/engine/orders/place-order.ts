import type { Dialect, OrderInput, PaymentGroup, Pricing } from '../../contract/index.ts';
import { type Random, randomBelow, randomText } from '../../platform/index.ts';
import type { IdempotentAnswer, PlaceOrderConflict, ReservedOrder, ReserveOrder } from '../../store/index.ts';
import type { CatalogView } from '../catalog/view.ts';
import { Refusal } from '../errors.ts';
import { priceOrder } from '../pricing.ts';
import type { ZonedTime } from '../time.ts';
import { type Choice, checkPromo, choose, customerOf } from './choose.ts';
import { type RecoveryDependencies, storeProposal } from './payment-step.ts';
import { initialState } from './states.ts';

/** How long an idempotency key is kept, in milliseconds of world time (open points: idempotency). */
const idempotencyTime = 24 * 60 * 60_000;

/** How often ids and references are drawn anew; that even two of them collide is not to be expected. */
const draws = 5;

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

/** The answer that an idempotency key replays; a key that was used for another payload is refused. */
export function replay(stored: IdempotentAnswer, fingerprint: string): OrderAnswer {
  if (stored.fingerprint !== fingerprint) throw new Refusal('IDEMPOTENCY_CONFLICT');
  if (stored.body === null) throw new Refusal('IDEMPOTENCY_IN_FLIGHT');
  return { body: stored.body, replayed: true };
}

/** What a proposal claims besides its order. */
const proposalOf = (
  { accountId, idempotency }: OrderCommand,
  { promo }: Choice,
  order: ReservedOrder,
): ReserveOrder => ({
  order,
  promo: promo && {
    code: promo.code,
    customer: customerOf(order.contact.whatsapp),
    perCustomer: promo.per_customer,
  },
  answer: idempotency && {
    accountId,
    orderId: order.orderId,
    ...idempotency,
    body: null,
    expiresAt: order.createdAt + idempotencyTime,
  },
});

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
    const outcome = await storeProposal(
      deps,
      proposalOf(command, choice, proposeOrder(deps, command, choice, pricing, now)),
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
 * Places an order: prices it, gets a payment for it from the gateway and stores all of it. The store's constraints refuse ids, unique codes, promo uses and idempotency keys that are taken; then another is proposed.
 *
 * @throws Refusal, in the order of checks of the open points.
 */
export async function placeOrder(deps: PlaceOrderDependencies, command: OrderCommand): Promise<OrderAnswer> {
  const { input } = command;
  const now = deps.worldClock();
  const choice = choose(await deps.catalog(), input);
  await checkPromo(deps.store, choice, {
    quantity: input.quantity,
    customer: customerOf(input.whatsapp),
    now,
  });
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

export interface PlaceOrderDependencies extends RecoveryDependencies {
  random: Random;
  /** The randomness of one order; `random` unless said. */
  orderRandom?: (command: OrderCommand) => Random;
  catalog: () => Promise<CatalogView>;
  localTime: (moment: number) => ZonedTime;
  /** How long an order waits for its payment, in milliseconds. */
  paymentTime: Record<PaymentGroup, number>;
}

/** Who orders what. */
export interface OrderCommand {
  accountId: string;
  input: OrderInput;
  idempotency: { key: string; fingerprint: string } | null;
}

/** The answer to an order, and whether it is the stored one of an earlier order. */
export interface OrderAnswer {
  body: string;
  replayed: boolean;
}

/** The order that a client asks for, as it would be stored, but for its payment. */
export function proposeOrder(
  deps: Pick<PlaceOrderDependencies, 'localTime' | 'random' | 'paymentTime'>,
  { accountId, input }: OrderCommand,
  choice: Choice,
  pricing: Pricing,
  now: number,
): ReservedOrder {
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
    serialNumber: null,
    version: 1,
  };
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** `INV-` + local `YYYYMMDDHHmmss` + `-` + 8 letters (interface 2.3; the digits' meaning: ours). */
export const createOrderId = (digits: string, random: Random): string =>
  `INV-${digits}-${randomText(random, letters, 8)}`;

/** Unique codes go from 1 to this; 0 means none. */
const highest = 999;

/**
 * The codes to propose for an order, each once: for a bank transfer 1 to 999 from a random one on, because its
 * payments are told apart by their totals alone; for any other method just 0.
 */
export function* uniqueCodes(group: PaymentGroup, random: Random): Generator<number> {
  if (group !== 'Bank Transfer') return yield 0;
  const start = randomBelow(random, highest);
  for (let step = 0; step < highest; step += 1) yield 1 + ((start + step) % highest);
}

const minute = 60_000;

/** How long an order waits for its payment in a dialect, in milliseconds. */
export const paymentTimeOf = ({
  expiryMinutes,
}: Pick<Dialect, 'expiryMinutes'>): Record<PaymentGroup, number> => ({
  QRIS: expiryMinutes.QRIS * minute,
  'E-Wallet': expiryMinutes['E-Wallet'] * minute,
  'Virtual Account': expiryMinutes['Virtual Account'] * minute,
  Retail: expiryMinutes.Retail * minute,
  'Bank Transfer': expiryMinutes['Bank Transfer'] * minute,
});
