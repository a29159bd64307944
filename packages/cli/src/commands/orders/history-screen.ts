import type {
  HistoryEntry,
  OrderState,
  Reconciliation,
  StoredOrder,
  StoredUnit,
} from '@topup-kit/core/store';
import { timeInColumn, titleWithZone } from '../../output/format.ts';
import type { Look } from '../../output/style.ts';
import { type Column, table } from '../../output/table.ts';
import { reconciliationScreen } from './reconciliation-screen.ts';

export interface OrderPast {
  order: StoredOrder;
  history: HistoryEntry[];
  units: StoredUnit[];
  reconciliations: Reconciliation[];
}

const historyColumns = ({ createdAt }: StoredOrder): Column[] => [
  { title: titleWithZone('WHEN', createdAt) },
  { title: 'EVENT' },
  { title: 'BY' },
  { title: 'PAYMENT / DELIVERY' },
];

const stateWords = ({ paymentStatus, buyStatus }: OrderState): string => `${paymentStatus} / ${buyStatus}`;

/** The stored history begins with the first change; how the order began is its first line here. */
function historyRows({ order, history }: OrderPast): string[][] {
  const initial = stateWords(history[0]?.from ?? order);
  return [
    [timeInColumn(order.createdAt), 'placed', 'customer', initial],
    ...history.map(({ at, event, by, from, to }) => [
      timeInColumn(at),
      event,
      by,
      `${stateWords(from)} → ${stateWords(to)}`,
    ]),
  ];
}

const unitColumns = ({ createdAt }: StoredOrder): Column[] => [
  { title: 'ITEM', align: 'right' },
  { title: 'STATE' },
  { title: 'TRY', align: 'right' },
  { title: 'PROOF OR REASON', long: true },
  { title: titleWithZone('ASKED NEXT', createdAt) },
];

const unitRow = ({ unit, state, attempt, serialNumber, reason, nextAt }: StoredUnit): string[] => [
  String(unit),
  state,
  String(attempt),
  serialNumber ?? reason ?? '',
  nextAt === null ? '' : timeInColumn(nextAt),
];

/** What happened to an order, how its items are coming along, and money that could not be matched. */
export function historyScreen(past: OrderPast, look: Look): string {
  const { order, units, reconciliations } = past;
  return [
    table(historyColumns(order), historyRows(past), look),
    ...(units.length === 0 ? [] : [table(unitColumns(order), units.map(unitRow), look)]),
    ...reconciliations.map(reconciliationScreen),
  ].join('\n');
}
