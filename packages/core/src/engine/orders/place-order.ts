import {
  type Dialect,
  type Locale,
  type OrderInput,
  type PaymentGroup,
  type Pricing,
  paymentKinds,
  phoneDigits,
} from '../../contract/index.ts';
import { type RandomBytes, randomBelow, randomText } from '../../platform/index.ts';
import type {
  CatalogPaymentMethod,
  IdempotentResponse,
  PlaceOrderConflict,
  PromoClaim,
  ReservedOrder,
  ReserveOrder,
} from '../../store/index.ts';
import type { CatalogView } from '../catalog/view.ts';
import { DomainError } from '../errors.ts';
import { priceOrder } from '../pricing.ts';
import type { ZonedTime } from '../time.ts';
import { type Choice, type ChoiceDependencies, checkUses, choose } from './choose.ts';
import { storeWithPayment } from './payment-step.ts';
import type { PaymentDependencies } from './recover.ts';
import { initialState } from './states.ts';

export interface PlaceOrderDependencies extends PaymentDependencies, ChoiceDependencies {
  random: RandomBytes;
  /** Returns the random bytes of an order; `random` by default. */
  orderRandom?: (command: OrderCommand) => RandomBytes;
  catalog: () => Promise<CatalogView>;
  localTime: (moment: number) => ZonedTime;
  /** Time to pay, in minutes; `paymentTime` is in milliseconds and takes precedence. */
  expiryMinutes: Dialect['expiryMinutes'];
  paymentTime?: Partial<Record<PaymentGroup, number>>;
  /** Time for which an order's response is replayed, in milliseconds of world time (open points: idempotency). */
  replayMs: number;
}

/** An idempotency key, and a fingerprint of its order. */
export interface KeyedPayload {
  key: string;
  fingerprint: string;
  /** Returns the fingerprints of the same order by earlier versions, for keys that these versions stored. */
  formerFingerprints?: () => readonly string[];
}

/** An order to place, with its account and its idempotency key. */
export interface OrderCommand {
  accountId: string;
  input: OrderInput;
  idempotency: KeyedPayload | null;
  /** The language of the response; the service's own language by default. */
  locale?: Locale;
}

/** The response to an order, and whether it was stored for an earlier request. */
export interface OrderResponse extends Pick<IdempotentResponse, 'orderId' | 'locale'> {
  body: string;
  replayed: boolean;
}

/** Number of order ids and references to try. Even two collisions in a row are very improbable. */
const maxAttempts = 5;

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** Alphabet of page references, which alone protect payment pages. A reference of 24 characters has over 142 bits. */
const pageAlphabet = `${letters}${letters.toLowerCase()}0123456789`;
const pageLength = 24;

/** Creates an order id: `INV-` + local `YYYYMMDDHHmmss` + `-` + 8 letters (interface 2.3; meaning of the digits: ours). */
const createOrderId = ({ iso }: ZonedTime, random: RandomBytes): string =>
  `INV-${iso.slice(0, 19).replace(/\D/g, '')}-${randomText(random, letters, 8)}`;

/** The highest unique code. Codes start at 1; 0 means no code. */
export const highestCode = 999;

/** Generates the unique codes to try for an order: 1 to 999 in a circle from a random start, or only 0 if the group has no codes. */
export function* uniqueCodes(group: PaymentGroup, random: RandomBytes): Generator<number> {
  if (!paymentKinds[group].uniqueCode) return yield 0;
  const start = randomBelow(random, highestCode);
  for (let step = 0; step < highestCode; step += 1) yield 1 + ((start + step) % highestCode);
}

type TimeDependencies = 'expiryMinutes' | 'paymentTime' | 'gateway';

/** Returns the order's time to pay in milliseconds, within the gateway's limits. */
function timeToPay(
  { expiryMinutes, paymentTime, gateway }: Pick<PlaceOrderDependencies, TimeDependencies>,
  { code, group, name }: CatalogPaymentMethod,
): number {
  const usual = paymentTime?.[group] ?? expiryMinutes[group] * 60_000;
  const { min = 0, max = Number.POSITIVE_INFINITY } = gateway.expiryLimits?.({ code, group, name }) ?? {};
  return Math.max(min, Math.min(max, usual));
}

/** Creates the order to store, without its payment. */
function createOrder(
  deps: Pick<PlaceOrderDependencies, 'localTime' | TimeDependencies>,
  random: RandomBytes,
  { accountId, input }: OrderCommand,
  choice: Choice,
  pricing: Pricing,
  now: number,
): ReservedOrder {
  const { game, product, method, offers } = choice;
  return {
    orderId: createOrderId(deps.localTime(now), random),
    accountId,
    createdAt: now,
    expiresAt: now + timeToPay(deps, method),
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
      target: game.target,
    },
    product: {
      id: product.id,
      code: product.code,
      supplier_code: product.supplier_code,
      ...(offers && { suppliers: offers }),
      title: product.title,
      image: product.image,
    },
    paymentMethod: { id: method.id, code: method.code, name: method.name, group: method.group },
    pricing,
    gateway: deps.gateway.name,
    pageReference: deps.gateway.sandbox ? null : randomText(random, pageAlphabet, pageLength),
    returnUrl: input.return_url ?? null,
    serialNumber: null,
    version: 1,
  };
}

/** Combines the order with its claims: the promo use and the idempotency key. */
function proposalOf(
  { replayMs, hashCustomer }: Pick<PlaceOrderDependencies, 'replayMs' | 'hashCustomer'>,
  { accountId, idempotency }: OrderCommand,
  { promo }: Choice,
  order: ReservedOrder,
): ReserveOrder {
  let claim: PromoClaim | null = null;
  if (promo) {
    const { code, per_customer: perCustomer } = promo;
    const customer = phoneDigits(order.contact.whatsapp);
    const isHashed = perCustomer !== null && hashCustomer;
    claim = { code, customer, perCustomer, ...(isHashed && { customerHash: hashCustomer(customer) }) };
  }
  return {
    order,
    promo: claim,
    response: idempotency && {
      accountId,
      orderId: order.orderId,
      ...idempotency,
      body: null,
      locale: null,
      expiresAt: order.createdAt + replayMs,
    },
  };
}

/**
 * Returns the stored response of an idempotency key.
 *
 * @throws DomainError if the key was used for another payload, its first request is still in flight, or its response is no longer replayed.
 */
function replay(stored: IdempotentResponse, payload: KeyedPayload | null, now: number): OrderResponse {
  if (
    stored.fingerprint !== payload?.fingerprint &&
    !payload?.formerFingerprints?.().includes(stored.fingerprint)
  )
    throw new DomainError('IDEMPOTENCY_CONFLICT');
  if (stored.body === null) throw new DomainError('IDEMPOTENCY_IN_FLIGHT');
  if (stored.expiresAt <= now)
    throw new DomainError('IDEMPOTENCY_KEY_USED', { params: { orderId: stored.orderId } });
  return { orderId: stored.orderId, body: stored.body, locale: stored.locale, replayed: true };
}

/** Throws the error or returns the response for a final conflict; returns undefined if a different proposal may avoid it. */
function resolveConflict(
  conflict: PlaceOrderConflict,
  command: OrderCommand,
  now: number,
): OrderResponse | undefined {
  if (conflict.conflict === 'promo_exhausted') throw new DomainError('PROMO_QUOTA');
  if (conflict.conflict === 'promo_used') throw new DomainError('PROMO_USED');
  if (conflict.conflict === 'idempotency_conflict') return replay(conflict.stored, command.idempotency, now);
  return undefined;
}

const outsideLimits = ({ method }: Choice): DomainError =>
  new DomainError('PAYMENT_LIMIT', {
    params: {
      method: method.name,
      minimum: { money: method.minimum_amount },
      maximum: { money: method.maximum_amount },
    },
  });

export interface Placing {
  /** Finds the stored response of an idempotency key; null if the key is free. @throws DomainError like `place`. */
  findIdempotentResponse(accountId: string, idempotency: KeyedPayload): Promise<OrderResponse | null>;
  /**
   * Places an order: computes its price, gets a payment from the gateway and stores both. If the store rejects an id as taken, it tries
   * another id. For a taken unique code, it tries a code that no unpaid order has.
   *
   * @throws DomainError, in the sequence of checks of the open points.
   */
  place(command: OrderCommand): Promise<OrderResponse>;
}

export function createPlacing(deps: PlaceOrderDependencies): Placing {
  const { store, worldClock } = deps;

  async function findIdempotentResponse(
    accountId: string,
    idempotency: KeyedPayload,
  ): Promise<OrderResponse | null> {
    const stored = await store.findIdempotentResponse(accountId, idempotency.key);
    return stored && replay(stored, idempotency, worldClock());
  }

  /**
   * Returns the response to an identical request whose order was placed in between, because that order may have used up what this order
   * needs. Otherwise throws the error.
   */
  async function earlierOr({ accountId, idempotency }: OrderCommand, error: unknown): Promise<OrderResponse> {
    const earlier = idempotency && (await findIdempotentResponse(accountId, idempotency));
    if (earlier) return earlier;
    throw error;
  }

  /** Finds the totals that open orders with this method already use, within the range of possible unique codes. */
  async function findTaken({ method }: Choice, { total_price, unique_code }: Pricing): Promise<Set<number>> {
    const withoutCode = total_price - unique_code;
    return new Set(await store.findTakenTotals(method.id, withoutCode + 1, withoutCode + highestCode));
  }

  /** Tries to place an order with one unique code; undefined if the code is taken. */
  async function placeWithCode(
    command: OrderCommand,
    choice: Choice,
    pricing: Pricing,
    { now, random }: { now: number; random: RandomBytes },
  ): Promise<OrderResponse | undefined> {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const order = createOrder(deps, random, command, choice, pricing, now);
      const { orderId } = order;
      const proposal = proposalOf(deps, command, choice, order);
      const outcome = await storeWithPayment(deps, proposal, command.locale).catch((error: unknown) => {
        if (error instanceof DomainError) error.orderId = orderId;
        throw error;
      });
      if ('body' in outcome) return { ...outcome, orderId };
      if (outcome.conflict === 'code_taken') return undefined;
      const resolved = resolveConflict(outcome, command, now);
      if (resolved) return resolved;
    }
    throw new DomainError('SAVE_FAILED', {
      cause: new Error(`no free order id or payment reference in ${maxAttempts} attempts`),
    });
  }

  return {
    findIdempotentResponse,
    async place(sent) {
      const now = worldClock();
      const random = deps.orderRandom?.(sent) ?? deps.random;
      const { target, ...choice } = choose(await deps.catalog(), sent.input);
      const command = { ...sent, input: { ...sent.input, ...target } };
      const { quantity } = command.input;
      try {
        await checkUses(deps, choice, command.input, now);
      } catch (error) {
        return earlierOr(command, error);
      }
      const { method } = choice;
      let fits = false;
      let taken: ReadonlySet<number> = new Set();
      for (const uniqueCode of uniqueCodes(method.group, random)) {
        const pricing = priceOrder({ ...choice, quantity, uniqueCode });
        const { total_price: total } = pricing;
        // The total may be outside the limits with one unique code, and within them with another code.
        if (total < method.minimum_amount || total > method.maximum_amount) continue;
        fits = true;
        if (taken.has(total)) continue;
        const placed = await placeWithCode(command, choice, pricing, { now, random });
        if (placed) return placed;
        taken = await findTaken(choice, pricing);
      }
      if (!fits) throw outsideLimits(choice);
      return earlierOr(command, new DomainError('PAYMENT_METHOD_BUSY'));
    },
  };
}
