import type { OrderRequest } from '@topup-kit/sdk';
import { orderFlags } from '../../errors/order-flags.ts';

/** The flags of `orders create` that are fields of the order. */
export interface OrderOptions {
  game?: string;
  product?: number;
  paymentMethod?: number;
  id?: string;
  server?: string;
  whatsapp?: string;
  email?: string;
  nickname?: string;
  promo?: string;
  quantity?: number;
}

/** An order of which some fields are not given yet. */
export type OrderDraft = Partial<OrderRequest>;

const needed = ['game', 'product_id', 'payment_method_id', 'id', 'whatsapp'] as const;

/** Fields that are not given are not sent. */
export function draftOf(options: OrderOptions): OrderDraft {
  const { id, game, product, paymentMethod, whatsapp, server, email, nickname, promo, quantity } = options;
  return {
    ...(id !== undefined && { id }),
    ...(game !== undefined && { game }),
    ...(product !== undefined && { product_id: product }),
    ...(paymentMethod !== undefined && { payment_method_id: paymentMethod }),
    ...(whatsapp !== undefined && { whatsapp }),
    ...(server !== undefined && { server }),
    ...(email !== undefined && { email }),
    ...(nickname !== undefined && { nickname }),
    ...(promo !== undefined && { promo_code: promo }),
    ...(quantity !== undefined && { quantity }),
  };
}

/** The flags of needed fields that are not given. */
export const missingFlags = (draft: OrderDraft): string[] =>
  needed.filter((field) => draft[field] === undefined).map((field) => orderFlags[field]);

export const isComplete = (draft: OrderDraft): draft is OrderRequest => missingFlags(draft).length === 0;
