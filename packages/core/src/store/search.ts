import { normalPhone } from '../contract/index.ts';
import type { StoredOrder } from './types.ts';

/** The longest term that is kept; a longer text is searched by its beginning. */
const longestTerm = 100;

const term = (text: string): string => text.toLowerCase().slice(0, longestTerm);

/** The last part of an order's id, by which people name an order. */
const lastPart = (orderId: string): string => orderId.split('-').at(-1) ?? orderId;

/**
 * The terms that an order is found by, beside its id, its customer's number, the player's id and the payment reference, which have indexes:
 * the last part of its id, e-mail, nickname, product code, total and serial numbers.
 */
export function searchTerms({
  orderId,
  contact,
  target,
  product,
  pricing,
  serialNumber,
}: StoredOrder): string[] {
  const texts = [
    ...[lastPart(orderId), contact.email, target.nickname, product.code, String(pricing.total_price)],
    ...(serialNumber?.split(', ') ?? []),
  ];
  return [...new Set(texts.flatMap((text) => (text ? [term(text)] : [])))];
}

/** A text as it is searched, and what else it may be. */
export interface SearchedText {
  /** In lower case. */
  term: string;
  /** How an id of an order would begin. */
  orderId: string;
  /** As it is given, for what is compared in full: a player's id, a payment reference. */
  exact: string;
  /** A phone number in its normal form. */
  customer: string | null;
  /** A total in the smallest unit. */
  total: number | null;
}

/** Reads a text that somebody searches for. Amounts may have separators: `Rp 22.000`. */
export function readSearchedText(text: string): SearchedText {
  const exact = text.trim();
  const digits = /^(rp)?\s*\d[\d.,]*$/i.test(exact) ? exact.replaceAll(/\D/g, '') : '';
  const total = digits === '' ? Number.NaN : Number(digits);
  return {
    term: term(exact),
    orderId: exact.toUpperCase(),
    exact,
    // Also without the 0 of a number in Indonesia.
    customer: normalPhone(/^8\d/.test(exact) ? `0${exact}` : exact),
    total: Number.isSafeInteger(total) ? total : null,
  };
}

/** Whether an order is found by a text. */
export function isFoundBy(
  order: StoredOrder,
  { term, orderId, exact, customer, total }: SearchedText,
): boolean {
  return (
    order.orderId.startsWith(orderId) ||
    order.target.id === exact ||
    order.payment.reference === exact ||
    (customer !== null && normalPhone(order.contact.whatsapp) === customer) ||
    (total !== null && order.pricing.total_price === total) ||
    searchTerms(order).some((known) => known.startsWith(term))
  );
}
