import { Option } from '@commander-js/extra-typings';
import { buyStatuses, paymentStatuses } from '@topup-kit/core/contract';
import type { NewCommand } from '../../define-command.ts';
import { money, shortTime, timeInColumn, titleWithZone } from '../../output/format.ts';
import { type OutputStyle, statusStyle } from '../../output/style.ts';
import { type ColumnOf, tableOf } from '../../output/table.ts';

export const withStatusFlags = (command: NewCommand) =>
  command
    .addOption(
      new Option('--payment-status <status>', 'only orders with this payment status').choices(
        paymentStatuses,
      ),
    )
    .addOption(
      new Option('--buy-status <status>', 'only orders with this delivery status').choices(buyStatuses),
    );

interface OrderRow {
  orderId: string;
  paymentStatus: string;
  buyStatus: string;
  total: number;
  /** Time of creation in unix milliseconds; NaN if it is not known. */
  createdAt: number;
  /** Account; undefined in a list of one account. */
  account?: string;
  product: string;
  /** Quantity; undefined in a list without quantities. */
  quantity?: number;
  game: string;
  /** Phone number of the customer; undefined in a list without numbers. */
  customer?: string;
}

/** Minimum widths in columns for times, and for times with year and second. */
const widthForTimes = 80;
const widthForLongTimes = 110;

type OrderColumn = ColumnOf<OrderRow>;

const state: OrderColumn[] = [
  [{ title: 'ORDER' }, ({ orderId }) => orderId],
  [{ title: 'PAYMENT', style: statusStyle }, ({ paymentStatus }) => paymentStatus],
  [{ title: 'DELIVERY', style: statusStyle }, ({ buyStatus }) => buyStatus],
  [{ title: 'TOTAL', align: 'right', spare: 'soon' }, ({ total }) => money(total)],
];

const isDated = ({ createdAt }: OrderRow): boolean => !Number.isNaN(createdAt);

/** Returns the column of the creation. Without a known time there is no column, because its title needs the zone at that time. */
const created = (dated: OrderRow | undefined, columns: number): OrderColumn[] =>
  dated === undefined
    ? []
    : [
        [
          { title: titleWithZone(columns < widthForLongTimes ? 'TIME' : 'CREATED', dated.createdAt) },
          (order) =>
            isDated(order) ? (columns < widthForLongTimes ? shortTime : timeInColumn)(order.createdAt) : '',
        ],
      ];

const what: OrderColumn[] = [
  [{ title: 'CUSTOMER', spare: 'soon' }, ({ customer = '' }) => customer],
  [
    { title: 'PRODUCT', long: true, spare: true },
    ({ product, quantity = 1, game }) => `${product}${quantity === 1 ? '' : ` × ${quantity}`} · ${game}`,
  ],
  [{ title: 'ACCOUNT', long: true, spare: 'soon' }, ({ account = '' }) => account],
];

/** Formats one line per order; empty without orders. */
export function ordersTable(orders: readonly OrderRow[], style: OutputStyle): string {
  const { columns = Number.POSITIVE_INFINITY } = style;
  const times = columns < widthForTimes ? [] : created(orders.find(isDated), columns);
  // With only one account, the column is useless.
  const isOneAccount = new Set(orders.map(({ account }) => account)).size <= 1;
  const shown = [...state, ...times, ...(isOneAccount ? what.slice(0, -1) : what)];
  return tableOf(shown, orders, style);
}
