import type { RequestOptions } from '../options.ts';
import { asCall, type TopupCall } from '../sending/call.ts';
import type { Send } from '../sending/send.ts';
import type { PromoValidationAnswer, PromoValidationRequest } from '../types.ts';

/** Promo codes. */
export interface PromosResource {
  /**
   * Tells what a promo code does to the price of one unit, in integer rupiah: `{ success, message, data }`
   * (`POST /promo/validate`, live). Nothing is claimed. A code that cannot be used is a 422, with the same error
   * as the order would have; an unknown game, product or payment method is a 404.
   *
   * @example
   * ```ts
   * const { data } = await client.promos.validate({
   *   code: 'RAMADAN10',
   *   game_slug: 'mobile-legends',
   *   product_id: 901,
   *   payment_method_id: 12,
   * });
   * console.log(data.pricing.final_price);
   * ```
   */
  validate(request: PromoValidationRequest, options?: RequestOptions): TopupCall<PromoValidationAnswer>;
}

export function createPromos(send: Send): PromosResource {
  return {
    validate: (request, options) =>
      asCall(send({ operation: 'validatePromo', params: {}, body: request, options })),
  };
}
