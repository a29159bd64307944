import type { Clock } from '../platform/index.ts';
import type {
  ChangeOrder,
  HistoryEntry,
  OrderState,
  Promo,
  RevokedItem,
  Store,
  StoredOrder,
  StoredUnit,
} from '../store/index.ts';
import { serialNumbers } from './delivery.ts';
import { DomainError } from './errors.ts';
import { applyEvent, isAllowed, planChange, stateConflict, waiting } from './orders/states.ts';

/** Operators change orders directly in the store; a running server then does the due work. */
export interface OperatorDependencies {
  store: Store;
  /** World time in unix milliseconds: real time plus the store's `readWorldOffset()`. */
  worldClock: Clock;
}

/** What an operator found out about the delivery of an order. */
export interface Mark {
  outcome: 'delivered' | 'failed';
  /** How it is known. */
  note: string;
  /** The proof of delivery. */
  serialNumber?: string | undefined;
  /** The number of the only unit that it is about; without it, it is about all that have no clear outcome. */
  unit?: number | undefined;
}

/** An operator's command that changes one order. */
export type OperatorCommand =
  | { does: 'refund'; note?: string | undefined }
  | { does: 'retry' }
  | ({ does: 'mark' } & Mark);

/** Why an order's units don't allow a command, and what to do. `units` are the numbers of those in the way. */
export class UnitsError extends Error {
  override readonly name = 'UnitsError';
  readonly next: 'mark' | 'wait' | 'none';
  readonly units: readonly number[];

  constructor(message: string, next: UnitsError['next'], units: readonly StoredUnit[]) {
    super(message);
    this.next = next;
    this.units = units.map(({ unit }) => unit);
  }
}

interface Subject {
  order: StoredOrder;
  units: readonly StoredUnit[];
  /** Unix milliseconds of world time. */
  at: number;
}

const items = (units: readonly StoredUnit[]): string =>
  `item${units.length === 1 ? '' : 's'} ${units.map(({ unit }) => unit).join(', ')}`;

const isOpen = ({ state }: StoredUnit): boolean => state !== 'delivered' && state !== 'failed';
const isContradicted = ({ contradiction }: StoredUnit): boolean => contradiction !== null;

/** Rejects units whose outcome the operator has to find out first. */
function rejectUnclear(units: readonly StoredUnit[], why: string): void {
  if (units.length > 0)
    throw new UnitsError(
      `${why}: ${items(units)}. Find out at the supplier, then mark the order.`,
      'mark',
      units,
    );
}

interface Planned {
  event: HistoryEntry['event'];
  to: OrderState;
  units: StoredUnit[];
  entry?: Pick<HistoryEntry, 'note' | 'serialNumber' | 'attempts' | 'revoked'>;
}

/** Only an order of which nothing can have been bought, or whose delivery failed for good. */
function planRefund({ units }: Subject, note: string | undefined): Planned {
  rejectUnclear(
    units.filter(isContradicted),
    "The supplier contradicted itself, so it isn't clear what was delivered",
  );
  const open = units.filter(isOpen);
  rejectUnclear(
    open.filter(({ state }) => state !== 'waiting'),
    'The supplier may have delivered what it was asked for',
  );
  if (open.length > 0)
    rejectUnclear(
      units.filter(({ state }) => state === 'delivered'),
      'Part of the order was delivered',
    );
  const reason = 'Not submitted, because the order was refunded.';
  return {
    event: 'refunded',
    to: { paymentStatus: 'REFUND', buyStatus: 'Gagal' },
    units: open.map((unit) => ({ ...unit, state: 'failed', nextAt: null, reason })),
    ...(note !== undefined && { entry: { note } }),
  };
}

/**
 * Failed units get a new attempt. All others keep their schedule, which asks as often as the supplier allows, so an
 * earlier question would break its limit.
 */
function planRetry({ units, at }: Subject): Planned {
  const failed = units.filter(({ state }) => state === 'failed');
  const again = failed.filter((unit) => !isContradicted(unit));
  if (again.length === 0) {
    rejectUnclear(failed, 'The supplier reported a delivery after it had failed');
    rejectUnclear(
      units.filter(({ state }) => state === 'unknown'),
      'Nobody knows whether the supplier delivered, so a retry could deliver twice',
    );
    const open = units.filter(isOpen);
    throw new UnitsError(
      `No item failed, so there is nothing to retry: the server asks for ${items(open)} as often as the supplier allows.`,
      'wait',
      open,
    );
  }
  return {
    event: 'retried',
    to: { paymentStatus: 'PAID', buyStatus: 'Proses' },
    units: again.map(({ unit, attempt }) => waiting(unit, attempt + 1, at)),
    entry: {
      attempts: again.map(({ unit, attempt, askedAt, supplier, supplierId, reason }) => ({
        ...{ unit, attempt, askedAt, supplier, supplierId, reason },
      })),
    },
  };
}

function markedUnit(
  units: readonly StoredUnit[],
  { outcome, unit }: Pick<Mark, 'outcome'> & { unit: number },
): StoredUnit[] {
  const found = units.find((one) => one.unit === unit);
  if (!found)
    throw new UnitsError(`The order has no item ${unit}: it has the items 1 to ${units.length}.`, 'none', []);
  if (found.state === outcome && !isContradicted(found))
    throw new UnitsError(`Item ${unit} is marked as ${outcome} already.`, 'none', [found]);
  return [found];
}

/** The units that a mark is about: those without a clear outcome; when all are clear, those with another outcome. */
function markedUnits(units: readonly StoredUnit[], { outcome, unit }: Mark): StoredUnit[] {
  if (unit !== undefined) return markedUnit(units, { outcome, unit });
  const unclear = units.filter((unit) => isOpen(unit) || isContradicted(unit));
  return unclear.length > 0 ? unclear : units.filter(({ state }) => state !== outcome);
}

function marked(unit: StoredUnit, { outcome, note }: Mark, serialNumber: string | null): StoredUnit {
  const settled = { nextAt: null, contradiction: null, waitsFor: null };
  const common = { ...unit, ...settled, state: outcome, reason: note };
  if (outcome === 'delivered') return { ...common, serialNumber: serialNumber ?? unit.serialNumber };
  return { ...common, serialNumber: null };
}

/** What an order becomes once all its units have an outcome. A refund stays one, whatever was delivered. */
function markedState({ paymentStatus, buyStatus }: OrderState, units: readonly StoredUnit[]): OrderState {
  if (paymentStatus === 'REFUND') return { paymentStatus, buyStatus };
  if (units.some(isOpen)) return { paymentStatus, buyStatus: 'Proses' };
  const isDelivered = units.every(({ state }) => state === 'delivered');
  return { paymentStatus, buyStatus: isDelivered ? 'Sukses' : 'Gagal' };
}

function planMark({ order, units }: Subject, mark: Mark): Planned {
  const { outcome, note, serialNumber } = mark;
  if (order.paymentStatus === 'REFUND' && !units.some(isContradicted)) throw stateConflict(order);
  const chosen = markedUnits(units, mark);
  if (chosen.length === 0)
    throw new UnitsError(`Every item of the order is marked as ${outcome} already.`, 'none', []);
  // One text may hold the proofs of several units, so the order shows it once.
  const after = chosen.map((unit, index) => marked(unit, mark, index === 0 ? (serialNumber ?? null) : null));
  const all = units.map((one) => after.find(({ unit }) => unit === one.unit) ?? one);
  const revoked = chosen.flatMap(({ state, unit, serialNumber: proof }) =>
    outcome === 'failed' && state === 'delivered' ? [{ unit, serialNumber: proof }] : [],
  );
  return {
    event: outcome === 'delivered' ? 'delivered' : 'undelivered',
    to: markedState(order, all),
    units: after,
    entry: {
      note,
      ...(serialNumber !== undefined && { serialNumber }),
      ...(revoked.length > 0 && { revoked }),
    },
  };
}

const events = { refund: 'refunded', retry: 'retried', mark: 'marked' } as const;

function planOf(subject: Subject, command: OperatorCommand): Planned {
  if (command.does === 'refund') return planRefund(subject, command.note);
  return command.does === 'retry' ? planRetry(subject) : planMark(subject, command);
}

/** The change that a command makes; throws when the order or its units don't allow it. */
function planCommand(subject: Subject, command: OperatorCommand): ChangeOrder {
  const { order, units, at } = subject;
  if (!isAllowed(order, events[command.does])) throw stateConflict(order);
  const { event, to, units: changed, entry } = planOf(subject, command);
  const { paymentStatus, buyStatus } = order;
  const all = units.map((one) => changed.find(({ unit }) => unit === one.unit) ?? one);
  return {
    orderId: order.orderId,
    version: order.version,
    to,
    entry: { at, event, by: 'operator', from: { paymentStatus, buyStatus }, to, ...entry },
    promo: 'keep',
    units: changed,
    serialNumber: serialNumbers(all),
    settles: null,
  };
}

async function readSubject({ store, worldClock }: OperatorDependencies, orderId: string): Promise<Subject> {
  const order = await store.findOrder(orderId);
  if (!order) throw new DomainError('INVOICE_NOT_FOUND');
  return { order, units: await store.findUnits(orderId), at: worldClock() };
}

const changed = (order: StoredOrder, { to, serialNumber }: ChangeOrder): StoredOrder => ({
  ...order,
  ...to,
  serialNumber,
});

/**
 * Carries out a command; it is planned again when the order was changed in between.
 *
 * @throws DomainError INVOICE_NOT_FOUND, or STATE_CONFLICT with the order's state; UnitsError when a unit is in the way.
 */
async function perform(
  deps: OperatorDependencies,
  orderId: string,
  command: OperatorCommand,
): Promise<StoredOrder> {
  for (;;) {
    const subject = await readSubject(deps, orderId);
    const change = planCommand(subject, command);
    if ('done' in (await deps.store.changeOrder(change)))
      return { ...changed(subject.order, change), version: change.version + 1 };
  }
}

/**
 * Records that a paid order is refunded: its delivery failed, or nothing was submitted to the supplier yet.
 *
 * @throws DomainError INVOICE_NOT_FOUND, or STATE_CONFLICT with the order's state; UnitsError when the supplier may have
 * delivered something.
 */
export const refundOrder = (
  deps: OperatorDependencies,
  orderId: string,
  note?: string,
): Promise<StoredOrder> => perform(deps, orderId, { does: 'refund', note });

/**
 * Starts the delivery of an order's failed units again, with a new attempt. Units of unknown or contradicted outcome are
 * never bought again.
 *
 * @throws like {@link refundOrder}; UnitsError when there is no unit to retry.
 */
export const retryOrder = (deps: OperatorDependencies, orderId: string): Promise<StoredOrder> =>
  perform(deps, orderId, { does: 'retry' });

/**
 * Records what an operator found out about a delivery, for the units without a clear outcome: open, unknown or
 * contradicted. When all are clear it corrects those with the other outcome.
 *
 * @throws like {@link refundOrder}; UnitsError when there is nothing to mark.
 */
export const markOrder = (deps: OperatorDependencies, orderId: string, mark: Mark): Promise<StoredOrder> =>
  perform(deps, orderId, { does: 'mark', ...mark });

/**
 * Accepts a payment that did not fit its order; the order is then delivered.
 *
 * @param orderId the order of a payment that was made for no known order; the others have an order
 * @throws DomainError RECONCILIATION_NOT_FOUND, INVOICE_NOT_FOUND, or STATE_CONFLICT with the order's state.
 */
export async function settleReconciliation(
  { store, worldClock }: OperatorDependencies,
  reconciliationId: string,
  orderId = '',
): Promise<StoredOrder> {
  const open = await store.listReconciliations('open');
  const found = open.find((one) => one.reconciliationId === reconciliationId);
  if (!found) throw new DomainError('RECONCILIATION_NOT_FOUND');
  const applied = await applyEvent(store, found.orderId ?? orderId, {
    event: 'settled',
    by: 'operator',
    at: worldClock(),
    settles: reconciliationId,
  });
  if (!applied) throw new DomainError('INVOICE_NOT_FOUND');
  if (!applied.changed) throw stateConflict(applied.order);
  return applied.order;
}

/**
 * Returns the order as an operator's command would change it, without changing it.
 *
 * @throws as the command itself.
 */
export async function previewOrder(
  deps: OperatorDependencies,
  orderId: string,
  command: OperatorCommand | 'settled',
): Promise<StoredOrder> {
  const { order, units, at } = await readSubject(deps, orderId);
  const change =
    command === 'settled'
      ? planChange(order, { event: 'settled', by: 'operator', at })
      : planCommand({ order, units, at }, command);
  if (!change) throw stateConflict(order);
  return changed(order, change);
}

/**
 * Returns the items that count as delivered, and would not after a mark: a retry buys them again.
 *
 * @throws like {@link markOrder}.
 */
export async function previewRevoked(
  deps: OperatorDependencies,
  orderId: string,
  mark: Mark,
): Promise<RevokedItem[]> {
  const { entry } = planCommand(await readSubject(deps, orderId), { does: 'mark', ...mark });
  return entry?.revoked ?? [];
}

/** Returns the uses of a promo, and whether its quota is below them, so that the store would reject it. */
export async function previewPromo(
  store: Store,
  { code, quota }: Promo,
): Promise<{ uses: number; isOverused: boolean }> {
  const { total } = await store.countPromoUses(code, '');
  return { uses: total, isOverused: quota !== null && total > quota };
}
