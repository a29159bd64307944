import type { CreateOrderRequest } from '@topup-kit/sdk';

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
} as const satisfies Record<Exclude<keyof CreateOrderRequest, 'return_url'>, string>;

/** Flags for fields of other commands. */
const otherFlags = { code: '<code>', game_slug: '--game' };

/** Formats a field as `--product (product_id)`; a field without a flag keeps its name. */
export function fieldName(field: string): string {
  const flag = Object.entries({ ...orderFlags, ...otherFlags }).find(([name]) => name === field)?.[1];
  if (flag === undefined) return field;
  return flag === `--${field}` ? flag : `${flag} (${field})`;
}

export type OrderDraft = Partial<CreateOrderRequest>;

const needed = ['game', 'product_id', 'payment_method_id', 'id', 'whatsapp'] as const;

export const missingFlags = (draft: OrderDraft): string[] =>
  needed.filter((field) => draft[field] === undefined).map((field) => orderFlags[field]);

export const isComplete = (draft: OrderDraft): draft is CreateOrderRequest =>
  missingFlags(draft).length === 0;
