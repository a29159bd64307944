import type { ValidatePromoRequest, ValidatePromoResponse } from '../generated/types.ts';
import type { RequestOptions } from '../options.ts';
import { asCall, type TopupCall, type WithRequestId } from '../sending/call.ts';
import type { Send } from '../sending/send.ts';

/** Promo codes. */
export interface PromosResource {
  /**
   * Returns the price of one unit with a promo code, in integer rupiah: `{ success, message, data }`
   * (`POST /promo/validate`, observed on the live service). It does not use up the promo. Rejects with a 422 when the
   * code cannot be used, with the same error as an order, and with a 404 when the game, product or payment method is
   * unknown.
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
  validate(
    request: ValidatePromoRequest,
    options?: RequestOptions,
  ): TopupCall<WithRequestId<ValidatePromoResponse>>;
}

export function createPromos(send: Send): PromosResource {
  return {
    validate: (request, options) =>
      asCall(send({ operation: 'validatePromo', params: {}, body: request, options })),
  };
}
