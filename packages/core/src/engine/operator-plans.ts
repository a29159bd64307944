import type { Localised } from '../contract/index.ts';
import {
  type ChangeOrder,
  type HistoryEntry,
  isErased,
  type OrderState,
  type StoredOrder,
  type StoredUnit,
} from '../store/index.ts';
import { isHeldUp } from './delivery/results.ts';
import { OperatorError } from './errors.ts';
import { withChanged } from './orders/change-order.ts';
import { stateConflict, waiting } from './orders/states.ts';
import { AmountError, planRefunds, type RefundAmount, type RefundRecords, refundBalance } from './refunds.ts';

export interface MarkOrderInput {
  outcome: 'delivered' | 'failed';
  /** The source of the operator's information. */
  note: string;
  /** The proof of delivery. */
  serialNumber?: string | undefined;
  /** The number of the unit to mark; by default, all units without a clear outcome are marked. */
  unit?: number | undefined;
}

/** A refund of an order. Its amount is a number in the smallest unit, the whole rest, or by default the amount owed. */
export interface RefundOrder {
  amount?: RefundAmount;
  /** The reason, or the way in which the money is paid. */
  note?: string | undefined;
}

/** Retries the failed units of an order. */
export interface RetryOrder {
  note?: string | undefined;
  /** Maximum loss per unit, relative to its price in the order without a promo code: integer in the smallest unit, 0 by default. */
  maxLoss?: number | undefined;
}

export type OperatorCommand =
  | ({ does: 'refund' } & RefundOrder)
  | ({ does: 'retry' } & RetryOrder)
  | ({ does: 'mark' } & MarkOrderInput);

/** Reasons why it is unclear which units were delivered. */
const unclear = {
  contradicted: {
    id: 'Laporan pemasok saling bertentangan, jadi tidak jelas apa yang terkirim',
    en: "The supplier contradicted itself, so it isn't clear what was delivered",
  },
  submitted: {
    id: 'Pemasok mungkin sudah mengirim pesanan ini',
    en: 'The supplier may have delivered the order',
  },
  'partly-delivered': { id: 'Sebagian pesanan sudah terkirim', en: 'Part of the order was delivered' },
  'delivered-after-failure': {
    id: 'Pemasok melaporkan pengiriman setelah pengirimannya gagal',
    en: 'The supplier reported a delivery after it had failed',
  },
  unknown: {
    id: 'Tidak diketahui apakah pemasok sudah mengirim, jadi jika dikirim ulang, pesanan bisa terkirim dua kali',
    en: 'It is unknown whether the supplier delivered, so a retry could deliver twice',
  },
} satisfies Record<string, Localised>;

/** The error for a command that an order's units (`units`) don't allow. Its message has the reason and the next step. */
export class UnitsError extends OperatorError {
  override readonly name = 'UnitsError';
  readonly words: () => Localised;
  readonly next: 'mark' | 'wait' | 'none';
  readonly units: readonly number[];

  constructor(words: Localised, next: UnitsError['next'], units: readonly StoredUnit[] = []) {
    super(words.en);
    this.words = () => words;
    this.next = next;
    this.units = units.map(numberOf);
  }
}

/** Returns the error for an erased order, whose recipient is no longer known; null for any other order. */
export function erasedError(order: StoredOrder): UnitsError | null {
  if (!isErased(order)) return null;
  const words = {
    id: 'Data pribadi pesanan ini sudah dihapus, jadi tidak ada lagi yang bisa dikirim untuknya.',
    en: 'Its personal data was erased, so nothing can be delivered for it any more.',
  };
  return new UnitsError(words, 'none');
}

/** Data that a command needs, read at the same time. */
export interface Subject extends RefundRecords {
  order: StoredOrder;
  /** Time of the command, in unix milliseconds of world time. */
  at: number;
  operator: string;
}

/** Writes unit numbers such as `item 2` or `items 1, 3`. */
export const itemWords = (units: readonly number[]): Localised => ({
  id: `barang ${units.join(', ')}`,
  en: `item${units.length === 1 ? '' : 's'} ${units.join(', ')}`,
});

const numberOf = ({ unit }: StoredUnit): number => unit;

export const isOpen = ({ state }: Pick<StoredUnit, 'state'>): boolean =>
  state !== 'delivered' && state !== 'failed';
const isContradicted = ({ contradiction }: StoredUnit): boolean => contradiction !== null;

/** Rejects units whose outcome an operator must find out first. */
function rejectUnclear(units: readonly StoredUnit[], is: keyof typeof unclear): void {
  if (units.length === 0) return;
  const items = itemWords(units.map(numberOf));
  const words = {
    id: `${unclear[is].id}: ${items.id}. Cari tahu di pemasok, lalu tandai pesanannya.`,
    en: `${unclear[is].en}: ${items.en}. Ask the supplier, then mark the order.`,
  };
  throw new UnitsError(words, 'mark', units);
}

interface Planned {
  event: HistoryEntry['event'];
  to: OrderState;
  units: StoredUnit[];
  entry?: Pick<HistoryEntry, 'note' | 'serialNumber' | 'attempts' | 'maxLoss' | 'revoked' | 'amount'>;
  refunds?: Pick<ChangeOrder, 'refunds' | 'settles'>;
}

/**
 * Plans a refund. It is possible if nothing can have been bought for the order, or if the order has an outcome. A delivered order stays
 * PAID / Sukses. Nothing is owed for it, so the operator gives the amount (decisions/040). A refunded order is refunded again if more is
 * owed because less was delivered than reported, or if an operator asks for it.
 */
function planRefund(subject: Subject, { amount: asked, note }: RefundOrder): Planned {
  const { order, units, refunds, at, operator } = subject;
  rejectUnclear(units.filter(isContradicted), 'contradicted');
  const open = units.filter(isOpen);
  rejectUnclear(
    open.filter(({ state }) => state !== 'waiting'),
    'submitted',
  );
  if (open.length > 0)
    rejectUnclear(
      units.filter(({ state }) => state === 'delivered'),
      'partly-delivered',
    );
  const decision = { at, operator, note: note ?? null };
  const { amount, ...planned } = planRefunds(order.orderId, refundBalance(order, subject), {
    asked,
    refunds,
    ...decision,
  });
  const isDelivered = order.buyStatus === 'Sukses';
  if (amount === 0 && isDelivered) throw new AmountError('nothing-owed', 0, 0);
  // A free order has nothing to pay back, but a refund still closes it.
  if (amount === 0 && order.paymentStatus === 'REFUND') throw stateConflict(order);
  const reason = 'Not submitted, because the order was refunded.';
  return {
    event: 'refunded',
    to: isDelivered
      ? { paymentStatus: order.paymentStatus, buyStatus: order.buyStatus }
      : { paymentStatus: 'REFUND', buyStatus: 'Gagal' },
    units: open.map((unit) => ({ ...unit, state: 'failed', nextAt: null, reason })),
    entry: { amount, ...(note !== undefined && { note }) },
    refunds: planned,
  };
}

/**
 * Plans a retry: failed units get a new attempt, and waiting units that certainly were not bought are submitted. All other units keep their
 * schedule, which already asks as often as the supplier allows.
 */
function planRetry({ units, at }: Subject, { note, maxLoss }: RetryOrder): Planned {
  const failed = units.filter(({ state }) => state === 'failed');
  const again = failed.filter((unit) => !isContradicted(unit));
  const held = units.filter(isHeldUp).map((unit) => ({ ...unit, nextAt: at }));
  if (again.length + held.length === 0) {
    rejectUnclear(failed, 'delivered-after-failure');
    rejectUnclear(
      units.filter(({ state }) => state === 'unknown'),
      'unknown',
    );
    const open = units.filter(isOpen);
    const items = itemWords(open.map(numberOf));
    const words = {
      id: `Tidak ada barang yang gagal, jadi tidak ada yang perlu dikirim ulang: server menanyakan ${items.id} sesering yang diizinkan pemasok.`,
      en: `No item failed, so there is nothing to retry. The server asks for the outcome of ${items.en} as often as the supplier allows.`,
    };
    throw new UnitsError(words, 'wait', open);
  }
  return {
    event: 'retried',
    to: { paymentStatus: 'PAID', buyStatus: 'Proses' },
    units: [...again.map(({ unit, attempt }) => waiting(unit, attempt + 1, at)), ...held],
    entry: {
      ...(note !== undefined && { note }),
      ...(maxLoss !== undefined && { maxLoss }),
      attempts: again.map(({ unit, attempt, askedAt, supplier, supplierId, reason }) => ({
        unit,
        attempt,
        askedAt,
        supplier,
        supplierId,
        reason,
      })),
    },
  };
}

const outcomeWords: Record<MarkOrderInput['outcome'], string> = { delivered: 'terkirim', failed: 'gagal' };

function markedUnit(
  units: readonly StoredUnit[],
  { outcome, unit }: Pick<MarkOrderInput, 'outcome'> & { unit: number },
): StoredUnit[] {
  const chosen = units.find((item) => item.unit === unit);
  if (!chosen) {
    const words = {
      id: `Pesanan ini tidak punya barang ${unit}: barangnya bernomor 1 sampai ${units.length}.`,
      en: `The order has no item ${unit}: it has the items 1 to ${units.length}.`,
    };
    throw new UnitsError(words, 'none');
  }
  if (chosen.state === outcome && !isContradicted(chosen)) {
    const words = {
      id: `Barang ${unit} sudah ditandai ${outcomeWords[outcome]}.`,
      en: `Item ${unit} is marked as ${outcome} already.`,
    };
    throw new UnitsError(words, 'none', [chosen]);
  }
  return [chosen];
}

/** Returns the units to mark: those without a clear outcome, or if all outcomes are clear, those with the other outcome. */
function markedUnits(units: readonly StoredUnit[], { outcome, unit }: MarkOrderInput): StoredUnit[] {
  if (unit !== undefined) return markedUnit(units, { outcome, unit });
  const unclear = units.filter((unit) => isOpen(unit) || isContradicted(unit));
  return unclear.length > 0 ? unclear : units.filter(({ state }) => state !== outcome);
}

function marked(
  unit: StoredUnit,
  { outcome, note }: MarkOrderInput,
  serialNumber: string | null,
): StoredUnit {
  const settled = { nextAt: null, contradiction: null, waitsFor: null };
  const common = { ...unit, ...settled, state: outcome, reason: note };
  if (outcome === 'delivered')
    return { ...common, serialNumber: serialNumber ?? unit.serialNumber, failureKind: null };
  return { ...common, serialNumber: null, failureKind: unit.failureKind ?? 'supplier_failed' };
}

/** Returns the state of an order once all its units have an outcome. A refunded order stays refunded, whatever was delivered. */
function markedState({ paymentStatus, buyStatus }: OrderState, units: readonly StoredUnit[]): OrderState {
  if (paymentStatus === 'REFUND') return { paymentStatus, buyStatus };
  if (units.some(isOpen)) return { paymentStatus, buyStatus: 'Proses' };
  const isDelivered = units.every(({ state }) => state === 'delivered');
  return { paymentStatus, buyStatus: isDelivered ? 'Sukses' : 'Gagal' };
}

const markEffects: Record<MarkOrderInput['outcome'], Localised> = {
  delivered: {
    id: 'terkirim: barang yang belum pasti atau bertentangan tidak dibeli lagi.',
    en: 'delivered, so open or contradicted items are not bought again.',
  },
  failed: {
    id: 'gagal: barang yang belum pasti atau bertentangan tidak ditanyakan lagi.',
    en: 'failed, so the server no longer asks about open or contradicted items.',
  },
};

/** Describes the marking of units. */
export const markWords = (orderId: string, { outcome, unit }: MarkOrderInput): Localised =>
  unit === undefined
    ? {
        id: `${orderId} akan dicatat sebagai ${markEffects[outcome].id}`,
        en: `${orderId} will be recorded as ${markEffects[outcome].en}`,
      }
    : {
        id: `Barang ${unit} dari ${orderId} akan dicatat sebagai ${outcomeWords[outcome]}.`,
        en: `Item ${unit} of ${orderId} will be recorded as ${outcome}.`,
      };

function planMark({ order, units }: Subject, mark: MarkOrderInput): Planned {
  const { outcome, note, serialNumber } = mark;
  if (order.paymentStatus === 'REFUND' && !units.some(isContradicted)) throw stateConflict(order);
  const chosen = markedUnits(units, mark);
  if (chosen.length === 0) {
    const words = {
      id: `Semua barang pesanan ini sudah ditandai ${outcomeWords[outcome]}.`,
      en: `Every item of the order is marked as ${outcome} already.`,
    };
    throw new UnitsError(words, 'none');
  }
  // The same text may prove the delivery of several units, so the order shows it once.
  const after = chosen.map((unit, index) => marked(unit, mark, index === 0 ? (serialNumber ?? null) : null));
  const revoked = chosen.flatMap(({ state, unit, serialNumber: proof }) =>
    outcome === 'failed' && state === 'delivered' ? [{ unit, serialNumber: proof }] : [],
  );
  return {
    event: outcome === 'delivered' ? 'delivered' : 'undelivered',
    to: markedState(order, withChanged(units, after)),
    units: after,
    entry: {
      note,
      ...(serialNumber !== undefined && { serialNumber }),
      ...(revoked.length > 0 && { revoked }),
    },
  };
}

/** Plans a command for an order and its units. Throws if they don't allow it. */
export function planOf(subject: Subject, command: OperatorCommand): Planned {
  if (command.does === 'refund') return planRefund(subject, command);
  return command.does === 'retry' ? planRetry(subject, command) : planMark(subject, command);
}
