import type { BuyStatus, FailureReason, InvoiceOrder, PaymentStatus, Pricing } from '@topup-kit/sdk';
import type { CommandContext } from '../../context.ts';
import type { Io } from '../../io.ts';
import { money, numberText, readableTime } from '../../output/format.ts';
import type { Result } from '../../output/print.ts';
import { type OutputStyle, safeScreen, statusStyle, styleOf } from '../../output/style.ts';
import { type Column, list, table } from '../../output/table.ts';
import { connect } from '../../service/client.ts';

/** Data of an order to show, from a response or from the store. */
export interface ShownOrder {
  orderId: string;
  paymentStatus: PaymentStatus;
  buyStatus: BuyStatus;
  createdAt?: string | number | undefined;
  /** Account whose key placed the order. */
  accountId?: string | undefined;
  contact?: string | undefined;
  game: string;
  product: string;
  account: string;
  server: string | null | undefined;
  nickname: string | null | undefined;
  serialNumber?: string | undefined;
  pricing: Pricing;
  failureReason?: FailureReason | undefined;
  /** Amount that a refunded customer gets back. */
  refundAmount?: number | undefined;
  payment: {
    method: string;
    /** Payment code; null if it is meaningless to people. */
    code: string | null;
    /** Text of the QR code, which is drawn while the order can be paid. */
    qrString?: string | undefined;
    qrUrl: string | null | undefined;
    pageUrl: string | null;
    /** Expiry, in ISO 8601 or in unix milliseconds. */
    before: string | number;
  };
}

const failures: ReadonlyMap<FailureReason, string> = new Map([
  ['account_not_found', 'there is no such account: check its id and server'],
  ['region_mismatch', 'the product is for accounts of another region'],
  ['product_unavailable', 'the product is closed, or out of stock at the supplier'],
  ['supplier_failed', 'the supplier could not deliver'],
]);

/** Describes why a delivery failed; newer services may send other reasons. */
export const failureWords = (reason: FailureReason): string => failures.get(reason) ?? reason;

const priceColumns: Column[] = [{}, { align: 'right' }, { align: 'right' }, { align: 'right' }];

function priceTable({ pricing, payment, refundAmount }: ShownOrder, style: OutputStyle): string {
  const times = `× ${numberText(pricing.quantity)}`;
  const promo = [
    [
      `Promo ${pricing.promo_code ?? ''}`,
      money(-pricing.unit_discount),
      times,
      money(-pricing.promo_discount),
    ],
    ['After promo', money(pricing.unit_price_after_promo), times, money(pricing.subtotal_after_promo)],
  ];
  return table(
    priceColumns,
    [
      ['Price', money(pricing.unit_price_before_promo), times, money(pricing.subtotal_before_promo)],
      ...(pricing.has_promo ? promo : []),
      [`Fee of ${payment.method}`, '', '', money(pricing.payment_fee)],
      ...(pricing.unique_code === 0 ? [] : [['Unique code', '', '', money(pricing.unique_code)]]),
      ['Total', '', '', money(pricing.total_price)],
      ...(refundAmount === undefined ? [] : [['Refund', '', '', money(refundAmount)]]),
    ],
    { ...style, indent: 2 },
  );
}

/** Describes how to pay. Omits a code that repeats the QR code or the page, and returns nothing if the order can't be paid any more. */
function howToPay({ paymentStatus, createdAt, payment, pricing }: ShownOrder, style: OutputStyle): string {
  const { method, code, qrUrl, pageUrl, before } = payment;
  if (paymentStatus !== 'UNPAID') return list([['Method', method]]);
  return list(
    [
      ['Pay with', method],
      ['Code', qrUrl || code === pageUrl ? null : code, 'title'],
      ['Amount', pricing.unique_code > 0 ? `${money(pricing.total_price)}, to the last digit` : null],
      ['QR code', qrUrl, 'address'],
      ['Page', pageUrl, 'address'],
      ['Before', readableTime(before, typeof createdAt === 'string' ? createdAt : undefined)],
    ],
    style,
  );
}

const qrTextOf = ({ paymentStatus, payment: { qrString } }: ShownOrder): string | undefined =>
  (paymentStatus === 'UNPAID' && qrString) || undefined;

/** Draws the QR code; empty without a terminal, or if the terminal is too narrow. */
async function qrPicture(order: ShownOrder, style: OutputStyle): Promise<string[]> {
  const text = qrTextOf(order);
  if (text === undefined || style.columns === undefined) return [];
  const { qrCode } = await import('../../output/qr.ts');
  const picture = qrCode(text, style);
  return picture === undefined ? [] : [picture];
}

const inBrackets = (name: string, value: string | null | undefined): string =>
  value ? ` (${name} ${value})` : '';

const placed = ({ createdAt, accountId }: ShownOrder): string | undefined =>
  createdAt === undefined ? undefined : readableTime(createdAt) + inBrackets('account', accountId);

const idLine = (orderId: string, style: OutputStyle): string => list([['Order', orderId, 'title']], style);

export const orderScreen = async (order: ShownOrder, style: OutputStyle): Promise<string> =>
  idLine(order.orderId, style) + (await belowId(order, style));

async function belowId(order: ShownOrder, style: OutputStyle): Promise<string> {
  const { server, nickname } = order;
  return [
    list(
      [
        ['Payment', order.paymentStatus, statusStyle(order.paymentStatus)],
        ['Delivery', order.buyStatus, statusStyle(order.buyStatus)],
        ['Reason', order.failureReason && failureWords(order.failureReason)],
        ['Proof', order.serialNumber],
        ['Placed', placed(order)],
      ],
      style,
    ),
    list([
      ['Game', order.game],
      ['Product', order.product],
      ['Account', order.account + inBrackets('server', server)],
      ['Nickname', nickname],
      ['Contact', order.contact],
    ]),
    priceTable(order, style),
    howToPay(order, style),
    ...(await qrPicture(order, style)),
  ].join('\n');
}

export const shownInvoice = (order: InvoiceOrder): ShownOrder => ({
  orderId: order.order_id,
  paymentStatus: order.payment_status,
  buyStatus: order.buy_status,
  createdAt: order.created_at,
  game: order.games,
  product: order.product,
  account: order.id_games,
  server: order.server_games,
  nickname: order.nickname,
  serialNumber: order.serial_number,
  pricing: order.pricing,
  failureReason: order.failure_reason,
  refundAmount: order.refund_amount,
  payment: {
    method: order.payment_name,
    code: order.payment_code,
    qrString: order.qr_string,
    qrUrl: order.qr_image_url,
    pageUrl: order.payment_url,
    before: order.expired_time * 1000,
  },
});

interface OrderResult extends Pick<Result, 'document'> {
  orderId: string;
  /** Returns the order. Called only if the screen is printed. */
  order(): ShownOrder | Promise<ShownOrder>;
}

/** Returns the number of columns that the QR code needs, if the terminal has fewer. */
async function missingColumns(order: ShownOrder, io: Io): Promise<number | undefined> {
  const { columns } = styleOf(io, io.stdout);
  const text = qrTextOf(order);
  if (text === undefined || columns === undefined) return undefined;
  const { qrColumns } = await import('../../output/qr.ts');
  const needed = qrColumns(text);
  return needed !== undefined && needed > columns ? needed : undefined;
}

/** Prints an order, and adds a note if the terminal is too narrow for its QR code. */
export async function printOrder(
  context: CommandContext,
  { document, orderId, order }: OrderResult,
  print = context.print,
): Promise<void> {
  let shown: ShownOrder | undefined;
  await print({
    document,
    ids: [orderId],
    async screen(style) {
      // Printed immediately, so that the id is known even if a later step fails.
      const { io } = context;
      await io.stdout.write(await safeScreen((own) => idLine(orderId, own), styleOf(io, io.stdout)));
      shown = await order();
      return belowId(shown, style);
    },
  });
  const needed = shown && (await missingColumns(shown, context.io));
  if (needed !== undefined)
    context.remark(`\nA terminal of ${needed} columns or more shows the QR code as well.`);
}

export async function printInvoice(
  context: CommandContext,
  orderId: string,
  shown: (order: InvoiceOrder) => ShownOrder,
): Promise<void> {
  const service = await connect(context);
  const response = await service.ask((client, options) => client.invoices.get(orderId, options));
  await printOrder(context, {
    document: response,
    // If a service omits the id, the response is about the requested order.
    orderId: response.order.order_id || orderId,
    order: () => shown(response.order),
  });
}
