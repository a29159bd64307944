import type { BuyStatus, Locale, PaymentStatus } from '../contract/index.ts';
import { type Conflict, type Done, done } from './outcome.ts';
import type {
  Catalog,
  CatalogEdit,
  HistoryEntry,
  OrderChange,
  OrderProgress,
  OrderState,
  Payment,
  Promo,
  ProviderProblem,
  Reconciliation,
  ReconciliationFilter,
  Refund,
  ReservedOrder,
  StoredCatalogEdit,
  StoredKey,
  StoredOrder,
  StoredUnit,
  SupplierBalance,
  SupplierList,
} from './types.ts';

export { type Conflict, type Done, done };

/** The error of a store that can't do a command. */
export abstract class StoreError extends Error {
  /** Seconds after which to try again, when nothing of the command was stored; null when that is not known. */
  abstract readonly retryAfter: number | null;
  /** Whether the store tells its host of the problem, once, so that nobody has to report the error of each command. */
  abstract readonly isReported: boolean;
}

/** Whether a store holds real orders or those of a sandbox. */
export type StoreMode = 'live' | 'sandbox';

/** How a shop shows amounts and times. */
export interface StoreDisplay {
  /** ISO 4217. */
  currency: string;
  /** IANA name. */
  timezone: string;
}

/** One use of a promo code, claimed together with the order that uses it. */
export interface PromoClaim {
  code: string;
  /** The normalised phone number that the limit per customer counts by. */
  customer: string;
  /** What stands for the number in uses of erased orders, which count as well; left out, there are none. */
  customerHash?: string | undefined;
  perCustomer: number | null;
}

export interface PromoUses {
  total: number;
  byCustomer: number;
}

/** The body of a response, and its language. */
export interface RenderedResponse {
  body: string;
  locale: Locale;
}

/** An `Idempotency-Key`, which belongs to its order as long as the order exists, and the response that it replays. */
export interface IdempotentResponse {
  accountId: string;
  /** The order that was placed with the key. */
  orderId: string;
  key: string;
  /** Hash of the canonical payload. */
  fingerprint: string;
  /** Null while its order is reserved: the request is still in flight. Empty once the response is no longer stored. */
  body: string | null;
  /** Null without a body, and where an earlier version stored it. */
  locale: Locale | null;
  /** Unix milliseconds of world time; from then on the response is no longer replayed. 0 once it is no longer stored. */
  expiresAt: number;
}

export interface PlaceOrder {
  order: StoredOrder;
  promo: PromoClaim | null;
  response: IdempotentResponse | null;
}

export interface ReserveOrder {
  order: ReservedOrder;
  promo: PromoClaim | null;
  /** `body` is null until the order is finalised. */
  response: IdempotentResponse | null;
}

export type ReserveOrderConflict =
  | { conflict: 'idempotency_conflict'; stored: IdempotentResponse }
  | Conflict<'order_id_taken' | 'code_taken' | 'promo_exhausted' | 'promo_used'>;

export type PlaceOrderConflict = ReserveOrderConflict | Conflict<'reference_taken'>;

export interface FinaliseOrder {
  orderId: string;
  payment: Payment;
  /** The response that the order's idempotency key replays from now on, if it has one; null frees the key. */
  response: RenderedResponse | null;
}

/** A change of an order, with all rows that have to be stored with it. */
export interface ChangeOrder {
  orderId: string;
  /** The version that the change was planned for; with any other version it is a conflict. */
  version: number;
  /** The new state; the same as before when only units change. */
  to: OrderState;
  /** The new line of the history; null when the state stays the same. */
  entry: HistoryEntry | null;
  /** `release` frees the use of the promo; `reclaim` takes it again if the quota allows one more. */
  promo: 'keep' | 'release' | 'reclaim';
  /** New and changed units; the others stay. */
  units: StoredUnit[];
  /** The new proof of delivery. */
  serialNumber: string | null;
  /** The reconciliations that this change settles; one of no order belongs to this order from then on. */
  settles: readonly string[];
  /** New refunds of the order. */
  refunds: readonly Refund[];
}

/** An erasure by an operator, or of a day by `TOPUP_RETENTION_DAYS`: what it has erased so far, and never of whom. */
export interface Erasure {
  /** When it began, in unix milliseconds of world time. */
  at: number;
  /** The name of the operator, or `TOPUP_RETENTION_DAYS`. */
  by: string;
  orders: number;
  callbacks: number;
  events: number;
}

/** How much of what rooms have of orders an erasure erased. */
export type RoomErasure = Partial<Pick<Erasure, 'callbacks' | 'events'>>;

/** Erases the personal data of an order that still has this version, as a part of an erasure. */
export interface EraseOrder {
  orderId: string;
  version: number;
  /** What stands for the number in the use of its promo from then on. */
  customerHash: string;
  erasure: Pick<Erasure, 'at' | 'by'>;
}

/** How a refund that was to be paid ended. */
export type CloseRefund = Pick<Refund, 'refundId'> & {
  state: 'paid' | 'cancelled';
  reference: string;
  closedAt: number;
  closedBy: string | null;
};

/** The name of a unit: one for which the supplier is to be asked now, for example. */
export interface DueUnit {
  orderId: string;
  unit: number;
}

/** The name of an attempt to deliver a unit. */
export interface NamedAttempt extends DueUnit {
  attempt: number;
}

/**
 * A moment of world time at which a unit is due if its `nextAt` is not after `now`, or after `latest`. No schedule reaches that
 * far, so the clock was set back since; otherwise the unit would wait until it has caught up.
 */
export interface DueMoment {
  now: number;
  latest: number;
}

/** How much is open at each provider, by its name. */
export interface OpenWork {
  /** Payments that can still be made or are being created, by gateway. */
  payments: ReadonlyMap<string, number>;
  /** Items that were submitted and that the supplier is to be asked about, by supplier. */
  deliveries: ReadonlyMap<string, number>;
}

/** The payment of an order that can expire, or has expired. Moments are unix milliseconds of world time. */
export type ExpiringPayment = Pick<StoredOrder, 'orderId' | 'createdAt' | 'expiresAt'>;
/**
 * What holds an order up. `unfunded`: a unit waits for the balance at its supplier, or at this one. `stuck`: it is in delivery, and a unit that
 * doesn't wait for the balance has had no outcome since `before`, or its outcome is unknown; a later attempt of a unit counts since the order
 * was paid or an operator last retried it. `failed`: it is PAID / Gagal, and not
 * contradicted. `contradicted`: a supplier contradicted an outcome. `reserved`: its payment has not been created since `before`.
 */
export type OrderProblem =
  | { kind: 'stuck' | 'reserved'; before: number }
  | { kind: 'unfunded'; supplier?: string }
  | { kind: 'failed' | 'contradicted' };

/** Which orders to list, newest first; a filter that is left out matches every order. */
export interface OrderFilter {
  accountId?: string | undefined;
  paymentStatus?: PaymentStatus | undefined;
  buyStatus?: BuyStatus | undefined;
  gameId?: number | undefined;
  /** A phone number in its normal form (`normalPhone`). */
  customer?: string | undefined;
  /** Only orders that were created at or after this moment, and before that one, in unix milliseconds. */
  from?: number | undefined;
  before?: number | undefined;
  /** Only orders older than this one, which is the last of the previous page. */
  after?: { createdAt: number; orderId: string } | undefined;
  limit: number;
}

/** What orders are searched by: a filter, and a text that something of them begins with, in any case. */
export interface OrderSearch extends Omit<OrderFilter, 'after' | 'customer'> {
  text: string;
}

/** Who claims work, and until when, in unix milliseconds of real time. */
export interface WorkClaim {
  by: string;
  until: number;
}

/** A server that runs on a store, for operators and for other servers. */
export interface StoreServer {
  /** New for each process. */
  serverId: string;
  /** Where it runs, for an operator. */
  address: string;
  /** Unix milliseconds of real time; when it has not said again by then that it runs, it does not run any more. */
  until: number;
}

/** The number of orders in a state. */
export interface OrdersInState {
  paymentStatus: PaymentStatus;
  buyStatus: BuyStatus;
  count: number;
}

/** An alert that operators were told of. */
export interface RaisedAlert {
  kind: string;
  sentence: string;
  count: number;
  names: readonly string[];
  /** Of what servers count: when it is over, in unix milliseconds of real time. */
  until?: number | undefined;
}

/** The alerts that were raised last, and a number that grows with each change of them. */
export interface RaisedAlerts {
  version: number;
  alerts: readonly RaisedAlert[];
}

/**
 * The database of the service, as the house needs it; `features/store.ts` adds what the rooms store. Each method is one atomic command: either all of it is stored, durably, when the promise
 * resolves, or nothing is stored and the result is a typed conflict. No transaction stays open between methods.
 *
 * The store guards order ids, payment and page references, unique codes of unpaid orders, promo quotas and idempotency keys by
 * constraints, so that two processes can't take the same one. After a conflict, the engine tries another value or
 * rejects the request.
 *
 * Neither the store nor its caller changes a record in place.
 */
export interface Store {
  /** The mode of the first server that used the store; null before that. */
  readMode(): Promise<StoreMode | null>;
  /** Sets the mode of a store for good, so that sandbox orders are never mixed with real ones. */
  claimMode(mode: StoreMode): Promise<Done | { conflict: 'other_mode'; mode: StoreMode }>;

  /**
   * Which defaults of settings the store was made with: 0 for none yet, and for stores that versions made which did not note it; 1 since
   * prices follow the supplier by default.
   */
  readDefaults(): Promise<number>;

  /** How the server that used the store last shows amounts and times; null before that. */
  readDisplay(): Promise<StoreDisplay | null>;
  saveDisplay(display: StoreDisplay): Promise<Done>;

  /** Grows with every change of the catalogue, of a supplier's list or of the keys by any process; cheap to read. */
  revision(): Promise<number>;

  /** The current catalogue; null while the store is empty. */
  readCatalog(): Promise<Catalog | null>;
  /**
   * Replaces everything that came from a catalogue file; uses of promo codes are kept, and so are the promos of
   * {@link putPromo}: those that the catalogue names are changed to its definition, the others follow its own.
   * The edit, if one is given, is added to the history.
   * `promo_quota_below_uses`: a promo was already used more often than its new quota allows.
   */
  replaceCatalog(
    catalog: Catalog,
    edit?: CatalogEdit,
  ): Promise<Done | { conflict: 'promo_quota_below_uses'; code: string; uses: number }>;
  /** {@link replaceCatalog} of a store that is empty. Servers that start at once seed it once. */
  seedCatalog(
    catalog: Catalog,
  ): Promise<Awaited<ReturnType<Store['replaceCatalog']>> | Conflict<'catalog_exists'>>;
  /** The promos of {@link putPromo}, in the order of the catalogue; {@link replaceCatalog} never removes them. */
  readOperatorPromos(): Promise<Promo[]>;
  /** The newest edits of the catalogue, the newest first. */
  listCatalogEdits(limit: number): Promise<StoredCatalogEdit[]>;
  /** Counts the claimed uses of a promo code: all of them, and those of one customer, by number and by hash. */
  countPromoUses(code: string, customer: string, customerHash?: string): Promise<PromoUses>;

  createKey(key: StoredKey): Promise<Done | Conflict<'key_taken'>>;
  findKey(hash: string): Promise<StoredKey | null>;
  /** All keys, oldest first. */
  listKeys(): Promise<StoredKey[]>;
  /** Revoking a revoked key changes nothing. */
  revokeKey(keyId: string, revokedAt: number): Promise<Done | Conflict<'key_missing'>>;
  /**
   * Adds a key that replaces another, which expires at `until` unless it does so earlier. `key_inactive`: when the next
   * key was created, the other was revoked or expired, or it has a replacement that was not revoked.
   */
  rotateKey(
    keyId: string,
    next: StoredKey,
    until: number,
  ): Promise<Done | Conflict<'key_missing' | 'key_inactive' | 'key_taken'>>;
  /** Stores by id when keys were last used, unless a later use is known. The revision stays. */
  recordKeyUses(uses: ReadonlyMap<string, number>): Promise<Done>;

  /** Adds or changes one promo, which belongs to the operator from then on; its uses are kept. */
  putPromo(promo: Promo): Promise<Done | { conflict: 'promo_quota_below_uses'; code: string; uses: number }>;

  /** Stores an order, the use of its promo and the response that its idempotency key replays. */
  placeOrder(command: PlaceOrder): Promise<Done | PlaceOrderConflict>;
  /** First step of an order whose gateway does I/O: claims all that the order needs; the order is not visible yet. */
  reserveOrder(command: ReserveOrder): Promise<Done | ReserveOrderConflict>;
  /** Last step after the gateway's response: adds the payment to a reserved order and makes the order visible. */
  finaliseOrder(command: FinaliseOrder): Promise<Done | Conflict<'order_missing' | 'reference_taken'>>;
  /** Last step without a payment: deletes a reserved order and frees all that it claimed. */
  abandonOrder(orderId: string): Promise<Done | Conflict<'order_missing'>>;
  /** The totals of the unpaid orders of a payment method that have a unique code, between two totals; also of reserved orders. */
  findTakenTotals(paymentMethodId: number, lowest: number, highest: number): Promise<number[]>;
  findReservedOrder(orderId: string): Promise<ReservedOrder | null>;
  /** Reserved orders, oldest first. */
  findReservedOrders(limit: number): Promise<ReservedOrder[]>;

  /** Null when the key is free. */
  findIdempotentResponse(accountId: string, key: string): Promise<IdempotentResponse | null>;
  /** Deletes up to `limit` responses that are no longer replayed at `now`, and keeps their keys; returns how many. */
  dropIdempotentResponses(now: number, limit: number): Promise<number>;

  findOrder(orderId: string): Promise<StoredOrder | null>;
  /** The orders of these ids, in any order; an id of none is left out. */
  findOrders(orderIds: readonly string[]): Promise<StoredOrder[]>;
  /** The part of `findOrder` that polling needs, which is most of what a store is asked: it costs much less. */
  findProgress(orderId: string): Promise<OrderProgress | null>;
  /** The order of a gateway's reference. */
  findOrderByReference(reference: string): Promise<StoredOrder | null>;
  /** The order of a payment page: of its page reference, or of the gateway's reference if it has none of its own. */
  findOrderByPage(reference: string): Promise<StoredOrder | null>;
  /** The orders for an account's id, also reserved ones, that were placed since a moment. */
  findOrdersOfTarget(targetId: string, since: number): Promise<ReservedOrder[]>;
  listOrders(filter: OrderFilter): Promise<StoredOrder[]>;
  /**
   * The newest orders that a text of at least three characters finds. Of a text that very many orders have, it looks at some thousands of
   * them. Changes that {@link indexForSearch} has not seen yet may be missing.
   */
  searchOrders(search: OrderSearch): Promise<StoredOrder[]>;
  /** Lets orders be found by up to `limit` more changes, and resolves with how many there were. */
  indexForSearch(limit: number): Promise<number>;
  /** The units of an order, sorted by number; none before it is paid. */
  findUnits(orderId: string): Promise<StoredUnit[]>;
  /** The changes of an order's state since it was placed, oldest first. */
  findHistory(orderId: string): Promise<HistoryEntry[]>;
  /**
   * The changes of all orders with a place above `after`, in their order. A change is there once it is stored, those of one order in
   * their order, and none gets a place below one that was returned before.
   */
  findChanges(after: number, limit: number): Promise<OrderChange[]>;
  /** The place of the last change of an order that was given one. */
  lastPosition(): Promise<number>;
  /** The alerts that operators were told of last. */
  readRaisedAlerts(): Promise<RaisedAlerts>;
  /** Changes an order and all that belongs to it; `order_changed` when the order has another version by now. */
  changeOrder(command: ChangeOrder): Promise<Done | Conflict<'order_missing' | 'order_changed'>>;

  /**
   * Erases who an order was for, wherever the store holds it: in the order, its items, history, refunds and payments to reconcile, and in
   * what rooms have of it. Money and states stay, and so does its idempotency key.
   */
  eraseOrder(erase: EraseOrder): Promise<Done | Conflict<'order_missing' | 'order_changed'>>;
  /** The newest first. */
  listErasures(): Promise<Erasure[]>;
  /** The secret of the hashes that stand for customers; null before there is one. */
  findCustomerSecret(): Promise<string | null>;
  /**
   * Stores the secret of the hashes that stand for customers, if the one that is stored is `known`: null for none. Resolves with the one
   * that is stored then.
   */
  setCustomerSecret(secret: string, known: string | null): Promise<string>;

  /** Unpaid orders that have expired at `now`, the longest overdue first. */
  findOverdueOrders(now: number, limit: number): Promise<StoredOrder[]>;
  /** Payments in the order of their expiry and order id, from the first one after a place in it. */
  findPaymentsByExpiry(
    status: 'UNPAID' | 'EXPIRED',
    after: Pick<ExpiringPayment, 'expiresAt' | 'orderId'>,
    limit: number,
  ): Promise<ExpiringPayment[]>;
  /** Units that are due, sorted by their `nextAt`. */
  findDueUnits(at: DueMoment, limit: number): Promise<DueUnit[]>;
  /**
   * Attempts with this id of the supplier, current ones and earlier ones that a history keeps, in any order; several if suppliers
   * use the same ids.
   */
  findAttemptsBySupplierId(supplierId: string): Promise<NamedAttempt[]>;
  /** The earliest expiry of an unpaid order or `nextAt` of a unit; null when there is none. */
  nextDueAt(): Promise<number | null>;

  /**
   * Claims items of work for a server, so that two servers don't do the same at the same time. Returns those that no other
   * server has at `now` (real time); claiming again what a server has makes its claim last longer. A store of a single
   * server returns all of them.
   */
  claimWork(names: readonly string[], claim: WorkClaim, now: number): Promise<string[]>;

  /** Notes that a server runs on the store, and returns how many do at `now` (real time). A store of a single server returns 1. */
  noteServer(server: StoreServer, now: number): Promise<number>;

  /** Counts all that is open at each provider, without the rows of earlier versions, which don't name theirs. */
  countOpenWork(): Promise<OpenWork>;
  /** How many orders are in each state, without those that are reserved. As cheap with a million orders as with one. */
  countOrders(): Promise<OrdersInState[]>;

  /** The ids of up to `limit` orders with a problem; those with a time to compare are the oldest first. */
  findProblemOrders(problem: OrderProblem, limit: number): Promise<string[]>;

  /** The balance at each supplier that was ever asked, by the last question, sorted by the supplier. */
  readSupplierBalances(): Promise<SupplierBalance[]>;
  saveSupplierBalance(balance: SupplierBalance): Promise<Done>;

  /** What each supplier listed when it was last asked, the newest list first. */
  readSupplierLists(): Promise<SupplierList[]>;

  /** Which requests the providers do not handle, by the name of the provider. */
  readProviderProblems(): Promise<ProviderProblem[]>;
  /** Replaces all of them. */
  saveProviderProblems(problems: readonly ProviderProblem[]): Promise<Done>;

  /** Adds a payment that could not be matched; adding the same id again changes nothing. */
  addReconciliation(reconciliation: Reconciliation): Promise<Done>;
  /** Oldest first; all, or those that have what the filter names. */
  listReconciliations(filter?: ReconciliationFilter): Promise<Reconciliation[]>;
  /** Marks a payment as returned to the customer: how, and if that is known, when and by whom. */
  returnReconciliation(
    reconciliationId: string,
    note: string,
    closed?: Pick<Reconciliation, 'closedAt' | 'closedBy'>,
  ): Promise<Done | Conflict<'reconciliation_missing' | 'reconciliation_closed'>>;

  /** The refunds of an order, oldest first. */
  findRefunds(orderId: string): Promise<Refund[]>;
  /** Oldest first; of one state, or all. */
  listRefunds(state?: Refund['state']): Promise<Refund[]>;
  /** Marks a refund that was to be paid as paid or cancelled. */
  closeRefund(close: CloseRefund): Promise<Done | Conflict<'refund_missing' | 'refund_closed'>>;

  /** How far world time is ahead of real time, in milliseconds; 0 unless a sandbox moved it. */
  readWorldOffset(): Promise<number>;
  /** When the store was last restored from a backup, in unix milliseconds of world time; null when it never was. */
  readRestoredAt(): Promise<number | null>;
  /** Moves world time ahead by so many milliseconds; returns the new offset. */
  moveWorld(by: number): Promise<number>;
  /** Deletes all orders and what belongs to them, and sets world time to real time; catalogue and keys stay. */
  clearOrders(): Promise<Done>;

  close(): Promise<void>;
}
