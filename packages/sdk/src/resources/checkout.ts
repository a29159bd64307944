import type { GetCheckoutResponse } from '../generated/types.ts';
import type { RequestOptions } from '../options.ts';
import { asCall, type TopupCall, type WithRequestId } from '../sending/call.ts';
import type { Send } from '../sending/send.ts';

/** Data for a checkout page. */
export interface CheckoutResource {
  /**
   * Returns a game with its products, and the payment methods with their fees and limits in integer rupiah:
   * `{ success, game, paymentMethods }` (`GET /order/{slug}`, observed on the live service). Rejects with a 404 when the
   * slug is unknown.
   *
   * @example
   * ```ts
   * const { game, paymentMethods } = await client.checkout.get('mobile-legends');
   * ```
   */
  get(slug: string, options?: RequestOptions): TopupCall<WithRequestId<GetCheckoutResponse>>;
}

export function createCheckout(send: Send): CheckoutResource {
  return {
    get: (slug, options) => asCall(send({ operation: 'getCheckout', params: { slug }, options })),
  };
}
