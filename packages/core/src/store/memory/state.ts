import type { Activity, StoredActivity } from '../activity.ts';
import type {
  BackupState,
  Erasure,
  IdempotentResponse,
  PromoClaim,
  RaisedAlerts,
  RoomErasure,
  StoreDisplay,
  StoreMode,
} from '../store.ts';
import type {
  Catalog,
  HistoryEntry,
  OrderChange,
  Promo,
  ProviderHealthIssue,
  Reconciliation,
  Refund,
  ReservedOrder,
  StoredCatalogEdit,
  StoredKey,
  StoredOrder,
  StoredUnit,
  SupplierBalance,
  SupplierList,
} from '../types.ts';

/** An order's use of a promo. A released use may be claimed again. */
interface HeldClaim extends PromoClaim {
  released: boolean;
}

/** Creates empty tables for all records that are deleted together with the orders. */
export const noOrders = () => ({
  orders: new Map<string, StoredOrder>(),
  reserved: new Map<string, ReservedOrder>(),
  /** Ids of unpaid orders, which can expire. */
  unpaid: new Set<string>(),
  /** Order ids by payment reference. */
  references: new Map<string, string>(),
  /** Order ids by page reference, including reserved orders. */
  pages: new Map<string, string>(),
  /** Order ids of unpaid orders with a unique code, by method and total. */
  uniqueTotals: new Map<string, string>(),
  units: new Map<string, StoredUnit[]>(),
  /** Ids of orders with a unit that has a `nextAt`. */
  delivering: new Set<string>(),
  history: new Map<string, HistoryEntry[]>(),
  changes: [] as OrderChange[],
  claims: new Map<string, HeldClaim>(),
  /** Claimed uses by promo code, and by promo code and customer. */
  uses: new Map<string, number>(),
  responses: new Map<string, IdempotentResponse>(),
  reconciliations: new Map<string, Reconciliation>(),
  refunds: new Map<string, Refund>(),
  /** Activities, newest first. */
  activity: [] as readonly StoredActivity[],
  worldOffset: 0,
});

export interface MemoryState extends ReturnType<typeof noOrders> {
  mode: StoreMode | null;
  display: StoreDisplay | null;
  backups: Omit<BackupState, 'firstOrderAt'>;
  revision: number;
  /** The position of the last change. It is kept when orders are deleted. */
  lastChange: number;
  catalog: Catalog | null;
  promos: Map<string, Promo>;
  /** Codes of promos that an operator stored individually. */
  operatorPromos: Set<string>;
  /** Edits of the catalogue, newest first. */
  catalogEdits: readonly StoredCatalogEdit[];
  keys: Map<string, StoredKey>;
  /** By the supplier's name. */
  supplierBalances: Map<string, SupplierBalance>;
  /** By the supplier's name. */
  supplierLists: Map<string, SupplierList>;
  providerProblems: readonly ProviderHealthIssue[];
  /** Erasures, oldest first. */
  erasures: readonly Erasure[];
  customerSecret: string | null;
  raisedAlerts: RaisedAlerts;
}

export const emptyState = (): MemoryState => ({
  mode: null,
  display: null,
  backups: { backedUpAt: null, alertAfter: 0, alertSince: null },
  revision: 0,
  lastChange: 0,
  catalog: null,
  promos: new Map(),
  operatorPromos: new Set(),
  catalogEdits: [],
  keys: new Map(),
  supplierBalances: new Map(),
  supplierLists: new Map(),
  providerProblems: [],
  erasures: [],
  customerSecret: null,
  raisedAlerts: { version: 0, alerts: [] },
  ...noOrders(),
});

export function addActivity(state: MemoryState, activities: readonly Activity[]): void {
  for (const activity of activities)
    state.activity = [{ ...activity, number: (state.activity[0]?.number ?? 0) + 1 }, ...state.activity];
}

const tagOf = (table: unknown): string => Object.prototype.toString.call(table);

function copyOf(table: unknown): unknown {
  // Safe: only maps and sets have these tags.
  if (tagOf(table) === '[object Map]') return new Map(table as ReadonlyMap<unknown, unknown>);
  if (tagOf(table) === '[object Set]') return new Set(table as ReadonlySet<unknown>);
  return Array.isArray(table) ? [...table] : table;
}

/** Copies a state. Both copies share the records, which are never changed in place. */
export const copyState = <State extends object>(state: State): State =>
  // Safe: each copy has the type of its table.
  Object.fromEntries(Object.entries(state).map(([name, table]) => [name, copyOf(table)])) as State;

export interface MemoryPart<Tables extends object, Commands extends object> {
  /** Creates its empty tables. */
  tables(): Tables;
  /** Creates empty tables in place of those that are deleted together with the orders. */
  ofOrders?(): Partial<Tables>;
  commands(state: MemoryState & Tables): Commands;
  /** Erases the personal data of an order. */
  eraseOrder?(state: MemoryState & Tables, orderId: string): RoomErasure;
}
