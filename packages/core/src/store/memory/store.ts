import { activityOfClosing, activityOfEdit, matchesActivity } from '../activity.ts';
import { done, type RoomErasure, type Store } from '../store.ts';
import {
  type Catalog,
  type CatalogEdit,
  emptyCatalog,
  mergeOperatorPromos,
  type Promo,
  type Refund,
  type StoredKey,
  type SupplierList,
} from '../types.ts';
import { erasures } from './erasures.ts';
import { orderQueries } from './order-queries.ts';
import { orders } from './orders.ts';
import { countUses, quotaConflict } from './promo-uses.ts';
import { addActivity, type MemoryState } from './state.ts';

const keyById = (state: MemoryState, keyId: string): StoredKey | undefined =>
  [...state.keys.values()].find((key) => key.keyId === keyId);

export function putCatalog(state: MemoryState, catalog: Catalog): void {
  state.catalog = catalog;
  state.promos = new Map(catalog.promos.map((promo) => [promo.code, promo]));
  state.revision += 1;
}

const operatorPromos = ({ catalog, operatorPromos: codes }: MemoryState): Promo[] =>
  catalog?.promos.filter(({ code }) => codes.has(code)) ?? [];

export const newestFirst = (lists: ReadonlyMap<string, SupplierList>): SupplierList[] =>
  [...lists.values()].sort((a, b) => b.readAt - a.readAt);

export function addEdit(state: MemoryState, edit: CatalogEdit): void {
  const number = (state.catalogEdits[0]?.number ?? 0) + 1;
  state.catalogEdits = [{ ...edit, number }, ...state.catalogEdits];
  addActivity(state, activityOfEdit(edit));
}

function replaceCatalog(
  state: MemoryState,
  catalog: Catalog,
  edit?: CatalogEdit,
): Awaited<ReturnType<Store['replaceCatalog']>> {
  const conflict = quotaConflict(state, catalog.promos);
  if (conflict) return conflict;
  putCatalog(state, mergeOperatorPromos(catalog, operatorPromos(state)));
  if (edit) addEdit(state, edit);
  return done;
}

const modeAndCatalog = (state: MemoryState) =>
  ({
    readMode: async () => state.mode,
    async claimMode(mode) {
      state.mode ??= mode;
      return state.mode === mode ? done : { conflict: 'other_mode', mode: state.mode };
    },
    readDefaults: async () => (state.mode === null ? 0 : 1),
    readDisplay: async () => state.display,
    async saveDisplay(display) {
      state.display = display;
      return done;
    },
    readBackupState: async () => ({
      ...state.backups,
      firstOrderAt: state.orders.values().next().value?.createdAt ?? null,
    }),
    async noteBackup({ at, operator, file }) {
      state.backups = { ...state.backups, backedUpAt: at };
      addActivity(state, [{ at, operator, action: 'backup.made', subject: file, amount: null }]);
      return done;
    },
    async saveBackupAlert(alertAfter, at) {
      const alertSince = state.backups.alertSince ?? (alertAfter > 0 ? at : null);
      state.backups = { ...state.backups, alertAfter, alertSince };
      return done;
    },
    revision: async () => state.revision,
    readCatalog: async () => state.catalog,
    replaceCatalog: async (catalog, edit) => replaceCatalog(state, catalog, edit),
    seedCatalog: async (catalog) =>
      state.catalog ? { conflict: 'catalog_exists' } : replaceCatalog(state, catalog),
    async putPromo(promo) {
      const conflict = quotaConflict(state, [promo]);
      if (conflict) return conflict;
      const catalog = state.catalog ?? emptyCatalog;
      const promos = new Map(catalog.promos.map((promo) => [promo.code, promo])).set(promo.code, promo);
      putCatalog(state, { ...catalog, promos: [...promos.values()] });
      state.operatorPromos.add(promo.code);
      return done;
    },
    listCatalogEdits: async (limit) => state.catalogEdits.slice(0, limit),
    readOperatorPromos: async () => operatorPromos(state),
    countPromoUses: async (code, customer, customerHash) =>
      countUses(state, { code, customer, customerHash }),
  }) satisfies Partial<Store>;

const keys = (state: MemoryState) =>
  ({
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
  }) satisfies Partial<Store>;

const reconciliations = (state: MemoryState) =>
  ({
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
    async returnReconciliation(reconciliationId, note, closed = { closedAt: null, closedBy: null }) {
      const reconciliation = state.reconciliations.get(reconciliationId);
      if (!reconciliation) return { conflict: 'reconciliation_missing' };
      if (reconciliation.state !== 'open') return { conflict: 'reconciliation_closed' };
      state.reconciliations.set(reconciliationId, { ...reconciliation, state: 'returned', note, ...closed });
      addActivity(
        state,
        activityOfClosing('payment.returned', reconciliationId, reconciliation.amount, closed),
      );
      return done;
    },
  }) satisfies Partial<Store>;

/** Creates the commands for refunds of orders. A change of an order adds the refunds. */
function refunds(state: MemoryState) {
  const list = (isWanted: (refund: Refund) => boolean): Refund[] =>
    [...state.refunds.values()].filter(isWanted).sort((a, b) => a.at - b.at);
  return {
    findRefunds: async (orderId) => list((refund) => refund.orderId === orderId),
    listRefunds: async (wanted) => list((refund) => wanted === undefined || refund.state === wanted),
    async closeRefund({ refundId, ...closing }) {
      const refund = state.refunds.get(refundId);
      if (!refund) return { conflict: 'refund_missing' };
      if (refund.state !== 'to-pay') return { conflict: 'refund_closed' };
      state.refunds.set(refundId, { ...refund, ...closing });
      addActivity(state, activityOfClosing(`refund.${closing.state}`, refundId, refund.amount, closing));
      return done;
    },
  } satisfies Partial<Store>;
}

const world = (state: MemoryState) =>
  ({
    readRestoredAt: async () => null,
    readWorldOffset: async () => state.worldOffset,
    async moveWorld(by) {
      state.worldOffset += by;
      return state.worldOffset;
    },
  }) satisfies Partial<Store>;

/** Creates the house's commands in memory. `eraseRooms` erases an order's data in the rooms. */
export const houseInMemory = (
  state: MemoryState,
  eraseRooms: (orderId: string) => RoomErasure[],
): Omit<Store, 'clearOrders'> => ({
  ...modeAndCatalog(state),
  ...keys(state),
  ...orders(state),
  ...orderQueries(state),
  ...reconciliations(state),
  ...refunds(state),
  ...erasures(state, eraseRooms),
  ...world(state),

  listActivity: async ({ limit, ...filter }) =>
    state.activity.filter((activity) => matchesActivity(activity, filter)).slice(0, limit),
  async addActivity(activity) {
    addActivity(state, [activity]);
    return done;
  },

  claimWork: async (names) => [...names],
  noteServer: async () => 1,
  readRaisedAlerts: async () => state.raisedAlerts,
  readSupplierBalances: async () =>
    [...state.supplierBalances.values()].sort((a, b) => (a.supplier < b.supplier ? -1 : 1)),
  async saveSupplierBalance(balance) {
    state.supplierBalances.set(balance.supplier, balance);
    return done;
  },
  readSupplierLists: async () => newestFirst(state.supplierLists),
  readProviderProblems: async () => [...state.providerProblems],
  async saveProviderProblems(problems) {
    state.providerProblems = problems;
    return done;
  },

  close: async () => {},
});
