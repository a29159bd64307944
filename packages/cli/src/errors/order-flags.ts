import type { CreateOrderRequest } from '@topup-kit/sdk';

/** The flag of `orders create` for each field of an order. */
export const orderFlags = {
  id: '--id',
  server: '--server',
  game: '--game',
  product_id: '--product',
  payment_method_id: '--payment-method',
  email: '--email',
  whatsapp: '--whatsapp',
  nickname: '--nickname',
  promo_code: '--promo',
  quantity: '--quantity',
} as const satisfies Record<keyof CreateOrderRequest, string>;

/** What else commands send to a service. */
const otherFlags = { code: '<code>', game_slug: '--game' };

/** `--product (product_id)`; a field that has no flag is named as it is. */
export function fieldName(field: string): string {
  const flag = Object.entries({ ...orderFlags, ...otherFlags }).find(([name]) => name === field)?.[1];
  if (flag === undefined) return field;
  return flag === `--${field}` ? flag : `${flag} (${field})`;
}
