import type { CreateOrderRequest } from '@topup-kit/sdk';
import { orderFlags } from '../../errors/order-flags.ts';

/** An order with missing fields. */
export type OrderDraft = Partial<CreateOrderRequest>;

const needed = ['game', 'product_id', 'payment_method_id', 'id', 'whatsapp'] as const;

/** The flags of missing required fields. */
export const missingFlags = (draft: OrderDraft): string[] =>
  needed.filter((field) => draft[field] === undefined).map((field) => orderFlags[field]);

export const isComplete = (draft: OrderDraft): draft is CreateOrderRequest =>
  missingFlags(draft).length === 0;
