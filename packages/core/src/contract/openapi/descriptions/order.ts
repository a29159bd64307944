import type * as Wire from '../../types.ts';
import { describing } from './described.ts';

const success = 'always true';
const message = 'text for people; never parse it';

const pricing = describing<Wire.Pricing>()(
  'interface 2.4',
  'The price breakdown. All amounts are integers in the smallest unit of the currency.',
  {
    quantity: 'ordered quantity',
    has_promo: 'whether a promo code was applied',
    promo_code: ['the applied code; null without one (the interface shows only orders with one)', 'live'],
    unit_price_before_promo: 'price of one unit',
    unit_discount: 'what the promo takes off one unit',
    unit_price_after_promo: '`unit_price_before_promo` - `unit_discount`',
    subtotal_before_promo: '`unit_price_before_promo` x `quantity`',
    promo_discount: '`unit_discount` x `quantity`',
    subtotal_after_promo: '`subtotal_before_promo` - `promo_discount`',
    payment_fee: 'fee of the payment method, borne by the customer',
    unique_code: '1 to 999 for a bank transfer, which is told apart by its amount; else 0',
    total_price: [
      'what to pay in all: `subtotal_after_promo` + `payment_fee` + `unique_code`',
      'interface 2.4',
    ],
  },
);

const order = describing<Wire.Order>()('interface 2.3', 'A created order.', {
  order_id: 'invoice identifier, `INV-<timestamp digits>-<8 uppercase letters>`',
  payment_status: '`UNPAID` at first; the other states are live',
  buy_status: '`Pending` at first; the other states are live',
  payment_url: 'URL of the payment page',
  payment_code: 'what to pay to: an EMV QR string, an account number or a shop code',
  payment_reference: "the payment gateway's reference",
  qr_url: 'URL of the QR picture; null when the method has none',
  expired_at: 'until when it can be paid: ISO 8601 with UTC offset',
  quantity: 'ordered quantity',
  total_price: 'total amount to pay; equals `pricing.total_price`',
  pricing: 'how the total comes about',
});

export const orderDescriptions = {
  Pricing: pricing,
  Order: order,
  OrderCreatedAnswer: describing<Wire.OrderCreatedAnswer>()('interface 4.2', 'The created order.', {
    success,
    message,
    orderId: 'same as `data.order_id`; invoice and payment status are read with it',
    data: 'the order',
  }),
  PromoFacts: describing<Wire.PromoValidation['promo']>()('live', 'A promo code.', {
    code: 'the code',
    discount_type: 'whether it takes off a percentage or an amount',
    discount_value: 'per cent for `PERCENT`, an amount for `FIXED`',
  }),
  PromoPricing: describing<Wire.PromoValidation['pricing']>()(
    'live',
    'What a promo code does to the price of one unit.',
    {
      base_price: 'unit price without the code',
      discount: 'what the code takes off',
      final_price: 'unit price with the code',
    },
  ),
  PromoValidation: describing<Wire.PromoValidation>()('live', 'A promo code that can be used.', {
    promo: 'the promo code',
    pricing: 'what it does to the price of one unit',
  }),
  PromoValidationAnswer: describing<Wire.PromoValidationAnswer>()('live', 'A promo code that can be used.', {
    success,
    message,
    data: 'the code and what it does',
  }),
};
