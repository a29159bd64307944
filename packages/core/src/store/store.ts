import type { BuyStatus, PaymentStatus } from '../contract/index.ts';
import type {
  Catalog,
  HistoryEntry,
  OrderState,
  Payment,
  Promo,
  Reconciliation,
  ReservedOrder,
  StoredKey,
  StoredOrder,
  StoredUnit,
} from './types.ts';

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

/** An `Idempotency-Key` in use, and the answer that it replays. */
export interface IdempotentAnswer {
  accountId: string;
  /** The order that took the key. */
  orderId: string;
  key: string;
  /** Hash of the canonical payload. */
  fingerprint: string;
  /** Null while its order is reserved: the request is still in flight. */
  body: string | null;
  /** Unix milliseconds of world time; from then on the key is free again. */
  expiresAt: number;
}

export interface PlaceOrder {
  order: StoredOrder;
  promo: PromoClaim | null;
  answer: IdempotentAnswer | null;
}

export interface ReserveOrder {
  order: ReservedOrder;
  promo: PromoClaim | null;
  /** Its body is null. */
  answer: IdempotentAnswer | null;
}

export type ReserveOrderConflict =
  | { conflict: 'idempotency_conflict'; stored: IdempotentAnswer }
  | Conflict<'order_id_taken' | 'code_taken' | 'promo_exhausted' | 'promo_used'>;

export type PlaceOrderConflict = ReserveOrderConflict | Conflict<'reference_taken'>;

export interface FinaliseOrder {
  orderId: string;
  payment: Payment;
  /** The answer that the order's idempotency key replays from now on, if it has one. */
  body: string;
}

/** A change of an order, with all the rows that it causes. */
export interface ChangeOrder {
  orderId: string;
  /** The version that the change was thought out for; any other is refused. */
  version: number;
  /** The state it has from now on; the same as before when only units change. */
  to: OrderState;
  /** The line it adds to the history; null when the state stays. */
  entry: HistoryEntry | null;
  /** `release` gives the use of a promo back; `reclaim` takes it anew if the quota still has room for it. */
  promo: 'keep' | 'release' | 'reclaim';
  /** Units to store as they are from now on; others stay. */
  units: StoredUnit[];
  /** The proof of delivery it has from now on. */
  serialNumber: string | null;
  /** The reconciliation that this change settles. */
  settles: string | null;
}

/** A unit whose time to be asked for has come. */
export interface DueUnit {
  orderId: string;
  unit: number;
}

/** Which orders to list, newest first; what is left out filters nothing. */
export interface OrderFilter {
  accountId?: string;
  paymentStatus?: PaymentStatus;
  buyStatus?: BuyStatus;
  gameId?: number;
  /** Only orders older than this one: the last of the page before. */
  after?: { createdAt: number; orderId: string };
  limit: number;
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

  /** Puts one promo in force, new or changed, beside the others. Its uses are kept. */
  putPromo(promo: Promo): Promise<Done | { conflict: 'promo_quota_below_uses'; code: string; uses: number }>;

  /** Stores an order with all that belongs to it: the use of its promo and the answer its idempotency key replays. */
  placeOrder(command: PlaceOrder): Promise<Done | PlaceOrderConflict>;
  /** First step of three, for a gateway that does I/O: claims all that an order needs, and shows it to nobody. */
  reserveOrder(command: ReserveOrder): Promise<Done | ReserveOrderConflict>;
  /** Last step: gives a reserved order its payment and shows it. */
  finaliseOrder(command: FinaliseOrder): Promise<Done | Conflict<'order_missing' | 'reference_taken'>>;
  /** The other last step: forgets a reserved order and frees all that it claimed. */
  abandonOrder(orderId: string): Promise<Done | Conflict<'order_missing'>>;
  /** Reserved orders, oldest first. */
  findReservedOrders(limit: number): Promise<ReservedOrder[]>;

  /** The idempotency key in use at `now` (world time); null when it is free. */
  findAnswer(accountId: string, key: string, now: number): Promise<IdempotentAnswer | null>;
  /** Forgets up to `limit` answers that expired at `now`; how many. */
  purgeAnswers(now: number, limit: number): Promise<number>;

  findOrder(orderId: string): Promise<StoredOrder | null>;
  findOrderByReference(reference: string): Promise<StoredOrder | null>;
  listOrders(filter: OrderFilter): Promise<StoredOrder[]>;
  /** An order's units by their number; none before it is paid. */
  findUnits(orderId: string): Promise<StoredUnit[]>;
  /** An order's changes of state, oldest first. */
  findHistory(orderId: string): Promise<HistoryEntry[]>;
  /** Changes an order and all that belongs to it, or nothing. */
  changeOrder(command: ChangeOrder): Promise<Done | Conflict<'order_missing' | 'order_changed'>>;

  /** Unpaid orders whose expiry has come at `now`, the longest overdue first. */
  findOverdueOrders(now: number, limit: number): Promise<StoredOrder[]>;
  /** Units whose `nextAt` has come at `now`, the longest overdue first. */
  findDueUnits(now: number, limit: number): Promise<DueUnit[]>;
  /** The earliest expiry of an unpaid order or `nextAt` of a unit; null when nothing will fall due. */
  nextDueAt(): Promise<number | null>;

  /** Notes money that could not be matched; noting the same again changes nothing. */
  noteReconciliation(reconciliation: Reconciliation): Promise<Done>;
  /** Oldest first; of one state, or all. */
  listReconciliations(state?: Reconciliation['state']): Promise<Reconciliation[]>;
  /** Notes that the money went back. */
  returnReconciliation(
    reconciliationId: string,
    note: string,
  ): Promise<Done | Conflict<'reconciliation_missing' | 'reconciliation_closed'>>;

  /** How far world time is ahead of real time, in milliseconds; 0 unless a sandbox moved it. */
  readWorldOffset(): Promise<number>;
  /** Moves world time; the new offset. */
  moveWorld(by: number): Promise<number>;
  /** Forgets all orders and what belongs to them, and sets world time right; catalogue and keys stay. */
  clearOrders(): Promise<Done>;

  close(): Promise<void>;
}
