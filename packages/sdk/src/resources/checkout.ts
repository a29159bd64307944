import type { RequestOptions } from '../options.ts';
import type { Send } from '../transport.ts';
import type { CheckoutAnswer } from '../types.ts';

/** What a checkout page needs. */
export interface CheckoutResource {
  /**
   * Reads the game with its products and the payment methods with their fees and limits in integer rupiah:
   * `{ success, game, paymentMethods }` (`GET /order/{slug}`, live). An unknown slug is a 404.
   *
   * @example
   * ```ts
   * const { game, paymentMethods } = await client.checkout.get('mobile-legends');
   * ```
   */
  get(slug: string, options?: RequestOptions): Promise<CheckoutAnswer>;
}

export function createCheckout(send: Send): CheckoutResource {
  return {
    get: (slug, options) => send({ operation: 'getCheckout', params: { slug }, options }),
  };
}
