import type { IdempotentResponse, PromoClaim, StoreDisplay, StoreMode } from '../store.ts';
import type {
  Catalog,
  HistoryEntry,
  OrderChange,
  Promo,
  ProviderProblem,
  Reconciliation,
  Refund,
  ReservedOrder,
  StoredCallback,
  StoredKey,
  StoredOrder,
  StoredUnit,
  SupplierBalance,
  SupplierList,
} from '../types.ts';

/** The use of a promo by an order; a released one may be claimed again. */
interface HeldClaim extends PromoClaim {
  released: boolean;
}

/** All records that are deleted with the orders. */
interface OrderRecords {
  orders: Map<string, StoredOrder>;
  reserved: Map<string, ReservedOrder>;
  /** Ids of unpaid orders, which can expire. */
  unpaid: Set<string>;
  /** Order ids by payment reference. */
  references: Map<string, string>;
  /** Order ids by the reference of their own that pages have, also those of reserved orders. */
  pages: Map<string, string>;
  /** Order ids of unpaid orders with a unique code, by method and total. */
  uniqueTotals: Map<string, string>;
  units: Map<string, StoredUnit[]>;
  /** Ids of orders with a unit that has a `nextAt`. */
  delivering: Set<string>;
  history: Map<string, HistoryEntry[]>;
  /** All entries, in their order. */
  changes: OrderChange[];
  claims: Map<string, HeldClaim>;
  /** Claimed uses by promo code, and by promo code and customer. */
  uses: Map<string, number>;
  responses: Map<string, IdempotentResponse>;
  reconciliations: Map<string, Reconciliation>;
  refunds: Map<string, Refund>;
  callbacks: Map<string, StoredCallback>;
  worldOffset: number;
}

export interface MemoryState extends OrderRecords {
  mode: StoreMode | null;
  display: StoreDisplay | null;
  revision: number;
  /** The place of the last change, which outlives its order. */
  lastChange: number;
  catalog: Catalog | null;
  promos: Map<string, Promo>;
  /** Codes of the promos that an operator stored one by one. */
  operatorPromos: Set<string>;
  keys: Map<string, StoredKey>;
  supplierBalance: SupplierBalance | null;
  /** By the name of the supplier. */
  supplierLists: Map<string, SupplierList>;
  providerProblems: readonly ProviderProblem[];
}

export const noOrders = (): OrderRecords => ({
  orders: new Map(),
  reserved: new Map(),
  unpaid: new Set(),
  references: new Map(),
  pages: new Map(),
  uniqueTotals: new Map(),
  units: new Map(),
  delivering: new Set(),
  history: new Map(),
  changes: [],
  claims: new Map(),
  uses: new Map(),
  responses: new Map(),
  reconciliations: new Map(),
  refunds: new Map(),
  callbacks: new Map(),
  worldOffset: 0,
});

/** A copy of a state. It shares the records, because they are never changed in place. */
export const copyState = (state: MemoryState): MemoryState => ({
  ...state,
  orders: new Map(state.orders),
  reserved: new Map(state.reserved),
  unpaid: new Set(state.unpaid),
  references: new Map(state.references),
  pages: new Map(state.pages),
  uniqueTotals: new Map(state.uniqueTotals),
  units: new Map(state.units),
  delivering: new Set(state.delivering),
  history: new Map(state.history),
  changes: [...state.changes],
  claims: new Map(state.claims),
  uses: new Map(state.uses),
  responses: new Map(state.responses),
  reconciliations: new Map(state.reconciliations),
  refunds: new Map(state.refunds),
  callbacks: new Map(state.callbacks),
  promos: new Map(state.promos),
  operatorPromos: new Set(state.operatorPromos),
  keys: new Map(state.keys),
  supplierLists: new Map(state.supplierLists),
});

export const emptyState = (): MemoryState => ({
  mode: null,
  display: null,
  revision: 0,
  lastChange: 0,
  catalog: null,
  promos: new Map(),
  operatorPromos: new Set(),
  keys: new Map(),
  supplierBalance: null,
  supplierLists: new Map(),
  providerProblems: [],
  ...noOrders(),
});
