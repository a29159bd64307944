import type { CallbackStore, EraseOrder } from '@topup-kit/core/store';

/** Limit that is above the number of callbacks of any order. */
const mostOfOrder = 1_000;

type Source = Pick<CallbackStore, 'listCallbacks' | 'findStrayCallbacks' | 'eraseCallbacks'>;

/** Callbacks of orders, and callbacks that name a customer but belong to no order. */
export const callbackMessages = {
  async count(store: Source, orderId: string) {
    return { callbacks: (await store.listCallbacks({ orderId, limit: mostOfOrder })).length };
  },
  findStray: (store: Source, digits: string) => store.findStrayCallbacks(digits),
  async eraseStray(store: Source, ids: readonly string[], erasure: EraseOrder['erasure']) {
    await store.eraseCallbacks(ids, erasure);
  },
};
