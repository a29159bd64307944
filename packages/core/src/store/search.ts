import { normalPhone } from '../contract/index.ts';
import type { StoredOrder } from './types.ts';

/** The maximum length of a stored term. For a longer text, only its beginning is searched. */
const longestTerm = 100;

const term = (text: string): string => text.toLowerCase().slice(0, longestTerm);

/** Returns the last part of an order's id, with which people often refer to an order. */
const lastPart = (orderId: string): string => orderId.split('-').at(-1) ?? orderId;

/**
 * Returns the terms by which an order can be found: the last part of its id, the e-mail address, the nickname, the product code, the total
 * and the serial numbers. The id, the customer's number, the player's id and the payment reference have their own indexes.
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

/** A search term, and its possible meanings. */
export interface SearchedText {
  /** The text in lower case. */
  term: string;
  /** The beginning of an order's id. */
  orderId: string;
  /** The text as typed, for exact comparisons with a player's id or a payment reference. */
  exact: string;
  /** A phone number in its normal form. */
  customer: string | null;
  /** A total in the smallest unit. */
  total: number | null;
}

/** Reads a search term. Amounts may have separators: `Rp 22.000`. */
export function readSearchedText(text: string): SearchedText {
  const exact = text.trim();
  const digits = /^(rp)?\s*\d[\d.,]*$/i.test(exact) ? exact.replaceAll(/\D/g, '') : '';
  const total = digits === '' ? Number.NaN : Number(digits);
  return {
    term: term(exact),
    orderId: exact.toUpperCase(),
    exact,
    // An Indonesian number without its leading 0 is accepted as well.
    customer: normalPhone(/^8\d/.test(exact) ? `0${exact}` : exact),
    total: Number.isSafeInteger(total) ? total : null,
  };
}

/** Tells whether a search term matches an order. */
export function matchesSearch(
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
