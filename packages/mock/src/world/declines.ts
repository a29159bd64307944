import type { Engine } from '@topup-kit/core/engine';
import type { Fate } from '../scenarios/fates.ts';
import type { WatchedStore } from './watched-store.ts';

/** Payments that the gateway will decline. */
export interface Declines {
  /** Declines those whose moment has come. */
  run(now: number): Promise<void>;
  /** The earliest moment at which anything falls due, these included. */
  nextDueAt(): Promise<number | null>;
  /** Expects them anew. */
  expect(): void;
}

/** The payments that are still to be declined stand in the orders' fates; one that was is over. */
export function createDeclines(
  engine: Engine,
  { store, expect }: WatchedStore,
  fates: ReadonlyMap<string, Fate>,
): Declines {
  const over = new Set<string>();

  function* waiting(): Generator<{ orderId: string; at: number }> {
    for (const [orderId, { declinedAt }] of fates)
      if (declinedAt !== null && !over.has(orderId)) yield { orderId, at: declinedAt };
  }

  return {
    async run(now) {
      for (const { orderId, at } of [...waiting()].filter((one) => one.at <= now)) {
        over.add(orderId);
        const order = await store.findOrder(orderId);
        if (!order) continue;
        const { payment, pricing } = order;
        const news = { reference: payment.reference, amount: pricing.total_price, at };
        await engine.takePaymentNews({ ...news, status: 'failed' });
      }
    },
    async nextDueAt() {
      const moments = [...waiting()].map(({ at }) => at);
      const next = await store.nextDueAt();
      return [...moments, ...(next === null ? [] : [next])].reduce<number | null>(
        (least, at) => (least === null || at < least ? at : least),
        null,
      );
    },
    expect() {
      for (const { at } of waiting()) expect(at);
    },
  };
}
