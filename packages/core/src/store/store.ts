import type { BuyStatus, Locale, PaymentStatus } from '../contract/index.ts';
import type { Activity, ActivityFilter, StoredActivity } from './activity.ts';
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
  ProviderHealthIssue,
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

/** The error when a store can't do a command. */
export abstract class StoreError extends Error {
  /** Seconds after which to try again, if the command stored nothing; null if that is unknown. */
  abstract readonly retryAfter: number | null;
  /** Whether the store reports the problem to its host once, so that callers need not report each failed command. */
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

/** What is known of a store's backups. Times are unix milliseconds. */
export interface BackupState {
  /** When the last backup began; null without one. */
  backedUpAt: number | null;
  /** Age of the last backup from which operators are alerted, in milliseconds; 0 for never. */
  alertAfter: number;
  /** When the alert was first switched on, or the store restored: no alert counts from an earlier time. */
  alertSince: number | null;
  /** When the oldest order was placed; null without orders. */
  firstOrderAt: number | null;
}

/** One use of a promo code, claimed together with the order that uses it. */
export interface PromoClaim {
  code: string;
  /** The normalised phone number for the limit per customer. */
  customer: string;
  /** Replaces the number in uses of erased orders, which also count; left out if there are none. */
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

/** An `Idempotency-Key` and the response that it replays. The key stays with its order as long as the order exists. */
export interface IdempotentResponse {
  accountId: string;
  /** The order that was placed with the key. */
  orderId: string;
  key: string;
  /** Hash of the canonical payload. */
  fingerprint: string;
  /** Null while its order is reserved and the request is in flight. Empty once the response is no longer stored. */
  body: string | null;
  /** Null without a body, and for responses of earlier versions. */
  locale: Locale | null;
  /** Unix milliseconds of world time, after which the response is no longer replayed. 0 once it is no longer stored. */
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
  /** The response that the order's idempotency key replays from now on, if there is a key; null frees the key. */
  response: RenderedResponse | null;
}

/** A change of an order, with all rows to store together. */
export interface ChangeOrder {
  orderId: string;
  /** The version that the change was planned for; any other version is a conflict. */
  version: number;
  /** The new state; unchanged if only units change. */
  to: OrderState;
  /** The new history entry; null if the state stays the same. */
  entry: HistoryEntry | null;
  /** `release` frees the promo use; `reclaim` takes it again if the quota has room. */
  promo: 'keep' | 'release' | 'reclaim';
  /** New and changed units; the others stay as they are. */
  units: StoredUnit[];
  /** The new proof of delivery. */
  serialNumber: string | null;
  /** Reconciliations that this change settles. One without an order belongs to this order afterwards. */
  settles: readonly string[];
  /** New refunds of the order. */
  refunds: readonly Refund[];
}

/** An erasure by an operator, or by `TOPUP_RETENTION_DAYS` on a day: numbers of erased records, without any names. */
export interface Erasure {
  /** Its start, in unix milliseconds of world time. */
  at: number;
  /** The name of the operator, or `TOPUP_RETENTION_DAYS`. */
  by: string;
  orders: number;
  callbacks: number;
  events: number;
}

/** Numbers of rooms' records of orders that an erasure erased. */
export type RoomErasure = Partial<Pick<Erasure, 'callbacks' | 'events'>>;

/** Erases an order's personal data, as part of an erasure, if the order still has this version. */
export interface EraseOrder {
  orderId: string;
  version: number;
  /** Replaces the number in its promo use. */
  customerHash: string;
  erasure: Pick<Erasure, 'at' | 'by'>;
}

/** The result of a refund that was to be paid. */
export type CloseRefund = Pick<Refund, 'refundId'> & {
  state: 'paid' | 'cancelled';
  reference: string;
  closedAt: number;
  closedBy: string | null;
};

/** Identifies a unit, such as one that is due for a look-up. */
export interface DueUnit {
  orderId: string;
  unit: number;
}

/** Identifies an attempt to deliver a unit. */
export interface DeliveryAttemptId extends DueUnit {
  attempt: number;
}

/**
 * A unit is due if its `nextAt` is at or before `now`, or after `latest`. No schedule reaches beyond `latest`, so a later time means that
 * the clock was set back, and the unit would wait until it catches up.
 */
export interface DueCutoff {
  now: number;
  latest: number;
}

/** Open work at each provider, by its name. */
export interface PendingProviderWork {
  /** Payments that are being created or can still be made, by gateway. */
  payments: ReadonlyMap<string, number>;
  /** Submitted units without an outcome, by supplier. */
  deliveries: ReadonlyMap<string, number>;
}

/** The payment of an order that can expire, or has expired. Times are unix milliseconds of world time. */
export type ExpiringPayment = Pick<StoredOrder, 'orderId' | 'createdAt' | 'expiresAt'>;
/**
 * Why an order needs attention. `unfunded`: a unit waits for the balance at its supplier, or at this supplier. `stuck`: it is in
 * delivery, and a unit that doesn't wait for the balance has had no outcome since `before`, or its outcome is unknown. For a later
 * attempt, the time since payment or the operator's last retry counts. `failed`: it is PAID / Gagal, and not contradicted.
 * `contradicted`: a supplier contradicted an outcome. `reserved`: it has been without a payment since `before`.
 */
export type OrderProblem =
  | { kind: 'stuck' | 'reserved'; before: number }
  | { kind: 'unfunded'; supplier?: string }
  | { kind: 'failed' | 'contradicted' };

/** Selects orders, newest first; a filter that is left out matches every order. */
export interface OrderFilter {
  accountId?: string | undefined;
  paymentStatus?: PaymentStatus | undefined;
  buyStatus?: BuyStatus | undefined;
  gameId?: number | undefined;
  /** A phone number in its normal form (`normalPhone`). */
  customer?: string | undefined;
  /** Only orders created at or after `from`, and before `until`, in unix milliseconds. */
  from?: number | undefined;
  before?: number | undefined;
  /** Only orders older than this one, the last of the previous page. */
  after?: { createdAt: number; orderId: string } | undefined;
  limit: number;
}

/** Searches orders by a filter and the beginning of a text, in any case. */
export interface OrderSearch extends Omit<OrderFilter, 'after' | 'customer'> {
  text: string;
}

/** The server that claims work, and the end of its claim in unix milliseconds of real time. */
export interface WorkLease {
  by: string;
  until: number;
}

/** A server on a store, for operators and for other servers. */
export interface StoreServer {
  /** New for each process. */
  serverId: string;
  /** Its address, for an operator. */
  address: string;
  /** Unix milliseconds of real time; a server that hasn't renewed by then has stopped. */
  until: number;
}

/** The number of orders in a state. */
export interface OrderStateCount {
  paymentStatus: PaymentStatus;
  buyStatus: BuyStatus;
  count: number;
}

/** An alert that operators have received. */
export interface RaisedAlert {
  kind: string;
  sentence: string;
  count: number;
  names: readonly string[];
  /** For alerts that servers count: when it ends, in unix milliseconds of real time. */
  until?: number | undefined;
}

/** The last raised alerts, and a number that grows with each change of them. */
export interface RaisedAlerts {
  version: number;
  alerts: readonly RaisedAlert[];
}

/**
 * The service's database, as far as the house needs it; `features/store.ts` adds the rooms' data. Each method is one atomic command: when
 * the promise resolves, either all of it is stored durably, or nothing is stored and the result is a typed conflict. No transaction stays
 * open between methods.
 *
 * The store guards order ids, payment and page references, unique codes of unpaid orders, promo quotas and idempotency keys by
 * constraints, so that two processes can't take the same one. After a conflict, the engine tries another value or rejects the request.
 *
 * Neither the store nor its caller changes a record in place.
 */
export interface Store {
  /** The mode of the first server that used the store; null before that. */
  readMode(): Promise<StoreMode | null>;
  /** Sets the mode of a store permanently, so that sandbox orders never mix with real ones. */
  claimMode(mode: StoreMode): Promise<Done | { conflict: 'other_mode'; mode: StoreMode }>;

  /**
   * The defaults of settings that the store was created with: 0 for none, and for stores of versions that didn't record them; 1 since
   * prices follow the supplier by default.
   */
  readDefaults(): Promise<number>;

  /** How the last server of the store shows amounts and times; null before the first one. */
  readDisplay(): Promise<StoreDisplay | null>;
  saveDisplay(display: StoreDisplay): Promise<Done>;

  /** When the store was last backed up, and when it should have been. */
  readBackupState(): Promise<BackupState>;
  /** Records a backup that began at `at`, in unix milliseconds, and adds it to the activity. `file` is its name. */
  noteBackup(backup: { at: number; operator: string; file: string }): Promise<Done>;
  /** Sets {@link BackupState.alertAfter}, and with the first one above 0 {@link BackupState.alertSince} to `at`. */
  saveBackupAlert(alertAfter: number, at: number): Promise<Done>;

  /** Grows with every change of the catalogue, a supplier's list or the keys by any process; cheap to read. */
  revision(): Promise<number>;

  /** The current catalogue; null while the store is empty. */
  readCatalog(): Promise<Catalog | null>;
  /**
   * Replaces the content of the catalogue file and keeps uses of promo codes. Promos of {@link putPromo} stay: those that the catalogue
   * names get its definition, and the others follow it. An edit, if given, is added to the history. `promo_quota_below_uses`: a promo has
   * more uses than its new quota allows.
   */
  replaceCatalog(
    catalog: Catalog,
    edit?: CatalogEdit,
  ): Promise<Done | { conflict: 'promo_quota_below_uses'; code: string; uses: number }>;
  /** Does {@link replaceCatalog} for an empty store. If several servers start together, only one seeds it. */
  seedCatalog(
    catalog: Catalog,
  ): Promise<Awaited<ReturnType<Store['replaceCatalog']>> | Conflict<'catalog_exists'>>;
  /** The promos of {@link putPromo}, in the order of the catalogue. {@link replaceCatalog} never removes them. */
  readOperatorPromos(): Promise<Promo[]>;
  /** The newest edits of the catalogue, newest first. */
  listCatalogEdits(limit: number): Promise<StoredCatalogEdit[]>;
  /** Counts the claimed uses of a promo code: all of them, and those of a customer by number and hash. */
  countPromoUses(code: string, customer: string, customerHash?: string): Promise<PromoUses>;

  /**
   * What operators did, newest first. The store itself adds their changes of orders, edits of the catalogue, closed payments and refunds,
   * and logins to the console.
   */
  listActivity(filter: ActivityFilter): Promise<StoredActivity[]>;
  /** Adds what an operator did otherwise. */
  addActivity(activity: Activity): Promise<Done>;

  createKey(key: StoredKey): Promise<Done | Conflict<'key_taken'>>;
  findKey(hash: string): Promise<StoredKey | null>;
  /** All keys, oldest first. */
  listKeys(): Promise<StoredKey[]>;
  /** Revoking a revoked key has no effect. */
  revokeKey(keyId: string, revokedAt: number): Promise<Done | Conflict<'key_missing'>>;
  /**
   * Adds a key that replaces another one, which expires at `until` or at its earlier expiry. `key_inactive`: the other key was already
   * revoked or expired, or has a replacement that was not revoked.
   */
  rotateKey(
    keyId: string,
    next: StoredKey,
    until: number,
  ): Promise<Done | Conflict<'key_missing' | 'key_inactive' | 'key_taken'>>;
  /** Stores when keys were last used, by id, unless a later use is stored. The revision stays the same. */
  recordKeyUses(uses: ReadonlyMap<string, number>): Promise<Done>;

  /** Adds or changes one promo, which then belongs to the operator; its uses are kept. */
  putPromo(promo: Promo): Promise<Done | { conflict: 'promo_quota_below_uses'; code: string; uses: number }>;

  /** Stores an order, its promo use and the response that its idempotency key replays. */
  placeOrder(command: PlaceOrder): Promise<Done | PlaceOrderConflict>;
  /** First step of an order whose gateway does I/O: claims everything that the order needs. The order is not visible yet. */
  reserveOrder(command: ReserveOrder): Promise<Done | ReserveOrderConflict>;
  /** Last step after the gateway's response: adds the payment to a reserved order and makes the order visible. */
  finaliseOrder(command: FinaliseOrder): Promise<Done | Conflict<'order_missing' | 'reference_taken'>>;
  /** Last step without a payment: deletes a reserved order and frees its claims. */
  abandonOrder(orderId: string): Promise<Done | Conflict<'order_missing'>>;
  /** Totals of a payment method's unpaid orders with a unique code, between two totals; includes reserved orders. */
  findTakenTotals(paymentMethodId: number, lowest: number, highest: number): Promise<number[]>;
  findReservedOrder(orderId: string): Promise<ReservedOrder | null>;
  /** Reserved orders, oldest first. */
  findReservedOrders(limit: number): Promise<ReservedOrder[]>;

  /** Null when the key is free. */
  findIdempotentResponse(accountId: string, key: string): Promise<IdempotentResponse | null>;
  /** Deletes up to `limit` responses that are no longer replayed at `now`, but not their keys; returns the number. */
  dropIdempotentResponses(now: number, limit: number): Promise<number>;

  findOrder(orderId: string): Promise<StoredOrder | null>;
  /** The orders with these ids, in any order; unknown ids are left out. */
  findOrders(orderIds: readonly string[]): Promise<StoredOrder[]>;
  /** The part of `findOrder` that polling needs. Most reads of a store are of this kind, and it costs much less. */
  findProgress(orderId: string): Promise<OrderProgress | null>;
  /** The order with a gateway's reference. */
  findOrderByReference(reference: string): Promise<StoredOrder | null>;
  /** The order of a payment page: by its page reference, or by the gateway's reference if it has no page reference. */
  findOrderByPage(reference: string): Promise<StoredOrder | null>;
  /** The orders for a player's id, including reserved ones, that were placed since a moment. */
  findOrdersOfTarget(targetId: string, since: number): Promise<ReservedOrder[]>;
  listOrders(filter: OrderFilter): Promise<StoredOrder[]>;
  /**
   * The newest orders that match a text of at least three characters. If very many orders match, it reads only some thousands of them.
   * Changes that {@link indexForSearch} has not processed may be missing.
   */
  searchOrders(search: OrderSearch): Promise<StoredOrder[]>;
  /** Indexes up to `limit` more changes for searches; resolves with their number. */
  indexForSearch(limit: number): Promise<number>;
  /** An order's units, sorted by number; empty before payment. */
  findUnits(orderId: string): Promise<StoredUnit[]>;
  /** The changes of an order's state since its creation, oldest first. */
  findHistory(orderId: string): Promise<HistoryEntry[]>;
  /**
   * Changes of all orders after position `after`, in sequence. A change is included once it is stored, and an order's changes are in
   * order. No change gets a position below one that was already returned.
   */
  findChanges(after: number, limit: number): Promise<OrderChange[]>;
  /** The position of the last change that has one. */
  lastPosition(): Promise<number>;
  /** The alerts that operators received last. */
  readRaisedAlerts(): Promise<RaisedAlerts>;
  /** Changes an order and its records; `order_changed` if the order has another version by now. */
  changeOrder(command: ChangeOrder): Promise<Done | Conflict<'order_missing' | 'order_changed'>>;

  /**
   * Erases an order's personal data everywhere in the store: in the order, its units, history, refunds and payments to reconcile, and in
   * rooms' data. Money, states and the idempotency key stay.
   */
  eraseOrder(erase: EraseOrder): Promise<Done | Conflict<'order_missing' | 'order_changed'>>;
  /** Newest first. */
  listErasures(): Promise<Erasure[]>;
  /** The secret for the hashes that replace customers; null before it exists. */
  findCustomerSecret(): Promise<string | null>;
  /**
   * Stores the secret for the hashes that replace customers, if the stored one is `known` (null for none). Resolves with the secret
   * stored afterwards.
   */
  setCustomerSecret(secret: string, known: string | null): Promise<string>;

  /** Unpaid orders that have expired at `now`, longest overdue first. */
  findOverdueOrders(now: number, limit: number): Promise<StoredOrder[]>;
  /** Payments sorted by expiry and order id, starting after a given one. */
  findPaymentsByExpiry(
    status: 'UNPAID' | 'EXPIRED',
    after: Pick<ExpiringPayment, 'expiresAt' | 'orderId'>,
    limit: number,
  ): Promise<ExpiringPayment[]>;
  /** Due units, sorted by their `nextAt`. */
  findDueUnits(at: DueCutoff, limit: number): Promise<DueUnit[]>;
  /**
   * Attempts with this supplier id, in any order: current ones, and earlier ones in histories. There may be several if suppliers use the
   * same ids.
   */
  findAttemptsBySupplierId(supplierId: string): Promise<DeliveryAttemptId[]>;
  /** The earliest expiry of an unpaid order or `nextAt` of a unit; null if there is none. */
  nextDueAt(): Promise<number | null>;

  /**
   * Claims work items for a server, so that two servers don't do the same work. Returns the items that no other server has at `now` (real
   * time). Claiming an item again extends the claim. A store for a single server returns all of them.
   */
  claimWork(names: readonly string[], claim: WorkLease, now: number): Promise<string[]>;

  /**
   * Notes that a server runs on the store, and returns the number of running servers at `now` (real time). A store for a single server
   * returns 1.
   */
  noteServer(server: StoreServer, now: number): Promise<number>;

  /** Counts the open work at each provider. Rows of earlier versions, which don't name their providers, are not counted. */
  countOpenWork(): Promise<PendingProviderWork>;
  /** Counts orders in each state, without reserved ones. The cost doesn't grow with the number of orders. */
  countOrders(): Promise<OrderStateCount[]>;

  /** The ids of up to `limit` orders with a problem; problems with a time list the oldest first. */
  findProblemOrders(problem: OrderProblem, limit: number): Promise<string[]>;

  /** The last known balance at each supplier, sorted by supplier. */
  readSupplierBalances(): Promise<SupplierBalance[]>;
  saveSupplierBalance(balance: SupplierBalance): Promise<Done>;

  /** The last list of each supplier, newest first. */
  readSupplierLists(): Promise<SupplierList[]>;

  /** Requests that providers don't handle now, by the provider's name. */
  readProviderProblems(): Promise<ProviderHealthIssue[]>;
  /** Replaces all of them. */
  saveProviderProblems(problems: readonly ProviderHealthIssue[]): Promise<Done>;

  /** Adds an unmatched payment; adding the same id again has no effect. */
  addReconciliation(reconciliation: Reconciliation): Promise<Done>;
  /** All payments, or those that match the filter; oldest first. */
  listReconciliations(filter?: ReconciliationFilter): Promise<Reconciliation[]>;
  /** Marks a payment as returned to the customer, with the way, and if known the time and the operator. */
  returnReconciliation(
    reconciliationId: string,
    note: string,
    closed?: Pick<Reconciliation, 'closedAt' | 'closedBy'>,
  ): Promise<Done | Conflict<'reconciliation_missing' | 'reconciliation_closed'>>;

  /** The refunds of an order, oldest first. */
  findRefunds(orderId: string): Promise<Refund[]>;
  /** Refunds of one state, or all; oldest first. */
  listRefunds(state?: Refund['state']): Promise<Refund[]>;
  /** Marks a refund that was to be paid as paid or cancelled. */
  closeRefund(close: CloseRefund): Promise<Done | Conflict<'refund_missing' | 'refund_closed'>>;

  /** How far world time is ahead of real time, in milliseconds; 0 unless a sandbox moved it. */
  readWorldOffset(): Promise<number>;
  /** When the store was last restored from a backup, in unix milliseconds of world time; null if it never was. */
  readRestoredAt(): Promise<number | null>;
  /** Moves world time ahead by a number of milliseconds; returns the new offset. */
  moveWorld(by: number): Promise<number>;
  /** Deletes all orders and their records, and resets world time to real time; catalogue and keys stay. */
  clearOrders(): Promise<Done>;

  close(): Promise<void>;
}
