import { markOrder, refundOrder, retryOrder, settleReconciliation } from '@topup-kit/core/engine';
import type { Catalog, Store, StoredUnit } from '@topup-kit/core/store';
import { buyStatusOf, isBought, type Snapshot } from './check.ts';
import { expectOneOf, expectSame, Mismatch, type Model, type ModelOrder } from './model/model.ts';
import { closeReconciliation, refunded, settled } from './model/payments.ts';
import type { Shop } from './shop.ts';
import type { Step } from './steps.ts';

export type Of<Does extends Step['does']> = Extract<Step, { does: Does }>;

/** Completed step: returns the model after it, given the content of the store. */
export type Done = (model: Model, after: Snapshot) => Model;

const nothing: Done = (model) => model;

/** Data for choosing an operator's commands. */
export interface OperatorView {
  model: Model;
  before: Snapshot;
  /** Items whose outcome an operator has decided. */
  marked: Set<string>;
  /** True if another step happens at the same time. */
  isRace: boolean;
}

/** Tells whether a command was accepted; false if it was rejected. */
async function isAccepted(command: () => Promise<unknown>): Promise<boolean> {
  try {
    await command();
    return true;
  } catch (error) {
    const refusals = ['AmountError', 'ClosingError', 'DomainError', 'UnitsError'];
    if (error instanceof Error && refusals.includes(error.name)) return false;
    throw error;
  }
}

/** Returns whether a refund or a retry must, may or must not be accepted (open points: states). */
function allowedOutcomes(
  { providers: { purchases } }: Shop,
  model: Model,
  command: 'refund' | 'retry',
  order: ModelOrder,
  units: readonly StoredUnit[],
): string[] {
  const { id, payment } = order;
  const buyStatus = buyStatusOf(payment, units);
  // The owed amount may exceed the refunds, or the gateway may have refunded more, even for delivered items.
  if (command === 'refund' && (payment === 'REFUND' || (payment === 'PAID' && buyStatus === 'Sukses')))
    return [refunded(model, order, deliveredOf(units)) ? 'done' : 'rejected'];
  if (payment !== 'PAID') return ['rejected'];
  if (buyStatus === 'Gagal') return ['done'];
  // The open points don't define this for an order in delivery, but an order with purchased items is not refunded.
  const isPartlyBought = [...purchases].some(([name, one]) => name.startsWith(id) && isBought(one));
  const isOpen = buyStatus === 'Proses' && !(command === 'refund' && isPartlyBought);
  return isOpen ? ['done', 'rejected'] : ['rejected'];
}

/** Tells whether an item waits, so that a retry only repeats its submission now. */
const isHeldUp = ({ state, reason }: StoredUnit): boolean => state === 'waiting' && reason !== null;

const deliveredOf = (units: readonly StoredUnit[]): number =>
  units.filter(({ state }) => state === 'delivered').length;

/** Marks the items without an outcome as an operator does who reads the books of the supplier. */
async function mark({ store, clock, providers }: Shop, { marked }: OperatorView, id: string): Promise<Done> {
  const units = await store.findUnits(id);
  for (const { unit, attempt, state } of units) {
    const name = `${id}-${unit}-${attempt}`;
    const booked = providers.purchases.get(name);
    if ((state !== 'asked' && state !== 'unknown') || booked?.state === 'pending') continue;
    marked.add(name);
    const outcome = isBought(booked) ? 'delivered' : 'failed';
    const deps = { store, worldClock: () => clock.now, operator: 'ani' };
    await isAccepted(() => markOrder(deps, id, { outcome, unit, note: 'by the books' }));
  }
  return nothing;
}

async function reconcile(
  { store, clock }: Shop,
  { model: { reconciliations }, before }: OperatorView,
  { command, which }: Of<'operator'>,
): Promise<Done> {
  const index = which % (reconciliations.length || 1);
  const known = reconciliations[index];
  const stored = before.reconciliations.find(
    (one) =>
      one.orderId === known?.orderId &&
      one.amount === known.amount &&
      one.paidAt === known.at &&
      one.reason === known.reason,
  );
  if (!known || !stored) return nothing;
  const { reconciliationId } = stored;
  if (command === 'return') {
    await store.returnReconciliation(reconciliationId, 'by transfer');
    return (model) => (known.state === 'open' ? closeReconciliation(model, index, 'returned') : model);
  }
  const deps = { store, worldClock: () => clock.now, operator: 'ani' };
  const isDone = await isAccepted(() => settleReconciliation(deps, { reconciliationId, otherAmount: true }));
  return (model) => {
    const next = settled(model, index);
    expectSame(`whether the payment to ${known.orderId} is settled`, isDone, next !== null);
    return next ?? model;
  };
}

/** Runs an operator's command as the command line does. */
export async function operate(shop: Shop, view: OperatorView, step: Of<'operator'>): Promise<Done> {
  const { command, which } = step;
  if (command === 'settle' || command === 'return') return reconcile(shop, view, step);
  const { orders } = view.model;
  const order = orders[which % (orders.length || 1)];
  if (!order || order.isReserved) return nothing;
  const { id } = order;
  if (command === 'mark') return mark(shop, view, id);
  const { store, clock } = shop;
  const deps = { store, worldClock: () => clock.now, operator: 'ani' };
  const units = await store.findUnits(id);
  const isDone = await isAccepted(() =>
    command === 'refund' ? refundOrder(deps, id) : retryOrder(deps, id),
  );
  return (model, after) => {
    const current = model.orders.find((one) => one.id === id) ?? order;
    if (!view.isRace)
      expectOneOf(
        `the ${command} of ${id}`,
        isDone ? 'done' : 'rejected',
        allowedOutcomes(shop, model, command, current, units),
      );
    if (!isDone) return model;
    const now = after.orders.get(id)?.units ?? [];
    if (command === 'refund') {
      const next = refunded(model, current, deliveredOf(now));
      if (!next) throw new Mismatch(`${id} was refunded, though nothing was owed`);
      return next;
    }
    const isStarted = now.some((one) =>
      units.some((old) => old.unit === one.unit && (old.attempt < one.attempt || isHeldUp(old))),
    );
    if (!isStarted) throw new Mismatch(`the retry of ${id} started no attempt`);
    return model;
  };
}

function changedCatalog(catalog: Catalog, { what, which, value }: Of<'change'>): Catalog {
  const games = catalog.games.map((game, index) => {
    if (what === 'game' && index === which) return { ...game, status: value > 0 };
    const products = game.products.map((one) => {
      if (one.id !== which + 1) return one;
      if (what === 'price') return { ...one, selling_price: one.selling_price + value };
      if (what === 'promo price') return { ...one, is_promo: value > 1, promo_price: 10_000 + value };
      return what === 'product' ? { ...one, status: value > 0 } : one;
    });
    return { ...game, products };
  });
  const payment_methods = catalog.payment_methods.map((one, index) =>
    what === 'method' && index === which ? { ...one, status: value > 0 } : one,
  );
  const promos = catalog.promos.map((one, index) => {
    if (index !== which) return one;
    if (what === 'promo') return { ...one, status: value > 0 };
    return what === 'quota' ? { ...one, quota: value } : one;
  });
  return { ...catalog, games, payment_methods, promos };
}

/** Imports a catalogue file. */
export async function changeCatalog(store: Store, before: Catalog, step: Of<'change'>): Promise<Done> {
  const catalog = changedCatalog(before, step);
  const outcome = await store.replaceCatalog(catalog);
  return (model) => {
    const isBelow = catalog.promos.some(({ code, quota }) => {
      const uses = model.orders.filter((one) => one.promo === code && one.holds === true).length;
      return quota !== null && uses > quota;
    });
    expectSame('whether the catalogue is replaced', 'done' in outcome, !isBelow);
    return isBelow ? model : { ...model, catalog };
  };
}
