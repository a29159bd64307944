import { done, type Store } from '../store.ts';
import type { Refund } from '../types.ts';
import type { MemoryState } from './state.ts';

/** Refunds of orders; a change of an order adds them. */
export function refunds(state: MemoryState): Pick<Store, 'findRefunds' | 'listRefunds' | 'closeRefund'> {
  const list = (isWanted: (refund: Refund) => boolean): Refund[] =>
    [...state.refunds.values()].filter(isWanted).sort((a, b) => a.at - b.at);
  return {
    findRefunds: async (orderId) => list((refund) => refund.orderId === orderId),
    listRefunds: async (wanted) => list((refund) => wanted === undefined || refund.state === wanted),
    async closeRefund({ refundId, ...closing }) {
      const refund = state.refunds.get(refundId);
      if (!refund) return { conflict: 'refund_missing' };
      if (refund.state !== 'to-pay') return { conflict: 'refund_closed' };
      state.refunds.set(refundId, { ...refund, ...closing });
      return done;
    },
  };
}
