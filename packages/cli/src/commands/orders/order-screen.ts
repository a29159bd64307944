import type { BuyStatus, PaymentStatus, Pricing } from '@topup-kit/sdk';
import { money } from '../../output/money.ts';
import { type Column, list, table } from '../../output/table.ts';
import { readableTime } from '../../output/times.ts';

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
    /** Where a picture of the QR code is, for methods that have one. */
    qrUrl: string | null | undefined;
    pageUrl: string | null;
    /** ISO 8601, or unix milliseconds. */
    before: string | number;
  };
}

const priceColumns: Column[] = [{}, { align: 'right' }, { align: 'right' }, { align: 'right' }];

function priceTable({ pricing, payment }: ShownOrder): string {
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
    { indent: 2 },
  );
}

/** A code that says no more than the QR picture or the page does is left out. */
function howToPay({ payment: { method, code, qrUrl, pageUrl, before } }: ShownOrder): string {
  return list([
    ['Pay with', method],
    ['Code', qrUrl || code === pageUrl ? null : code],
    ['QR code', qrUrl],
    ['Page', pageUrl],
    ['Before', readableTime(before)],
  ]);
}

const inBrackets = (name: string, value: string | null | undefined): string =>
  value ? ` (${name} ${value})` : '';

const placed = ({ createdAt, accountId }: ShownOrder): string | undefined =>
  createdAt === undefined ? undefined : readableTime(createdAt) + inBrackets('account', accountId);

export function orderScreen(order: ShownOrder): string {
  const { server, nickname } = order;
  return [
    list([
      ['Order', order.orderId],
      ['Payment', order.paymentStatus],
      ['Delivery', order.buyStatus],
      ['Proof', order.serialNumber],
      ['Placed', placed(order)],
    ]),
    list([
      ['Game', order.game],
      ['Product', order.product],
      ['Account', order.account + inBrackets('server', server)],
      ['Nickname', nickname],
      ['Contact', order.contact],
    ]),
    priceTable(order),
    howToPay(order),
  ].join('\n');
}
