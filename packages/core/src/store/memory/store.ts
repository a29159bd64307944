import { done, type Store } from '../store.ts';
import { type Catalog, emptyCatalog, keepPromos, type Promo, type StoredKey } from '../types.ts';
import { callbacks } from './callbacks.ts';
import {
  abandonOrder,
  changeOrder,
  countOpenWork,
  countOrders,
  countUses,
  finaliseOrder,
  findDueUnits,
  findOrderByPage,
  findOrdersOfTarget,
  findOverdueOrders,
  findPaymentsByExpiry,
  findProblemOrders,
  findProgress,
  findReservedOrders,
  findTakenTotals,
  findUnitsBySupplierId,
  listOrders,
  nextDueAt,
  quotaConflict,
  reserveOrder,
  responseKey,
  storeOrder,
} from './orders.ts';
import { refunds } from './refunds.ts';
import { copyState, emptyState, type MemoryState, noOrders } from './state.ts';

const keyById = (state: MemoryState, keyId: string): StoredKey | undefined =>
  [...state.keys.values()].find((key) => key.keyId === keyId);

function putCatalog(state: MemoryState, catalog: Catalog): void {
  state.catalog = catalog;
  state.promos = new Map(catalog.promos.map((promo) => [promo.code, promo]));
  state.revision += 1;
}

const operatorPromos = ({ catalog, operatorPromos: codes }: MemoryState): Promo[] =>
  catalog?.promos.filter(({ code }) => codes.has(code)) ?? [];

function replaceCatalog(state: MemoryState, catalog: Catalog): Awaited<ReturnType<Store['replaceCatalog']>> {
  const conflict = quotaConflict(state, catalog.promos);
  if (conflict) return conflict;
  putCatalog(state, keepPromos(catalog, operatorPromos(state)));
  return done;
}

const modeAndCatalog = (
  state: MemoryState,
): Pick<
  Store,
  | 'readMode'
  | 'claimMode'
  | 'readDisplay'
  | 'saveDisplay'
  | 'revision'
  | 'readCatalog'
  | 'replaceCatalog'
  | 'seedCatalog'
  | 'putPromo'
  | 'readOperatorPromos'
  | 'countPromoUses'
> => ({
  readMode: async () => state.mode,
  async claimMode(mode) {
    state.mode ??= mode;
    return state.mode === mode ? done : { conflict: 'other_mode', mode: state.mode };
  },
  readDisplay: async () => state.display,
  async saveDisplay(display) {
    state.display = display;
    return done;
  },
  revision: async () => state.revision,
  readCatalog: async () => state.catalog,
  replaceCatalog: async (catalog) => replaceCatalog(state, catalog),
  seedCatalog: async (catalog) =>
    state.catalog ? { conflict: 'catalog_exists' } : replaceCatalog(state, catalog),
  async putPromo(promo) {
    const conflict = quotaConflict(state, [promo]);
    if (conflict) return conflict;
    const catalog = state.catalog ?? emptyCatalog;
    const promos = new Map(catalog.promos.map((one) => [one.code, one])).set(promo.code, promo);
    putCatalog(state, { ...catalog, promos: [...promos.values()] });
    state.operatorPromos.add(promo.code);
    return done;
  },
  readOperatorPromos: async () => operatorPromos(state),
  countPromoUses: async (code, customer) => countUses(state, code, customer),
});

const keys = (
  state: MemoryState,
): Pick<Store, 'createKey' | 'findKey' | 'listKeys' | 'revokeKey' | 'rotateKey' | 'recordKeyUses'> => ({
  async createKey(key) {
    if (state.keys.has(key.hash) || keyById(state, key.keyId)) return { conflict: 'key_taken' };
    state.keys.set(key.hash, key);
    state.revision += 1;
    return done;
  },
  findKey: async (hash) => state.keys.get(hash) ?? null,
  listKeys: async () => [...state.keys.values()],
  async revokeKey(keyId, revokedAt) {
    const key = keyById(state, keyId);
    if (!key) return { conflict: 'key_missing' };
    if (key.revokedAt !== null) return done;
    state.keys.set(key.hash, { ...key, revokedAt });
    state.revision += 1;
    return done;
  },
  async rotateKey(keyId, next, until) {
    const key = keyById(state, keyId);
    if (!key) return { conflict: 'key_missing' };
    const expiresAt = key.expiresAt ?? Number.POSITIVE_INFINITY;
    const isReplaced = key.replacedBy !== null && keyById(state, key.replacedBy)?.revokedAt === null;
    if (key.revokedAt !== null || isReplaced || expiresAt <= next.createdAt)
      return { conflict: 'key_inactive' };
    if (state.keys.has(next.hash) || keyById(state, next.keyId)) return { conflict: 'key_taken' };
    state.keys.set(key.hash, { ...key, replacedBy: next.keyId, expiresAt: Math.min(expiresAt, until) });
    state.keys.set(next.hash, next);
    state.revision += 1;
    return done;
  },
  async recordKeyUses(uses) {
    for (const [keyId, usedAt] of uses) {
      const key = keyById(state, keyId);
      if (key && usedAt > (key.lastUsedAt ?? Number.NEGATIVE_INFINITY))
        state.keys.set(key.hash, { ...key, lastUsedAt: usedAt });
    }
    return done;
  },
});

const responses = (
  state: MemoryState,
): Pick<Store, 'findIdempotentResponse' | 'purgeIdempotentResponses'> => ({
  async findIdempotentResponse(accountId, key, now) {
    const stored = state.responses.get(responseKey(accountId, key));
    return stored && stored.expiresAt > now ? stored : null;
  },
  async purgeIdempotentResponses(now, limit) {
    const expired = [...state.responses].filter(([, { expiresAt }]) => expiresAt <= now).slice(0, limit);
    for (const [key] of expired) state.responses.delete(key);
    return expired.length;
  },
});

const reconciliations = (
  state: MemoryState,
): Pick<Store, 'addReconciliation' | 'listReconciliations' | 'returnReconciliation'> => ({
  async addReconciliation(reconciliation) {
    const { reconciliationId } = reconciliation;
    if (!state.reconciliations.has(reconciliationId))
      state.reconciliations.set(reconciliationId, reconciliation);
    return done;
  },
  listReconciliations: async (filter = {}) =>
    [...state.reconciliations.values()]
      .filter((stored) =>
        (['reconciliationId', 'orderId', 'reference', 'state'] as const).every(
          (field) => filter[field] === undefined || stored[field] === filter[field],
        ),
      )
      .sort((a, b) => a.noticedAt - b.noticedAt),
  async returnReconciliation(reconciliationId, note, closed) {
    const reconciliation = state.reconciliations.get(reconciliationId);
    if (!reconciliation) return { conflict: 'reconciliation_missing' };
    if (reconciliation.state !== 'open') return { conflict: 'reconciliation_closed' };
    state.reconciliations.set(reconciliationId, { ...reconciliation, state: 'returned', note, ...closed });
    return done;
  },
});

const world = (state: MemoryState): Pick<Store, 'readWorldOffset' | 'moveWorld' | 'clearOrders'> => ({
  readWorldOffset: async () => state.worldOffset,
  async moveWorld(by) {
    state.worldOffset += by;
    return state.worldOffset;
  },
  async clearOrders() {
    Object.assign(state, noOrders());
    return done;
  },
});

/** The content of a memory store at one moment; pass it to {@link createMemoryStore}. */
export type MemorySnapshot = Readonly<MemoryState>;

interface MemoryStore extends Store {
  /** The content of the store now; cheap, because the records are shared. */
  snapshot(): MemorySnapshot;
}

/** A store in memory, for tests, mocks and `memory:`. It starts empty or with the content of a snapshot. */
export function createMemoryStore(from?: MemorySnapshot): MemoryStore {
  const state = from ? copyState(from) : emptyState();
  return {
    snapshot: () => copyState(state),
    ...modeAndCatalog(state),
    ...keys(state),
    ...responses(state),
    ...reconciliations(state),
    ...refunds(state),
    ...callbacks(state),
    ...world(state),

    placeOrder: async (command) => storeOrder(state, command),
    reserveOrder: async (command) => reserveOrder(state, command),
    finaliseOrder: async (command) => finaliseOrder(state, command),
    abandonOrder: async (orderId) => abandonOrder(state, orderId),
    findTakenTotals: async (...range) => findTakenTotals(state, ...range),
    findReservedOrder: async (orderId) => state.reserved.get(orderId) ?? null,
    findReservedOrders: async (limit) => findReservedOrders(state, limit),

    findOrder: async (orderId) => state.orders.get(orderId) ?? null,
    findProgress: async (orderId) => findProgress(state, orderId),
    findOrderByReference: async (reference) =>
      state.orders.get(state.references.get(reference) ?? '') ?? null,
    findOrderByPage: async (reference) => findOrderByPage(state, reference),
    countOrders: async () => countOrders(state),
    listOrders: async (filter) => listOrders(state, filter),
    findUnits: async (orderId) => state.units.get(orderId) ?? [],
    findHistory: async (orderId) => state.history.get(orderId) ?? [],
    findChanges: async (after, limit) =>
      state.changes.filter(({ position }) => position > after).slice(0, limit),
    changeOrder: async (command) => changeOrder(state, command),
    findOrdersOfTarget: async (targetId, since) => findOrdersOfTarget(state, targetId, since),
    findOverdueOrders: async (now, limit) => findOverdueOrders(state, now, limit),
    findPaymentsByExpiry: async (status, after, limit) => findPaymentsByExpiry(state, status, after, limit),
    findDueUnits: async (at, limit) => findDueUnits(state, at, limit),
    findUnitsBySupplierId: async (supplierId) => findUnitsBySupplierId(state, supplierId),
    nextDueAt: async () => nextDueAt(state),
    claimWork: async (names) => [...names],
    noteServer: async () => 1,
    countOpenWork: async () => countOpenWork(state),
    findProblemOrders: async (problem, limit) => findProblemOrders(state, problem, limit),
    readSupplierBalance: async () => state.supplierBalance,
    async saveSupplierBalance(balance) {
      state.supplierBalance = balance;
      return done;
    },
    readSupplierLists: async () =>
      [...state.supplierLists.values()].sort((one, other) => other.readAt - one.readAt),
    async saveSupplierList(list) {
      state.supplierLists.set(list.supplier, list);
      state.revision += 1;
      return done;
    },
    readProviderProblems: async () => [...state.providerProblems],
    async saveProviderProblems(problems) {
      state.providerProblems = problems;
      return done;
    },

    close: async () => {},
  };
}
