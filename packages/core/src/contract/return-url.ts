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
