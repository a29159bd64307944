import { type InvoiceOrder, normalPhone } from '../contract/index.ts';
import type { HistoryEntry, OrderState, StoredOrder, StoredUnit } from './types.ts';

// All stores erase the same parts of an order (decisions/042). Money, states, times and the names of purchases stay.

/** Text in place of the player's id and the customer's number in an erased order. */
export const erasedText = 'erased';

/** Creates the hash that replaces a customer's number in promo uses of erased orders. A number always has the same hash. */
export type HashCustomer = (customer: string) => string;

export const isErased = ({ contact }: Pick<StoredOrder, 'contact'>): boolean =>
  contact.whatsapp === erasedText;

/** The parts of an order that say nothing about a person. A new part does not compile until it is added here or erased below. */
type KeptOfOrder =
  | keyof OrderState
  | ('orderId' | 'accountId' | 'createdAt' | 'expiresAt' | 'version')
  | ('game' | 'product' | 'paymentMethod' | 'pricing' | 'gateway' | 'pageReference');

export function erasedOrder(order: StoredOrder): StoredOrder {
  const erased: Omit<StoredOrder, KeptOfOrder> = {
    target: { id: erasedText, server: null, nickname: null },
    contact: { email: null, whatsapp: erasedText },
    returnUrl: null,
    payment: { ...order.payment, code: null, url: null, qrString: null },
    serialNumber: null,
  };
  return { ...order, ...erased };
}

/** Erases a unit's proof of delivery and reasons, because suppliers name the player in them. */
export const erasedUnit = (unit: StoredUnit): StoredUnit => ({ ...unit, serialNumber: null, reason: null });

export const erasedEntry = ({
  note: _note,
  serialNumber: _serialNumber,
  attempts,
  revoked,
  ...entry
}: HistoryEntry): HistoryEntry => ({
  ...entry,
  ...(attempts && { attempts: attempts.map((attempt) => ({ ...attempt, reason: null })) }),
  ...(revoked && { revoked: revoked.map(({ unit }) => ({ unit, serialNumber: null })) }),
});

/** Returns the digits of a phone number that all its notations contain: those without Indonesia's country code. */
export const phoneCore = (phone: string): string => (normalPhone(phone) ?? phone).replace(/^62/, '');

/** The minimum length of a name or id to look for in texts, because a shorter one is part of many words. */
const leastLength = 3;

/**
 * Returns an operator's note about a payment, or the erased text if it names the customer or the player. Other notes stay, because they
 * show where the money went.
 */
export function withoutNames<Text extends string | null>(
  text: Text,
  { contact, target }: StoredOrder,
): Text | typeof erasedText {
  if (text === null) return text;
  const names = [contact.email, target.nickname, target.id].filter(
    (name) => name !== null && name.length >= leastLength,
  );
  const lower = text.toLowerCase();
  const isNamed =
    names.some((name) => name !== null && lower.includes(name.toLowerCase())) ||
    text.replaceAll(/\D/g, '').includes(phoneCore(contact.whatsapp));
  return isNamed ? erasedText : text;
}

/** The fields of an invoice that say nothing about a person. A new field does not compile until it is added here or erased below. */
type KeptOfInvoice =
  | ('order_id' | 'games' | 'product' | 'code_product' | 'created_at' | 'expired_time')
  | ('quantity' | 'price' | 'discount_price' | 'promo_discount' | 'fee' | 'total_price' | 'pricing')
  | ('payment_name' | 'payment_method')
  | ('payment_status' | 'buy_status' | 'failure_reason' | 'refund_amount');

/** Values of erased fields; undefined leaves a field out. */
const erasedInvoice: Record<Exclude<keyof InvoiceOrder, KeptOfInvoice>, string | null | undefined> = {
  id_games: erasedText,
  server_games: null,
  nickname: null,
  email: null,
  whatsapp: erasedText,
  payment_code: erasedText,
  payment_code_display: erasedText,
  payment_url: erasedText,
  qr_string: undefined,
  qr_image_url: undefined,
  serial_number: undefined,
};

/** Erases the invoice in an event's JSON. */
export function erasedEventBody(body: string): string {
  // Safe: only the engine writes bodies, as objects.
  const event = JSON.parse(body) as { data?: { order?: Record<string, unknown> } };
  if (!event.data?.order) return body;
  const order = { ...event.data.order, ...erasedInvoice };
  return JSON.stringify({ ...event, data: { ...event.data, order } });
}
