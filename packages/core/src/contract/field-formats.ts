/** What a browser accepts as an e-mail address (HTML Standard, 4.10.5.1.5). Written here, so that clients load no schemas for it. */
const email =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i;

export const isEmail = (text: string): boolean => email.test(text);

const separators = /[\s().-]/g;

/**
 * Phone numbers without separators (source: ours): an Indonesian one with its zero, with 62 or with +62, and one of
 * any other country with + and the country code (E.164). `00` counts as `+`.
 */
const phone = /^((0|(\+|00)?620?)[1-9]\d{7,11}|(\+|00)(?!62)[1-9]\d{6,14})$/;

/** Whether a text is a phone number; spaces, hyphens, dots and brackets may group its digits. */
export const isPhone = (text: string): boolean => phone.test(text.replace(separators, ''));

/**
 * A phone number in its normal form: the digits of E.164, without its `+`, by which stores find the orders of a customer. `00` counts
 * as `+`, and a leading zero as the country code of Indonesia, so that `0812-3456-7890`, `+62 0812 3456 7890`, `006281234567890` and
 * `6281234567890` are one number. Null for a text without digits. The migrations of the stores have the same rule for older orders.
 */
export const normalPhone = (text: string): string | null =>
  text
    .replace(/\D/g, '')
    .replace(/^00/, '')
    .replace(/^(620|0)/, '62') || null;

/** What identifies a customer: the normal form of the phone number, or the text as it is if it has no digits. */
export const phoneDigits = (text: string): string => normalPhone(text) ?? text;

/** In a return URL, stands for the id of the order, which nobody knows before it is placed. */
const orderIdPlaceholder = '{order_id}';

const parse = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);

/**
 * The origin of a return URL; undefined for a text that is none. Only http and https, and no password, are allowed: the
 * customer follows it from the payment page.
 */
export function returnOrigin(text: string): string | undefined {
  const url = /^https?:\/\/\S+$/i.test(text) ? parse(text) : undefined;
  return url && url.username === '' && url.password === '' ? url.origin : undefined;
}

/**
 * The address at which the customer gets back to the shop; null when the order names none.
 *
 * @example
 * returnAddress({ orderId: 'INV-1-ABCDEFGH', returnUrl: 'https://shop.example/orders/{order_id}' });
 * // 'https://shop.example/orders/INV-1-ABCDEFGH'
 */
export function returnAddress({
  orderId,
  returnUrl,
}: {
  orderId: string;
  returnUrl: string | null;
}): string | null {
  return returnUrl === null ? null : new URL(returnUrl.replaceAll(orderIdPlaceholder, orderId)).href;
}
