import type { CreateOrderRequest } from '@topup-kit/sdk';
import { orderFlags } from '../../errors/order-flags.ts';

/** An order of which some fields are not given yet. */
export type OrderDraft = Partial<CreateOrderRequest>;

const needed = ['game', 'product_id', 'payment_method_id', 'id', 'whatsapp'] as const;

/** The flags of needed fields that are not given. */
export const missingFlags = (draft: OrderDraft): string[] =>
  needed.filter((field) => draft[field] === undefined).map((field) => orderFlags[field]);

export const isComplete = (draft: OrderDraft): draft is CreateOrderRequest =>
  missingFlags(draft).length === 0;
