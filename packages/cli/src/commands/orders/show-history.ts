import { codeAt, type Earnings, earningsOf, isSubmitted, readReconciliations } from '@topup-kit/core/engine';
import type {
  EarlierAttempt,
  HistoryEntry,
  OrderState,
  Reconciliation,
  Refund,
  StoredOrder,
  StoredUnit,
} from '@topup-kit/core/store';
import { supplyReference } from '@topup-kit/core/supplier';
import type { CommandContext } from '../../context.ts';
import { counted, isoTime, isoTimeOrNull, money, timeInColumn, titleWithZone } from '../../output/format.ts';
import type { OutputStyle } from '../../output/style.ts';
import { type Column, type ColumnOf, list, table, tableOf } from '../../output/table.ts';
import { wrap } from '../../output/text.ts';
import { differenceWords, orderMissing, stateWords } from '../../store/from-engine.ts';
import type { OperatorStore, StoreOptions } from '../../store/open.ts';
import { withOrder } from '../../store/order-id.ts';
import { paymentDocument, paymentScreen, refundDocument, refundScreen } from '../payments/records.ts';
import { revokedWords } from './change.ts';
import { orderDocument } from './list.ts';
import { orderScreen, type ShownOrder } from './screen.ts';

const stateDocument = ({ paymentStatus, buyStatus }: OrderState) => ({
  payment_status: paymentStatus,
  buy_status: buyStatus,
});

const referenceAt = (orderId: string, { unit, attempt }: Pick<StoredUnit, 'unit' | 'attempt'>): string =>
  supplyReference({ orderId, unit, attempt });

const attemptDocument = (orderId: string, earlier: EarlierAttempt) => ({
  unit: earlier.unit,
  attempt: earlier.attempt,
  reference: referenceAt(orderId, earlier),
  asked_at: isoTimeOrNull(earlier.askedAt),
  supplier: earlier.supplier,
  supplier_id: earlier.supplierId,
  reason: earlier.reason,
});

/** Returns the amount above the total in the payment that settled an order; negative if it was below the total. */
const differenceOf = ({ pricing }: StoredOrder, { event, amount }: HistoryEntry): number | null =>
  event === 'settled' && amount !== undefined ? amount - pricing.total_price : null;

function historyDocument(order: StoredOrder, entry: HistoryEntry) {
  const { at, event, by, operator, from, to, note, serialNumber, attempts, revoked, amount, fee } = entry;
  const difference = differenceOf(order, entry);
  return {
    at: isoTime(at),
    event,
    by,
    operator: operator ?? null,
    from: stateDocument(from),
    to: stateDocument(to),
    note: note ?? null,
    serial_number: serialNumber ?? null,
    ...(amount !== undefined && { amount }),
    ...(fee !== undefined && { gateway_fee: fee }),
    ...(difference !== null && { difference }),
    ...(attempts && { attempts: attempts.map((attempt) => attemptDocument(order.orderId, attempt)) }),
    ...(revoked && {
      revoked: revoked.map((item) => ({ unit: item.unit, serial_number: item.serialNumber })),
    }),
  };
}

const unitDocument = (order: StoredOrder, unit: StoredUnit) => ({
  unit: unit.unit,
  state: unit.state,
  attempt: unit.attempt,
  product_code: codeAt(order.product, unit.supplier),
  // Before a submission, nothing has this reference.
  reference: isSubmitted(unit) ? referenceAt(order.orderId, unit) : null,
  asked_at: isoTimeOrNull(isSubmitted(unit) ? unit.askedAt : null),
  next_at: isoTimeOrNull(unit.nextAt),
  supplier: unit.supplier,
  supplier_id: unit.supplierId,
  find_by: unit.findBy,
  serial_number: unit.serialNumber,
  cost: unit.cost,
  cost_source: unit.costSource,
  reason: unit.reason,
  contradiction: unit.contradiction,
});

interface OrderHistory {
  order: StoredOrder;
  history: HistoryEntry[];
  units: StoredUnit[];
  refunds: Refund[];
  reconciliations: Reconciliation[];
}

const historyColumns = ({ createdAt }: StoredOrder): Column[] => [
  { title: titleWithZone('WHEN', createdAt) },
  { title: 'EVENT' },
  { title: 'BY', long: true },
  { title: 'PAYMENT / DELIVERY' },
];

/** Minimum width in columns for showing the state before each change, which the previous row already contains. */
const widthForBoth = 100;

/** Creates the rows of the history. The stored history begins with the first change, so the first row shows the order as it was placed. */
function historyRows({ order, history }: OrderHistory, columns = widthForBoth): string[][] {
  const initial = stateWords(history[0]?.from ?? order);
  return [
    [timeInColumn(order.createdAt), 'placed', 'customer', initial],
    ...history.map(({ at, event, by, operator, from, to }) => [
      timeInColumn(at),
      event,
      operator ?? by,
      columns < widthForBoth ? stateWords(to) : `${stateWords(from)} → ${stateWords(to)}`,
    ]),
  ];
}

const unitColumns = ({ createdAt }: StoredOrder): ColumnOf<StoredUnit>[] => [
  [{ title: 'ITEM', align: 'right' }, ({ unit }) => String(unit)],
  [{ title: 'STATE' }, ({ state }) => state],
  [{ title: 'TRY', align: 'right' }, ({ attempt }) => String(attempt)],
  [{ title: 'PROOF OR REASON', long: true }, ({ serialNumber, reason }) => serialNumber ?? reason ?? ''],
  [
    { title: titleWithZone('ASKED NEXT', createdAt) },
    // The server doesn't look up a unit with an unknown outcome unless its supplier is configured again.
    ({ nextAt, state }) => (nextAt === null || state === 'unknown' ? '' : timeInColumn(nextAt)),
  ],
];

/** Describes the refunded amount, and the difference of a payment from the total. */
function amountWords(order: StoredOrder, entry: HistoryEntry): string[] {
  const { at, event, amount = 0 } = entry;
  const difference = differenceOf(order, entry);
  if (event === 'refunded' && amount > 0) return [wrap(`Refunded on ${timeInColumn(at)}: ${money(amount)}.`)];
  if (difference === null || difference === 0) return [];
  const total = money(order.pricing.total_price);
  return [
    wrap(
      `Settled on ${timeInColumn(at)} with ${money(amount)}: ${differenceWords(difference)} its total of ${total}.`,
    ),
  ];
}

/** Formats operators' notes, which are below the table because they may be long. */
const noteWords = ({ at, event, note, serialNumber, revoked }: HistoryEntry): string[] => [
  ...(note === undefined ? [] : [wrap(`Note on ${event} of ${timeInColumn(at)}: ${note}`)]),
  ...(serialNumber === undefined ? [] : [wrap(`Serial number given for it: ${serialNumber}`)]),
  ...(revoked === undefined ? [] : [wrap(`Counted as delivered until then: ${revokedWords(revoked)}.`)]),
];

/** Describes the results of the attempts before a retry, with their references at the supplier. */
const attemptWords = ({ orderId }: StoredOrder, { attempts = [] }: HistoryEntry): string[] =>
  attempts.map((earlier) => {
    const { unit, attempt, askedAt, supplier, supplierId, reason } = earlier;
    const id = supplierId === null ? '' : `, its own id ${supplierId}`;
    const where = supplier === null ? '' : ` at ${supplier}`;
    const when = askedAt === null ? '' : ` of ${timeInColumn(askedAt)}`;
    return wrap(
      `Item ${unit}, try ${attempt}${when} (our reference ${referenceAt(orderId, earlier)}${id}) failed${where}: ${reason ?? ''}`,
    );
  });

/** Describes contradictions that an operator must resolve. */
const contradictionWords = ({ unit, state, contradiction }: StoredUnit): string[] =>
  contradiction === null ? [] : [wrap(`Item ${unit} is ${state}, but: ${contradiction}`)];

/** Describes the data that identifies a purchase at its supplier, because not every supplier stores our reference. */
function tracesOf(order: StoredOrder, unit: StoredUnit): string {
  const { orderId, target } = order;
  const { askedAt, supplierId, findBy } = unit;
  const account = target.server === null ? target.id : `${target.id} (${target.server})`;
  const when = askedAt === null ? '' : ` at about ${timeInColumn(askedAt)}`;
  const traces = [
    ...(supplierId === null ? [] : [`its own id ${supplierId}`]),
    ...(findBy === 'reference' || findBy === null ? [`our reference ${referenceAt(orderId, unit)}`] : []),
    ...(findBy === 'reference' ? [] : [`${codeAt(order.product, unit.supplier)} to ${account}${when}`]),
  ];
  return traces.join(', or ');
}

/** Describes where to find a submitted item without an outcome. */
const pendingWords = (order: StoredOrder, unit: StoredUnit): string =>
  wrap(
    `Item ${unit.unit} was submitted to ${unit.supplier ?? 'the supplier'}, product ${codeAt(order.product, unit.supplier)}, and has no outcome yet. In the supplier's dashboard, look for ${tracesOf(order, unit)}.`,
  );

/** Describes the next step for an item with an unknown outcome. */
function unknownWords(
  order: StoredOrder,
  unit: StoredUnit,
  commandLine: OperatorStore['commandLine'],
): string {
  const words = wrap(
    `The outcome of item ${unit.unit}, product ${codeAt(order.product, unit.supplier)}, is unknown, so it is not bought again. Look at ${unit.supplier ?? 'the supplier'} for ${tracesOf(order, unit)}.`,
  );
  if (unit.findBy === 'reference') return words;
  return `${words}The callbacks that match no order may include its callback:\n${commandLine('callbacks list --outcome unmatched')}\n`;
}

/** Formats the events of an order, its units and its unmatched payments. */
async function historyScreen(
  stored: OrderHistory,
  style: OutputStyle,
  commandLine: OperatorStore['commandLine'],
): Promise<string> {
  const { order, history, units, refunds, reconciliations } = stored;
  return [
    table(historyColumns(order), historyRows(stored, style.columns), style),
    ...history.flatMap((entry) => [...amountWords(order, entry), ...noteWords(entry)]),
    ...history.flatMap((entry) => attemptWords(order, entry)),
    ...(units.length === 0 ? [] : [tableOf(unitColumns(order), units, style)]),
    ...units.filter(({ state }) => state === 'asked').map((unit) => pendingWords(order, unit)),
    ...units.filter(({ state }) => state === 'unknown').map((unit) => unknownWords(order, unit, commandLine)),
    ...units.flatMap(contradictionWords),
    ...(await Promise.all(refunds.map((refund) => refundScreen(refund)))),
    ...(await Promise.all(reconciliations.map(paymentScreen))),
  ].join('\n');
}

const earnedDocument = (earned: Earnings) => ({
  turnover: earned.turnover,
  returned: earned.returned,
  gateway_fees: earned.gatewayFees,
  cost: earned.cost,
  units_without_cost: earned.unknownCosts,
  profit: earned.profit,
});

const earnedScreen = (earned: Earnings): string =>
  list([
    ['Turnover', money(earned.turnover)],
    ['Returned', money(earned.returned)],
    ['Gateway fees', money(earned.gatewayFees)],
    ['Cost', money(earned.cost)],
    ['Cost unknown', earned.unknownCosts === 0 ? null : `of ${counted(earned.unknownCosts, 'item')}`],
    ['Profit', money(earned.profit)],
  ]);

const refundedOf = (refunds: readonly Refund[]): number =>
  refunds.reduce((sum, { state, amount }) => (state === 'cancelled' ? sum : sum + amount), 0);

/** Converts an order without serial numbers, which the units show, and without the server's URLs, which the store doesn't contain. */
const shownOrder = (order: StoredOrder, refunds: readonly Refund[]): ShownOrder => ({
  orderId: order.orderId,
  paymentStatus: order.paymentStatus,
  buyStatus: order.buyStatus,
  createdAt: order.createdAt,
  accountId: order.accountId,
  contact: [order.contact.whatsapp, order.contact.email].filter(Boolean).join(', '),
  game: order.game.title,
  product: order.product.title,
  account: order.target.id,
  server: order.target.server,
  nickname: order.target.nickname,
  pricing: order.pricing,
  refundAmount: refunds.length === 0 ? undefined : refundedOf(refunds),
  payment: {
    method: order.paymentMethod.name,
    code: order.payment.qrString === null ? (order.payment.code ?? order.payment.reference) : null,
    qrUrl: null,
    pageUrl: order.payment.url,
    before: order.expiresAt,
  },
});

/** Prints an order from the store with its history. */
export const showWithHistory = (context: CommandContext, id: string, options: StoreOptions): Promise<void> =>
  withOrder(context, options, id, async ({ store, path, commandLine }, orderId) => {
    const order = await store.findOrder(orderId);
    if (!order) throw orderMissing({ orderId, path, commandLine });
    const [history, units, refunds, payments] = await Promise.all([
      store.findHistory(orderId),
      store.findUnits(orderId),
      store.findRefunds(orderId),
      readReconciliations(store, order),
    ]);
    const earned = earningsOf({ order, history, units, refunds, reconciliations: payments });
    const reconciliations = payments.filter((payment) => payment.orderId === orderId);
    const document = {
      ...orderDocument(order),
      earned: earned && earnedDocument(earned),
      history: history.map((entry) => historyDocument(order, entry)),
      units: units.map((unit) => unitDocument(order, unit)),
      refunds: refunds.map(refundDocument),
      reconciliations: reconciliations.map(paymentDocument),
    };
    await context.print({
      document,
      ids: [orderId],
      screen: async (style) =>
        [
          await orderScreen(shownOrder(order, refunds), style),
          await historyScreen({ order, history, units, refunds, reconciliations }, style, commandLine),
          ...(earned ? [earnedScreen(earned)] : []),
        ].join('\n'),
    });
  });
