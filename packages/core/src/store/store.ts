import type { Catalog } from './types/catalog.ts';
import type { StoredKey } from './types/key.ts';
import type { OrderState, StoredOrder } from './types/order.ts';

export const done = { done: true } as const;
export type Done = typeof done;

/** A command that a constraint refused: nothing of it was stored. */
export interface Conflict<Name extends string> {
  conflict: Name;
}

/** Whether a store holds what really happened, or what was played. */
export type StoreMode = 'live' | 'sandbox';

/** One use of a promo code, claimed together with the order that uses it. */
export interface PromoClaim {
  code: string;
  /** The normalised phone number that the limit per customer counts by. */
  customer: string;
  perCustomer: number | null;
}

export interface PromoUses {
  total: number;
  byCustomer: number;
}

/** The answer that an `Idempotency-Key` replays, stored together with the order that it tells of. */
export interface IdempotentAnswer {
  accountId: string;
  key: string;
  /** Hash of the canonical payload. */
  fingerprint: string;
  body: string;
  /** Unix milliseconds of world time; from then on the key is free again. */
  expiresAt: number;
}

export interface PlaceOrder {
  order: StoredOrder;
  promo: PromoClaim | null;
  answer: IdempotentAnswer | null;
}

export type PlaceOrderConflict =
  | { conflict: 'idempotency_conflict'; stored: IdempotentAnswer }
  | Conflict<'order_id_taken' | 'reference_taken' | 'code_taken' | 'promo_exhausted' | 'promo_used'>;

export interface ChangeOrder {
  orderId: string;
  from: OrderState;
  to: OrderState;
  /** Gives the order's use of a promo back. */
  releasePromo: boolean;
}

/**
 * Where everything is kept. Each method is one atomic command: it happens whole and is durable when its promise
 * resolves, or a typed conflict says what refused it. There is no transaction to leave open.
 *
 * The engine proposes, a constraint of the store refuses, the engine proposes again: order ids, payment references,
 * unique codes of unpaid orders, promo quotas and idempotency keys can't be taken twice, whoever else writes.
 *
 * Records that go in or come out are never changed in place.
 */
export interface Store {
  /** The mode of the server that served the store first; null before. */
  readMode(): Promise<StoreMode | null>;
  /** Gives a store its mode, once and for all, so that played orders never stand among real ones. */
  claimMode(mode: StoreMode): Promise<Done | { conflict: 'other_mode'; mode: StoreMode }>;

  /** Grows with every change of the catalogue or the keys, by whichever process; cheap to read. */
  revision(): Promise<number>;

  /** The catalogue in force; null while the store is empty. */
  readCatalog(): Promise<Catalog | null>;
  /**
   * Puts a catalogue in force as a whole; uses of promo codes are kept.
   * `promo_quota_below_uses`: a promo was already used more often than its new quota allows.
   */
  replaceCatalog(
    catalog: Catalog,
  ): Promise<Done | { conflict: 'promo_quota_below_uses'; code: string; uses: number }>;
  /** How many uses of a promo code are claimed now, and how many of them by one customer. */
  countPromoUses(code: string, customer: string): Promise<PromoUses>;

  createKey(key: StoredKey): Promise<Done | Conflict<'key_taken'>>;
  findKey(hash: string): Promise<StoredKey | null>;
  /** All keys, oldest first. */
  listKeys(): Promise<StoredKey[]>;
  /** Revoking a revoked key changes nothing. */
  revokeKey(keyId: string, revokedAt: number): Promise<Done | Conflict<'key_missing'>>;

  /** Stores an order with all that belongs to it: the use of its promo and the answer its idempotency key replays. */
  placeOrder(command: PlaceOrder): Promise<Done | PlaceOrderConflict>;
  /** The answer stored for an idempotency key that has not expired at `now` (world time). */
  findAnswer(accountId: string, key: string, now: number): Promise<IdempotentAnswer | null>;
  findOrder(orderId: string): Promise<StoredOrder | null>;
  findOrderByReference(reference: string): Promise<StoredOrder | null>;
  /** Compare-and-set of an order's state. */
  changeOrder(command: ChangeOrder): Promise<Done | Conflict<'order_missing' | 'state_changed'>>;

  close(): Promise<void>;
}
