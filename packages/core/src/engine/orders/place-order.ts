import type { Pricing } from '../../contract/index.ts';
import type { IdempotentAnswer, PlaceOrderConflict, ReservedOrder, ReserveOrder } from '../../store/index.ts';
import { priceOrder } from '../pricing.ts';
import { Refusal } from '../refusal.ts';
import { checkPromo } from './check-promo.ts';
import { type Choice, choose } from './choose.ts';
import { customerOf } from './customer.ts';
import type { OrderAnswer, OrderCommand, PlaceOrderDependencies } from './order-command.ts';
import { proposeOrder } from './propose-order.ts';
import { storeProposal } from './store-proposal.ts';
import { uniqueCodes } from './unique-codes.ts';

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
