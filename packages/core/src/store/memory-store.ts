import type {
  ChangeOrder,
  IdempotentAnswer,
  PlaceOrder,
  PlaceOrderConflict,
  PromoClaim,
  Store,
  StoreMode,
} from './store.ts';
import { done } from './store.ts';
import type { Catalog, Promo } from './types/catalog.ts';
import type { StoredKey } from './types/key.ts';
import type { StoredOrder } from './types/order.ts';

interface State {
  mode: StoreMode | null;
  revision: number;
  catalog: Catalog | null;
  promos: Map<string, Promo>;
  keys: Map<string, StoredKey>;
  orders: Map<string, StoredOrder>;
  /** Order ids by payment reference. */
  references: Map<string, string>;
  /** Order ids of unpaid orders with a unique code, by method and total. */
  uniqueTotals: Map<string, string>;
  /** The promo use of each order that has one. */
  claims: Map<string, PromoClaim>;
  /** Claimed uses by promo code, and by promo code and customer. */
  uses: Map<string, number>;
  answers: Map<string, IdempotentAnswer>;
}

const emptyState = (): State => ({
  mode: null,
  revision: 0,
  catalog: null,
  promos: new Map(),
  keys: new Map(),
  orders: new Map(),
  references: new Map(),
  uniqueTotals: new Map(),
  claims: new Map(),
  uses: new Map(),
  answers: new Map(),
});

const customerKey = ({ code, customer }: Pick<PromoClaim, 'code' | 'customer'>): string =>
  `${code}\n${customer}`;
const uses = (state: State, key: string): number => state.uses.get(key) ?? 0;
const answerKey = (accountId: string, key: string): string => `${accountId}\n${key}`;

/** Unpaid orders with a unique code are told apart by their total, per payment method. */
const uniqueTotal = ({ paymentStatus, paymentMethod, pricing }: StoredOrder): string | null =>
  paymentStatus === 'UNPAID' && pricing.unique_code > 0
    ? `${paymentMethod.id}\n${pricing.total_price}`
    : null;

const keyById = (state: State, keyId: string): StoredKey | undefined =>
  [...state.keys.values()].find((key) => key.keyId === keyId);

function addUses(state: State, claim: PromoClaim, count: 1 | -1): void {
  for (const key of [claim.code, customerKey(claim)]) state.uses.set(key, uses(state, key) + count);
}

function claimConflict(state: State, claim: PromoClaim): PlaceOrderConflict | null {
  const quota = state.promos.get(claim.code)?.quota ?? null;
  if (quota !== null && uses(state, claim.code) >= quota) return { conflict: 'promo_exhausted' };
  if (claim.perCustomer !== null && uses(state, customerKey(claim)) >= claim.perCustomer)
    return { conflict: 'promo_used' };
  return null;
}

function placeConflict(state: State, { order, promo, answer }: PlaceOrder): PlaceOrderConflict | null {
  const stored = answer && state.answers.get(answerKey(answer.accountId, answer.key));
  if (stored && stored.expiresAt > order.createdAt) return { conflict: 'idempotency_conflict', stored };
  if (state.orders.has(order.orderId)) return { conflict: 'order_id_taken' };
  if (state.references.has(order.payment.reference)) return { conflict: 'reference_taken' };
  const total = uniqueTotal(order);
  if (total !== null && state.uniqueTotals.has(total)) return { conflict: 'code_taken' };
  return promo && claimConflict(state, promo);
}

function place(state: State, command: PlaceOrder): ReturnType<Store['placeOrder']> {
  const conflict = placeConflict(state, command);
  if (conflict) return Promise.resolve(conflict);
  const { order, promo, answer } = command;
  state.orders.set(order.orderId, order);
  state.references.set(order.payment.reference, order.orderId);
  const total = uniqueTotal(order);
  if (total !== null) state.uniqueTotals.set(total, order.orderId);
  if (promo) {
    state.claims.set(order.orderId, promo);
    addUses(state, promo, 1);
  }
  if (answer) state.answers.set(answerKey(answer.accountId, answer.key), answer);
  return Promise.resolve(done);
}

function change(
  state: State,
  { orderId, from, to, releasePromo }: ChangeOrder,
): ReturnType<Store['changeOrder']> {
  const order = state.orders.get(orderId);
  if (!order) return Promise.resolve({ conflict: 'order_missing' });
  if (order.paymentStatus !== from.paymentStatus || order.buyStatus !== from.buyStatus)
    return Promise.resolve({ conflict: 'state_changed' });
  const total = uniqueTotal(order);
  if (total !== null && to.paymentStatus !== 'UNPAID') state.uniqueTotals.delete(total);
  state.orders.set(orderId, { ...order, paymentStatus: to.paymentStatus, buyStatus: to.buyStatus });
  const claim = state.claims.get(orderId);
  if (releasePromo && claim) {
    state.claims.delete(orderId);
    addUses(state, claim, -1);
  }
  return Promise.resolve(done);
}

function replace(state: State, catalog: Catalog): ReturnType<Store['replaceCatalog']> {
  for (const { code, quota } of catalog.promos) {
    const used = uses(state, code);
    if (quota !== null && used > quota)
      return Promise.resolve({ conflict: 'promo_quota_below_uses', code, uses: used });
  }
  state.catalog = catalog;
  state.promos = new Map(catalog.promos.map((promo) => [promo.code, promo]));
  state.revision += 1;
  return Promise.resolve(done);
}

/** A store that lives and dies with its process: for tests, mocks and `memory:`. */
export function createMemoryStore(): Store {
  const state = emptyState();
  const found = <Value>(value: Value | undefined): Promise<Value | null> => Promise.resolve(value ?? null);

  return {
    readMode: () => Promise.resolve(state.mode),
    claimMode(mode) {
      state.mode ??= mode;
      return Promise.resolve(state.mode === mode ? done : { conflict: 'other_mode', mode: state.mode });
    },

    revision: () => Promise.resolve(state.revision),
    readCatalog: () => Promise.resolve(state.catalog),
    replaceCatalog: (catalog) => replace(state, catalog),
    countPromoUses: (code, customer) =>
      Promise.resolve({ total: uses(state, code), byCustomer: uses(state, customerKey({ code, customer })) }),

    createKey(key) {
      if (state.keys.has(key.hash) || keyById(state, key.keyId))
        return Promise.resolve({ conflict: 'key_taken' });
      state.keys.set(key.hash, key);
      state.revision += 1;
      return Promise.resolve(done);
    },
    findKey: (hash) => found(state.keys.get(hash)),
    listKeys: () => Promise.resolve([...state.keys.values()]),
    revokeKey(keyId, revokedAt) {
      const key = keyById(state, keyId);
      if (!key) return Promise.resolve({ conflict: 'key_missing' });
      if (key.revokedAt !== null) return Promise.resolve(done);
      state.keys.set(key.hash, { ...key, revokedAt });
      state.revision += 1;
      return Promise.resolve(done);
    },

    placeOrder: (command) => place(state, command),
    findAnswer(accountId, key, now) {
      const stored = state.answers.get(answerKey(accountId, key));
      return found(stored && stored.expiresAt > now ? stored : undefined);
    },
    findOrder: (orderId) => found(state.orders.get(orderId)),
    findOrderByReference: (reference) => found(state.orders.get(state.references.get(reference) ?? '')),
    changeOrder: (command) => change(state, command),

    close: () => Promise.resolve(),
  };
}
