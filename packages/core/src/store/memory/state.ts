import type { ConsoleLink, ConsoleSession } from '../console.ts';
import type { Erasure, IdempotentResponse, PromoClaim, StoreDisplay, StoreMode } from '../store.ts';
import type {
  Catalog,
  HistoryEntry,
  Margin,
  OrderChange,
  Promo,
  ProviderProblem,
  Reconciliation,
  Refund,
  ReservedOrder,
  StoredCallback,
  StoredCatalogEdit,
  StoredKey,
  StoredOrder,
  StoredUnit,
  SupplierBalance,
  SupplierList,
} from '../types.ts';
import type {
  EventProgress,
  RaisedAlerts,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEvent,
} from '../webhooks.ts';

/** The use of a promo by an order; a released one may be claimed again. */
interface HeldClaim extends PromoClaim {
  released: boolean;
}

/** An event and its place among all. */
export type StoredEvent = WebhookEvent & { sequence: number };

/** What is stored of a delivery beside its event. */
export type StoredDelivery = Pick<
  WebhookDelivery,
  'endpointId' | 'eventId' | 'state' | 'attempts' | 'step' | 'nextAt' | 'log'
>;

/** All records that are deleted with the orders. */
export const noOrders = () => ({
  orders: new Map<string, StoredOrder>(),
  reserved: new Map<string, ReservedOrder>(),
  /** Ids of unpaid orders, which can expire. */
  unpaid: new Set<string>(),
  /** Order ids by payment reference. */
  references: new Map<string, string>(),
  /** Order ids by the reference of their own that pages have, also those of reserved orders. */
  pages: new Map<string, string>(),
  /** Order ids of unpaid orders with a unique code, by method and total. */
  uniqueTotals: new Map<string, string>(),
  units: new Map<string, StoredUnit[]>(),
  /** Ids of orders with a unit that has a `nextAt`. */
  delivering: new Set<string>(),
  history: new Map<string, HistoryEntry[]>(),
  /** All entries, in their order. */
  changes: [] as OrderChange[],
  claims: new Map<string, HeldClaim>(),
  /** Claimed uses by promo code, and by promo code and customer. */
  uses: new Map<string, number>(),
  responses: new Map<string, IdempotentResponse>(),
  reconciliations: new Map<string, Reconciliation>(),
  refunds: new Map<string, Refund>(),
  callbacks: new Map<string, StoredCallback>(),
  webhookEvents: new Map<string, StoredEvent>(),
  /** By endpoint and event. */
  webhookDeliveries: new Map<string, StoredDelivery>(),
  worldOffset: 0,
});

export interface MemoryState extends ReturnType<typeof noOrders> {
  mode: StoreMode | null;
  display: StoreDisplay | null;
  revision: number;
  /** The place of the last change, which outlives its order. */
  lastChange: number;
  catalog: Catalog | null;
  promos: Map<string, Promo>;
  /** Codes of the promos that an operator stored one by one. */
  operatorPromos: Set<string>;
  margins: readonly Margin[];
  /** The newest first. */
  catalogEdits: readonly StoredCatalogEdit[];
  keys: Map<string, StoredKey>;
  /** By the name of the supplier. */
  supplierBalances: Map<string, SupplierBalance>;
  /** By the name of the supplier. */
  supplierLists: Map<string, SupplierList>;
  /** The lists by which prices were computed last. */
  pricedLists: Map<string, SupplierList>;
  providerProblems: readonly ProviderProblem[];
  /** The oldest first. */
  erasures: readonly Erasure[];
  customerSecret: string | null;
  endpoints: Map<string, WebhookEndpoint>;
  eventProgress: EventProgress;
  lastEvent: number;
  raisedAlerts: RaisedAlerts;
  /** By the hash of their secret. */
  consoleLinks: Map<string, ConsoleLink>;
  consoleSessions: Map<string, ConsoleSession>;
}

export const emptyState = (): MemoryState => ({
  mode: null,
  display: null,
  revision: 0,
  lastChange: 0,
  catalog: null,
  promos: new Map(),
  operatorPromos: new Set(),
  margins: [],
  catalogEdits: [],
  keys: new Map(),
  supplierBalances: new Map(),
  supplierLists: new Map(),
  pricedLists: new Map(),
  providerProblems: [],
  erasures: [],
  customerSecret: null,
  endpoints: new Map(),
  eventProgress: { position: 0, edit: 0 },
  lastEvent: 0,
  raisedAlerts: { version: 0, alerts: [] },
  consoleLinks: new Map(),
  consoleSessions: new Map(),
  ...noOrders(),
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
  webhookEvents: new Map(state.webhookEvents),
  webhookDeliveries: new Map(state.webhookDeliveries),
  endpoints: new Map(state.endpoints),
  promos: new Map(state.promos),
  operatorPromos: new Set(state.operatorPromos),
  keys: new Map(state.keys),
  supplierBalances: new Map(state.supplierBalances),
  supplierLists: new Map(state.supplierLists),
  consoleLinks: new Map(state.consoleLinks),
  consoleSessions: new Map(state.consoleSessions),
});
