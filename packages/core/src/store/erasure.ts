import { normalPhone } from '../contract/index.ts';
import type { HistoryEntry, StoredOrder, StoredUnit } from './types.ts';

// Both kinds of stores erase the same of an order (decisions/042). Money, states, moments and the names of purchases stay.

/** Stands for the player's id and the customer's number of an order whose personal data was erased. */
export const erasedText = 'erased';

/** What stands for a customer's number in uses of promos by erased orders: the same of the same number, for good. */
export type HashCustomer = (customer: string) => string;

export const isErased = ({ contact }: Pick<StoredOrder, 'contact'>): boolean =>
  contact.whatsapp === erasedText;

export const erasedOrder = (order: StoredOrder): StoredOrder => ({
  ...order,
  target: { id: erasedText, server: null, nickname: null },
  contact: { email: null, whatsapp: erasedText },
  returnUrl: null,
  payment: { ...order.payment, code: null, url: null, qrString: null },
  serialNumber: null,
});

/** Suppliers name the player in proofs of delivery and in reasons. */
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

/** The digits of a number without the country code of Indonesia, as they are in all notations of it. */
export const phoneCore = (phone: string): string => (normalPhone(phone) ?? phone).replace(/^62/, '');

/** The shortest name or id that is looked for in texts: a shorter one is a part of many words. */
const leastLength = 3;

/** What an operator wrote of a payment, which shows where the money went; erased when it names the customer or the player. */
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

/** The JSON of an event of an order, with its invoice erased. */
export function erasedEventBody(body: string): string {
  // Safe: only the engine writes bodies, as objects.
  const event = JSON.parse(body) as { data?: { order?: Record<string, unknown> } };
  if (!event.data?.order) return body;
  const { serial_number: _serialNumber, ...order } = event.data.order;
  const erased = {
    id_games: erasedText,
    server_games: null,
    nickname: null,
    email: null,
    whatsapp: erasedText,
  };
  return JSON.stringify({ ...event, data: { ...event.data, order: { ...order, ...erased } } });
}
