import type { BuyStatus, PaymentStatus, Pricing } from '@topup-kit/sdk';
import { money, readableTime } from '../../output/format.ts';
import { qrCode } from '../../output/qr.ts';
import { type Look, statusStyle } from '../../output/style.ts';
import { type Column, list, table } from '../../output/table.ts';

/** What people want to know of an order, new or old. */
export interface ShownOrder {
  orderId: string;
  paymentStatus: PaymentStatus;
  buyStatus: BuyStatus;
  createdAt?: string | number | undefined;
  /** Whose key placed it. */
  accountId?: string | undefined;
  contact?: string | undefined;
  game: string;
  product: string;
  account: string;
  server: string | null | undefined;
  nickname: string | null | undefined;
  serialNumber?: string | undefined;
  pricing: Pricing;
  payment: {
    method: string;
    /** Null where it says nothing to people. */
    code: string | null;
    /** What the QR picture says, to be drawn while the order can be paid. */
    qrString?: string | undefined;
    /** Where a picture of the QR code is, for methods that have one. */
    qrUrl: string | null | undefined;
    pageUrl: string | null;
    /** ISO 8601, or unix milliseconds. */
    before: string | number;
  };
}

const priceColumns: Column[] = [{}, { align: 'right' }, { align: 'right' }, { align: 'right' }];

function priceTable({ pricing, payment }: ShownOrder, look: Look): string {
  const times = `× ${pricing.quantity}`;
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
    ],
    { ...look, indent: 2 },
  );
}

/** A code that says no more than the QR picture or the page does is left out; so is how to pay what nobody can pay. */
function howToPay({ paymentStatus, payment }: ShownOrder, look: Look): string {
  const { method, code, qrUrl, pageUrl, before } = payment;
  if (paymentStatus !== 'UNPAID') return list([['Method', method]]);
  return list(
    [
      ['Pay with', method],
      ['Code', qrUrl || code === pageUrl ? null : code, 'title'],
      ['QR code', qrUrl, 'address'],
      ['Page', pageUrl, 'address'],
      ['Before', readableTime(before)],
    ],
    look,
  );
}

/** What the QR code says by which an order can be paid now. */
export const qrTextOf = ({ paymentStatus, payment: { qrString } }: ShownOrder): string | undefined =>
  (paymentStatus === 'UNPAID' && qrString) || undefined;

/** The QR code itself, where there is room for it. */
function qrPicture(order: ShownOrder, look: Look): string[] {
  const text = qrTextOf(order);
  const picture = text === undefined ? undefined : qrCode(text, look);
  return picture === undefined ? [] : [picture];
}

const inBrackets = (name: string, value: string | null | undefined): string =>
  value ? ` (${name} ${value})` : '';

const placed = ({ createdAt, accountId }: ShownOrder): string | undefined =>
  createdAt === undefined ? undefined : readableTime(createdAt) + inBrackets('account', accountId);

export function orderScreen(order: ShownOrder, look: Look): string {
  const { server, nickname } = order;
  return [
    list(
      [
        ['Order', order.orderId, 'title'],
        ['Payment', order.paymentStatus, statusStyle(order.paymentStatus)],
        ['Delivery', order.buyStatus, statusStyle(order.buyStatus)],
        ['Proof', order.serialNumber],
        ['Placed', placed(order)],
      ],
      look,
    ),
    list([
      ['Game', order.game],
      ['Product', order.product],
      ['Account', order.account + inBrackets('server', server)],
      ['Nickname', nickname],
      ['Contact', order.contact],
    ]),
    priceTable(order, look),
    howToPay(order, look),
    ...qrPicture(order, look),
  ].join('\n');
}
