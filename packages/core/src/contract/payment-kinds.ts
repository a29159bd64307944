import { type PaymentGroup, paymentGroups } from './generated/types.ts';
import type { Localised } from './locale.ts';

/** Properties that depend on the kind of a payment method. */
interface PaymentKind {
  /** `direct`: the shop shows a payment code; `redirect`: the customer pays on another page. */
  type: 'direct' | 'redirect';
  /** True if each total gets a unique code because only the amount identifies a payment. */
  uniqueCode: boolean;
  /** True if the payment code is shown as a QR code. */
  showsQr: boolean;
  /** An order's time to pay in minutes (open points: limits). */
  expiryMinutes: number;
  /** The type of the payment code. */
  code: 'qr-text' | 'virtual-account-number' | 'shop-code' | 'page-url' | 'bank-account-number';
  /** The Lucide icon in generated pictures. */
  icon: string;
}

/** Kinds of payment methods by the name of their group in responses (source: live). */
export const paymentKinds = {
  QRIS: {
    type: 'direct',
    uniqueCode: false,
    showsQr: true,
    expiryMinutes: 30,
    code: 'qr-text',
    icon: 'QrCode',
  },
  'Virtual Account': {
    type: 'direct',
    uniqueCode: false,
    showsQr: false,
    expiryMinutes: 1440,
    code: 'virtual-account-number',
    icon: 'Landmark',
  },
  Retail: {
    type: 'direct',
    uniqueCode: false,
    showsQr: false,
    expiryMinutes: 1440,
    code: 'shop-code',
    icon: 'Store',
  },
  'E-Wallet': {
    type: 'redirect',
    uniqueCode: false,
    showsQr: false,
    expiryMinutes: 60,
    code: 'page-url',
    icon: 'Wallet',
  },
  'Bank Transfer': {
    type: 'direct',
    uniqueCode: true,
    showsQr: false,
    expiryMinutes: 1440,
    code: 'bank-account-number',
    icon: 'ArrowLeftRight',
  },
} as const satisfies Record<PaymentGroup, PaymentKind>;

export type PaymentCodeKind = PaymentKind['code'];
export type PaymentIcon = (typeof paymentKinds)[PaymentGroup]['icon'];

/** Instructions on the payment page. They are separate, so that a bundle without pages leaves them out. */
export const paymentInstructions: Record<PaymentGroup, Localised> = {
  QRIS: {
    id: 'Pindai kode QR ini dengan aplikasi bank atau dompet digital Anda.',
    en: 'Scan this QR code with your bank or wallet app.',
  },
  'Virtual Account': {
    id: 'Transfer ke nomor virtual account ini.',
    en: 'Transfer to this virtual account number.',
  },
  Retail: {
    id: 'Tunjukkan kode ini kepada kasir.',
    en: 'Show this code at the till.',
  },
  'E-Wallet': {
    id: 'Selesaikan pembayaran di aplikasi dompet digital Anda.',
    en: 'Finish the payment in your wallet app.',
  },
  'Bank Transfer': {
    id: 'Transfer tepat sejumlah total ke nomor rekening ini.',
    en: 'Transfer exactly the total to this account number.',
  },
};

/**
 * Creates a value for each payment group.
 *
 * @example
 * mapPaymentGroups((group) => paymentKinds[group].expiryMinutes); // { QRIS: 30, ... }
 */
export const mapPaymentGroups = <Value>(
  toValue: (group: PaymentGroup) => Value,
): Record<PaymentGroup, Value> =>
  // Safe: every group has an entry.
  Object.fromEntries(paymentGroups.map((group) => [group, toValue(group)])) as Record<PaymentGroup, Value>;

/** Tells whether a group's totals get a unique code; false for an unknown group. */
export const hasUniqueCode = (group: string): boolean =>
  paymentGroups.some((known) => known === group && paymentKinds[known].uniqueCode);
