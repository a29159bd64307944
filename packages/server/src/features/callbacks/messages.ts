import type { CallbackStore, EraseOrder } from '@topup-kit/core/store';

/** Above the number of any order. */
const mostOfOrder = 1_000;

type Source = Pick<CallbackStore, 'listCallbacks' | 'findStrayCallbacks' | 'eraseCallbacks'>;

/** The callbacks of orders, and callbacks without an order that name a customer. */
export const callbackMessages = {
  async count(store: Source, orderId: string) {
    return { callbacks: (await store.listCallbacks({ orderId, limit: mostOfOrder })).length };
  },
  findStray: (store: Source, digits: string) => store.findStrayCallbacks(digits),
  async eraseStray(store: Source, ids: readonly string[], erasure: EraseOrder['erasure']) {
    await store.eraseCallbacks(ids, erasure);
  },
};
