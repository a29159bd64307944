import type { Pricing } from '@topup-kit/core/contract';
import { pricingSchema } from '@topup-kit/core/schemas';
import { expectAt, rowsOf } from '../../assertions.ts';
import type { SpecReference } from '../../failure.ts';
import { placeOrder } from '../../orders.ts';
import { type Probe, type ProbedResponse, type Topic, writes } from '../../probe.ts';

const pricingRow = rowsOf('2.4', 'interface 2.3/pricing');
const relations: SpecReference = 'interface 2.4/Relations-that-hold-in-the-shown';
const unitAfter: SpecReference = 'interface 2.4/unit_price_after_promo-unit_price_before_promo-unit_discount';
const subtotalBefore: SpecReference = 'interface 2.4/subtotal_before_promo-unit_price_before_promo-quantity';
const discount: SpecReference = 'interface 2.4/promo_discount-unit_discount-quantity';
const subtotalAfter: SpecReference =
  'interface 2.4/subtotal_after_promo-subtotal_before_promo-promo_discount';
const total: SpecReference =
  'interface 2.4/total_price-subtotal_after_promo-when-payment_fee-and-unique_code';

async function orderTwo(probe: Probe): Promise<{ response: ProbedResponse; pricing: Pricing }> {
  const { response, order } = await placeOrder(probe, { quantity: 2, promo_code: probe.need('promoCode') });
  return { response, pricing: order.pricing };
}

export const pricingCases: Topic = {
  'pricing has its fields; amounts are integers': writes(
    [
      ...Object.keys(pricingSchema.shape).map(pricingRow),
      'interface 2.4/All-amounts-are-integers',
      'interface 2.3/pricing',
    ],
    async (probe) => void (await orderTwo(probe)),
  ),
  'pricing names the promo that was applied': writes(
    ['interface 2.4/has_promo', 'interface 2.4/promo_code', 'interface 4.2/promo_code'],
    async (probe) => {
      const { response } = await orderTwo(probe);
      expectAt(response, 'data.pricing.has_promo', true, 'interface 2.4/has_promo');
      expectAt(response, 'data.pricing.promo_code', probe.fixture.promoCode, 'interface 2.4/promo_code');
    },
  ),
  'the amounts of an order with a promo fit each other': writes(
    [relations, unitAfter, subtotalBefore, discount, subtotalAfter],
    async (probe) => {
      const { response, pricing } = await orderTwo(probe);
      const expectAmount = (field: keyof Pricing, amount: number, by: SpecReference): void =>
        expectAt(response, `data.pricing.${field}`, amount, by);
      expectAmount('quantity', 2, 'interface 2.4/quantity');
      expectAmount(
        'unit_price_after_promo',
        pricing.unit_price_before_promo - pricing.unit_discount,
        unitAfter,
      );
      expectAmount('subtotal_before_promo', pricing.unit_price_before_promo * 2, subtotalBefore);
      expectAmount('promo_discount', pricing.unit_discount * 2, discount);
      expectAmount(
        'subtotal_after_promo',
        pricing.subtotal_before_promo - pricing.promo_discount,
        subtotalAfter,
      );
    },
  ),
  'without fee and unique code the total is the subtotal after the promo': writes(
    [total, relations],
    async (probe) => {
      const { response, pricing } = await orderTwo(probe);
      if (pricing.payment_fee === 0 && pricing.unique_code === 0)
        expectAt(response, 'data.pricing.total_price', pricing.subtotal_after_promo, total);
      else probe.note("the fixture's payment method has a fee or a unique code: the total was not checked");
    },
  ),
  "the order's quantity and total are those of its pricing": writes(
    ['interface 2.3/total_price', 'interface 2.3/quantity', 'interface 2.4/total_price'],
    async (probe) => {
      const { response, pricing } = await orderTwo(probe);
      expectAt(response, 'data.total_price', pricing.total_price, 'interface 2.3/total_price');
      expectAt(response, 'data.quantity', 2, 'interface 2.3/quantity');
    },
  ),
};
