import type { RequestOptions } from '../options.ts';
import { asCall, type TopupCall } from '../sending/call.ts';
import type { Send } from '../sending/send.ts';
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
  get(slug: string, options?: RequestOptions): TopupCall<CheckoutAnswer>;
}

export function createCheckout(send: Send): CheckoutResource {
  return {
    get: (slug, options) => asCall(send({ operation: 'getCheckout', params: { slug }, options })),
  };
}
