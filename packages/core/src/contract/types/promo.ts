/** Body of `POST /promo/validate` (source: live). */
export interface PromoValidationRequest {
  code: string;
  game_slug: string;
  product_id: number;
  payment_method_id: number;
  /** The orderer's phone number, for codes that one customer may use so many times. */
  whatsapp?: string;
}

/** What a promo code would do to the price of one unit. Money is in the smallest unit: integer rupiah. */
export interface PromoValidation {
  promo: {
    code: string;
    discount_type: 'PERCENT' | 'FIXED';
    /** Per cent for `PERCENT`, an amount for `FIXED`. */
    discount_value: number;
  };
  pricing: {
    base_price: number;
    discount: number;
    final_price: number;
  };
}

/** Answer of `POST /promo/validate` (source: live). */
export interface PromoValidationAnswer {
  success: true;
  message: string;
  data: PromoValidation;
}
