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

/** The error if a store can't carry out a command. */
export abstract class StoreError extends Error {
  /** Number of seconds after which to try again, if the command stored nothing; null if this is unknown. */
  abstract readonly retryAfter: number | null;
  /** True if the store reports the problem to its host once, so that callers need not report each failed command. */
  abstract readonly isReported: boolean;
}

/** Kind of orders in a store: real orders, or those of a sandbox. */
export type StoreMode = 'live' | 'sandbox';

/** Currency and time zone in which a shop shows amounts and times. */
export interface StoreDisplay {
  /** ISO 4217 code of the currency. */
  currency: string;
  /** IANA name of the time zone. */
  timezone: string;
}

/** State of a store's backups. Times are unix milliseconds. */
export interface BackupState {
  /** Start of the last backup; null before the first backup. */
  backedUpAt: number | null;
  /** Maximum age of the last backup, in milliseconds, before operators are alerted; 0 turns the alert off. */
  alertAfter: number;
  /** Time at which the alert was first switched on, or the store was restored. Alerts never count from an earlier time. */
  alertSince: number | null;
  /** Time at which the oldest order was placed; null without orders. */
  firstOrderAt: number | null;
}

/** One use of a promo code, claimed together with the order that uses it. */
export interface PromoClaim {
  code: string;
  /** The normalised phone number for the limit per customer. */
  customer: string;
  /** Hash that replaces the number in uses of erased orders, which count, too; left out if there are none. */
  customerHash?: string | undefined;
  perCustomer: number | null;
}

export interface PromoUses {
  total: number;
  byCustomer: number;
}

/** The rendered body of a response, and its language. */
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
  /** The body of the response. Null while its order is reserved and the request is in flight. Empty once it is no longer stored. */
  body: string | null;
  /** The language of the body; null without a body, and for responses of earlier versions. */
  locale: Locale | null;
  /** Time after which the response is no longer replayed, in unix milliseconds of world time. 0 once it is no longer stored. */
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
  /** The key's response, whose `body` is null until the order is finalised. */
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
  /** The new history entry; null if the state doesn't change. */
  entry: HistoryEntry | null;
  /** `release` frees the promo use; `reclaim` takes it again if the quota has room. */
  promo: 'keep' | 'release' | 'reclaim';
  /** New and changed units; the others stay as they are. */
  units: StoredUnit[];
  /** The new proof of delivery. */
  serialNumber: string | null;
  /** Ids of reconciliations that this change settles. A reconciliation without an order belongs to this order afterwards. */
  settles: readonly string[];
  /** New refunds of the order. */
  refunds: readonly Refund[];
}

/** Numbers of records (without names) that an operator erased, or that `TOPUP_RETENTION_DAYS` erased on a day. */
export interface Erasure {
  /** Its start, in unix milliseconds of world time. */
  at: number;
  /** The name of the operator, or `TOPUP_RETENTION_DAYS`. */
  by: string;
  orders: number;
  callbacks: number;
  events: number;
}

/** Numbers of records in rooms that an erasure erased. */
export type RoomErasure = Partial<Pick<Erasure, 'callbacks' | 'events'>>;

/** Erases an order's personal data, as part of an erasure, if the order still has this version. */
export interface EraseOrder {
  orderId: string;
  version: number;
  /** Hash that replaces the customer's number in its promo use. */
  customerHash: string;
  erasure: Pick<Erasure, 'at' | 'by'>;
}

/** The closing of a refund that an operator had to pay. */
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
 * A unit is due if its `nextAt` is at or before `now`, or after `latest`. No schedule extends beyond `latest`, so a later time means that
 * the clock was set back, and that the unit would wait until the clock catches up.
 */
export interface DueCutoff {
  now: number;
  latest: number;
}

/** Open work by the provider's name. */
export interface PendingProviderWork {
  /** Payments that are being created or can still be made, by gateway. */
  payments: ReadonlyMap<string, number>;
  /** Submitted units without an outcome, by supplier. */
  deliveries: ReadonlyMap<string, number>;
}

/** The payment for an order that can expire, or has expired. Times are unix milliseconds of world time. */
export type ExpiringPayment = Pick<StoredOrder, 'orderId' | 'createdAt' | 'expiresAt'>;
/**
 * Reason why an order needs attention. `unfunded`: a unit waits for the balance at its supplier, or at the given supplier. `stuck`: the
 * order is in delivery, and a unit that doesn't wait for the balance has had no outcome since `before`, or its outcome is unknown. For a
 * later attempt, the time counts from the payment or the operator's last retry. `failed`: the order is PAID / Gagal and not contradicted.
 * `contradicted`: a supplier contradicted an outcome. `reserved`: the order has had no payment since `before`.
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
  /** Selects only orders created at or after `from`, and before `until`, in unix milliseconds. */
  from?: number | undefined;
  before?: number | undefined;
  /** Selects only orders older than this one, the last of the previous page. */
  after?: { createdAt: number; orderId: string } | undefined;
  limit: number;
}

/** Searches orders by a filter and the beginning of a term, in any case. */
export interface OrderSearch extends Omit<OrderFilter, 'after' | 'customer'> {
  text: string;
}

/** The server that claims work, and the end of its claim in unix milliseconds of real time. */
export interface WorkLease {
  by: string;
  until: number;
}

/** A server that uses a store, as seen by operators and other servers. */
export interface StoreServer {
  /** Id of the server, new for each process. */
  serverId: string;
  /** Address of the server, for operators. */
  address: string;
  /** Time in unix milliseconds of real time. A server that has not renewed the entry by then has stopped. */
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
  /** For alerts that servers count, the end in unix milliseconds of real time. */
  until?: number | undefined;
}

/** The last raised alerts, and a number that increases with each change. */
export interface RaisedAlerts {
  version: number;
  alerts: readonly RaisedAlert[];
}

/**
 * The part of the service's database that the house needs; `features/store.ts` adds the rooms' data. Each method is one atomic command:
 * when the promise resolves, either everything is stored durably, or nothing is stored and the result is a typed conflict. No transaction
 * stays open between methods.
 *
 * Constraints of the store protect order ids, payment and page references, unique codes of unpaid orders, promo quotas and idempotency
 * keys, so that no two processes use the same value. After a conflict, the engine tries another value or rejects the request.
 *
 * Neither the store nor its callers change a record in place.
 */
export interface Store {
  /** Reads the mode of the first server that used the store; null before the first server. */
  readMode(): Promise<StoreMode | null>;
  /** Sets the mode of a store permanently, so that sandbox orders never mix with real orders. */
  claimMode(mode: StoreMode): Promise<Done | { conflict: 'other_mode'; mode: StoreMode }>;

  /**
   * Reads the version of the default settings with which the store was created: 0 for stores of versions that didn't record it, 1 since
   * prices follow the supplier by default.
   */
  readDefaults(): Promise<number>;

  /** Reads the currency and time zone of the store's last server; null before the first server. */
  readDisplay(): Promise<StoreDisplay | null>;
  saveDisplay(display: StoreDisplay): Promise<Done>;

  /** Reads when the store was last backed up, and when a backup is overdue. */
  readBackupState(): Promise<BackupState>;
  /** Records a backup that began at `at`, in unix milliseconds, and adds it to the activity. `file` is its name. */
  noteBackup(backup: { at: number; operator: string; file: string }): Promise<Done>;
  /** Sets {@link BackupState.alertAfter}. The first value above 0 sets {@link BackupState.alertSince} to `at`, too. */
  saveBackupAlert(alertAfter: number, at: number): Promise<Done>;

  /** Reads a number that increases when any process changes the catalogue, a supplier's list or the keys. It is cheap to read. */
  revision(): Promise<number>;

  /** Reads the current catalogue; null while the store is empty. */
  readCatalog(): Promise<Catalog | null>;
  /**
   * Replaces the content of the catalogue file and keeps uses of promo codes. Promos of {@link putPromo} are kept: those that the file
   * contains get its definition, and the others are added after its promos. An edit, if given, is added to the history.
   * `promo_quota_below_uses`: a promo has more uses than its new quota allows.
   */
  replaceCatalog(
    catalog: Catalog,
    edit?: CatalogEdit,
  ): Promise<Done | { conflict: 'promo_quota_below_uses'; code: string; uses: number }>;
  /** Does {@link replaceCatalog} for an empty store. If several servers start at the same time, only one of them fills the store. */
  seedCatalog(
    catalog: Catalog,
  ): Promise<Awaited<ReturnType<Store['replaceCatalog']>> | Conflict<'catalog_exists'>>;
  /** Reads the promos of {@link putPromo}, in the order of the catalogue. {@link replaceCatalog} never removes them. */
  readOperatorPromos(): Promise<Promo[]>;
  /** Lists the newest edits of the catalogue, newest first. */
  listCatalogEdits(limit: number): Promise<StoredCatalogEdit[]>;
  /** Counts the claimed uses of a promo code: all of them, and those of a customer by number and hash. */
  countPromoUses(code: string, customer: string, customerHash?: string): Promise<PromoUses>;

  /**
   * Lists what operators did, newest first. The store itself adds their changes of orders, edits of the catalogue, closed payments and
   * refunds, and logins to the console.
   */
  listActivity(filter: ActivityFilter): Promise<StoredActivity[]>;
  /** Adds an activity that the store doesn't add itself. */
  addActivity(activity: Activity): Promise<Done>;

  createKey(key: StoredKey): Promise<Done | Conflict<'key_taken'>>;
  findKey(hash: string): Promise<StoredKey | null>;
  /** Lists all keys, oldest first. */
  listKeys(): Promise<StoredKey[]>;
  /** Revokes a key. Revoking a revoked key has no effect. */
  revokeKey(keyId: string, revokedAt: number): Promise<Done | Conflict<'key_missing'>>;
  /**
   * Adds a key that replaces another key, which expires at `until` or at its earlier expiry. `key_inactive`: the other
   * key was already revoked or expired, or has a replacement that was not revoked.
   */
  rotateKey(
    keyId: string,
    next: StoredKey,
    until: number,
  ): Promise<Done | Conflict<'key_missing' | 'key_inactive' | 'key_taken'>>;
  /** Stores when keys were last used, by key id, unless a later use is stored. The revision doesn't change. */
  recordKeyUses(uses: ReadonlyMap<string, number>): Promise<Done>;

  /** Adds or changes one promo, which then belongs to the operator. Its uses are kept. */
  putPromo(promo: Promo): Promise<Done | { conflict: 'promo_quota_below_uses'; code: string; uses: number }>;

  /** Stores an order, its promo use and the response that its idempotency key replays. */
  placeOrder(command: PlaceOrder): Promise<Done | PlaceOrderConflict>;
  /** Claims everything that an order needs, as the first step if the gateway does I/O. The order is not visible yet. */
  reserveOrder(command: ReserveOrder): Promise<Done | ReserveOrderConflict>;
  /** Adds the payment to a reserved order and makes the order visible, as the last step after the gateway's response. */
  finaliseOrder(command: FinaliseOrder): Promise<Done | Conflict<'order_missing' | 'reference_taken'>>;
  /** Deletes a reserved order and frees its claims, as the last step if there is no payment. */
  abandonOrder(orderId: string): Promise<Done | Conflict<'order_missing'>>;
  /** Finds the totals, within a range, of a payment method's unpaid orders with a unique code, including reserved orders. */
  findTakenTotals(paymentMethodId: number, lowest: number, highest: number): Promise<number[]>;
  findReservedOrder(orderId: string): Promise<ReservedOrder | null>;
  /** Finds reserved orders, oldest first. */
  findReservedOrders(limit: number): Promise<ReservedOrder[]>;

  /** Finds the response of an idempotency key; null if the key is free. */
  findIdempotentResponse(accountId: string, key: string): Promise<IdempotentResponse | null>;
  /** Deletes up to `limit` responses that are no longer replayed at `now`, but keeps their keys. Returns the number of responses. */
  dropIdempotentResponses(now: number, limit: number): Promise<number>;

  findOrder(orderId: string): Promise<StoredOrder | null>;
  /** Finds the orders with these ids, in any sequence; unknown ids are left out. */
  findOrders(orderIds: readonly string[]): Promise<StoredOrder[]>;
  /** Finds the part of an order that polling needs. Most reads of a store are of this kind, and it takes much less time than `findOrder`. */
  findProgress(orderId: string): Promise<OrderProgress | null>;
  /** Finds the order with a gateway's reference. */
  findOrderByReference(reference: string): Promise<StoredOrder | null>;
  /** Finds the order of a payment page by its page reference, or by the gateway's reference if the order has no page reference. */
  findOrderByPage(reference: string): Promise<StoredOrder | null>;
  /** Finds the orders for a player's id that were placed since a given time, including reserved orders. */
  findOrdersOfTarget(targetId: string, since: number): Promise<ReservedOrder[]>;
  listOrders(filter: OrderFilter): Promise<StoredOrder[]>;
  /**
   * Finds the newest orders that match a term of at least three characters. If very many orders match, it reads only
   * some thousands of them. Changes that {@link indexForSearch} has not processed may be missing.
   */
  searchOrders(search: OrderSearch): Promise<StoredOrder[]>;
  /** Indexes up to `limit` more changes for searches; resolves with their number. */
  indexForSearch(limit: number): Promise<number>;
  /** Finds an order's units, sorted by number; empty before payment. */
  findUnits(orderId: string): Promise<StoredUnit[]>;
  /** Finds the changes of an order's state since its creation, oldest first. */
  findHistory(orderId: string): Promise<HistoryEntry[]>;
  /**
   * Finds the changes of all orders after position `after`, in sequence. A change is included as soon as it is stored, and the changes of
   * an order are in sequence. No change ever gets a position below one that was already returned.
   */
  findChanges(after: number, limit: number): Promise<OrderChange[]>;
  /** Reads the position of the last change that has a position. */
  lastPosition(): Promise<number>;
  /** Reads the alerts that operators received last. */
  readRaisedAlerts(): Promise<RaisedAlerts>;
  /** Changes an order and its records; `order_changed` if the order's version has changed. */
  changeOrder(command: ChangeOrder): Promise<Done | Conflict<'order_missing' | 'order_changed'>>;

  /**
   * Erases an order's personal data everywhere in the store: in the order, its units, history, refunds and payments to reconcile, and in
   * rooms' data. Money, states and the idempotency key stay.
   */
  eraseOrder(erase: EraseOrder): Promise<Done | Conflict<'order_missing' | 'order_changed'>>;
  /** Lists erasures, newest first. */
  listErasures(): Promise<Erasure[]>;
  /** Finds the secret for the hashes that replace customers; null if there is none yet. */
  findCustomerSecret(): Promise<string | null>;
  /**
   * Stores the secret for the hashes that replace customers, if the stored one is `known` (null for none). Resolves with the secret
   * stored afterwards.
   */
  setCustomerSecret(secret: string, known: string | null): Promise<string>;

  /** Finds unpaid orders that have expired at `now`, longest overdue first. */
  findOverdueOrders(now: number, limit: number): Promise<StoredOrder[]>;
  /** Finds payments after a given one, sorted by expiry and order id. */
  findPaymentsByExpiry(
    status: 'UNPAID' | 'EXPIRED',
    after: Pick<ExpiringPayment, 'expiresAt' | 'orderId'>,
    limit: number,
  ): Promise<ExpiringPayment[]>;
  /** Finds due units, sorted by their `nextAt`. */
  findDueUnits(at: DueCutoff, limit: number): Promise<DueUnit[]>;
  /**
   * Finds attempts with this supplier id, in any sequence: current attempts, and earlier attempts in histories. There
   * may be several if suppliers use the same ids.
   */
  findAttemptsBySupplierId(supplierId: string): Promise<DeliveryAttemptId[]>;
  /** Reads the earliest time at which an unpaid order expires or a unit is due; null if there is none. */
  nextDueAt(): Promise<number | null>;

  /**
   * Claims work items for a server, so that two servers don't do the same work. Returns the items that no other server has at `now` (real
   * time). Claiming an item again extends the claim. A store for a single server returns all of them.
   */
  claimWork(names: readonly string[], claim: WorkLease, now: number): Promise<string[]>;

  /** Records that a server uses the store, and returns the number of running servers at `now` (real time); 1 in a single-server store. */
  noteServer(server: StoreServer, now: number): Promise<number>;

  /** Counts the open work at each provider. Rows of earlier versions, which don't name their providers, are not counted. */
  countOpenWork(): Promise<PendingProviderWork>;
  /** Counts the orders in each state, except reserved orders. The time doesn't grow with the number of orders. */
  countOrders(): Promise<OrderStateCount[]>;

  /** Finds the ids of up to `limit` orders with a problem; for problems with a time, the oldest first. */
  findProblemOrders(problem: OrderProblem, limit: number): Promise<string[]>;

  /** Reads the last known balance at each supplier, sorted by supplier. */
  readSupplierBalances(): Promise<SupplierBalance[]>;
  saveSupplierBalance(balance: SupplierBalance): Promise<Done>;

  /** Reads the last list of each supplier, newest first. */
  readSupplierLists(): Promise<SupplierList[]>;

  /** Reads the kinds of requests that currently fail at a provider, sorted by the provider's name. */
  readProviderProblems(): Promise<ProviderHealthIssue[]>;
  /** Replaces the stored problems of providers. */
  saveProviderProblems(problems: readonly ProviderHealthIssue[]): Promise<Done>;

  /** Adds an unmatched payment; adding the same id again has no effect. */
  addReconciliation(reconciliation: Reconciliation): Promise<Done>;
  /** Lists all payments to reconcile, or those that match the filter, oldest first. */
  listReconciliations(filter?: ReconciliationFilter): Promise<Reconciliation[]>;
  /** Marks a payment as returned to the customer, with a note, and with the time and the operator if they are known. */
  returnReconciliation(
    reconciliationId: string,
    note: string,
    closed?: Pick<Reconciliation, 'closedAt' | 'closedBy'>,
  ): Promise<Done | Conflict<'reconciliation_missing' | 'reconciliation_closed'>>;

  /** Finds the refunds of an order, oldest first. */
  findRefunds(orderId: string): Promise<Refund[]>;
  /** Lists all refunds, or those in a state, oldest first. */
  listRefunds(state?: Refund['state']): Promise<Refund[]>;
  /** Marks an open refund as paid or cancelled. */
  closeRefund(close: CloseRefund): Promise<Done | Conflict<'refund_missing' | 'refund_closed'>>;

  /** Reads the number of milliseconds by which world time is ahead of real time; 0 unless a sandbox moved it. */
  readWorldOffset(): Promise<number>;
  /** Reads when the store was last restored from a backup, in unix milliseconds of world time; null if it never was. */
  readRestoredAt(): Promise<number | null>;
  /** Moves world time ahead by a number of milliseconds; returns the new offset. */
  moveWorld(by: number): Promise<number>;
  /** Deletes all orders and their records, and resets world time to real time. Keeps the catalogue and the keys. */
  clearOrders(): Promise<Done>;

  close(): Promise<void>;
}
