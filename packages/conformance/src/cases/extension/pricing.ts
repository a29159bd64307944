import type { Pricing } from '@topup-kit/core/contract';
import { responseSchemas } from '@topup-kit/core/schemas';
import { expectAt, readAt } from '../../assertions.ts';
import type { SpecReference } from '../../failure.ts';
import { placeOrder } from '../../orders.ts';
import { type ProbedResponse, type Topic, writes } from '../../probe.ts';

const fixture: SpecReference = 'open-points Pricing/The-sandbox-catalogue-must-give-exactly';
const discount: SpecReference = 'open-points Pricing/unit_discount-min-unit_price-max_discount-inf-PERCENT';
const cap: SpecReference = 'open-points Pricing/The-cap-is-per-unit-so';
const unitPrice: SpecReference = 'open-points Routes/The-unit-price-before-a-promo';

function expectPricing(response: ProbedResponse, pricing: Partial<Pricing>, by: SpecReference): void {
  for (const [field, value] of Object.entries(pricing))
    expectAt(response, `data.pricing.${field}`, value, by);
}

export const pricingCases: Topic = {
  "the documents' order costs what they say, to the digit": writes([fixture], async (probe) => {
    probe.need('sandboxCatalogue');
    const { response } = await placeOrder(probe, { promo_code: 'RAMADAN10', quantity: 2 });
    const pricing: Pricing = {
      quantity: 2,
      has_promo: true,
      promo_code: 'RAMADAN10',
      unit_price_before_promo: 22_000,
      unit_discount: 2000,
      unit_price_after_promo: 20_000,
      subtotal_before_promo: 44_000,
      promo_discount: 4000,
      subtotal_after_promo: 40_000,
      payment_fee: 0,
      unique_code: 0,
      total_price: 40_000,
    };
    expectAt(response, 'data.pricing', pricing, fixture);
    expectAt(response, 'data.total_price', 40_000, fixture);
  }),
  'without a promo nothing is taken off, and its code is null': writes(
    ['open-points Departures-from-the-interface/pricing-promo_code-is-null-without-a'],
    async (probe) => {
      const { response } = await placeOrder(probe);
      const nothing = { has_promo: false, promo_code: null, unit_discount: 0, promo_discount: 0 };
      expectPricing(
        response,
        nothing,
        'open-points Departures-from-the-interface/pricing-promo_code-is-null-without-a',
      );
    },
  ),
  'a percentage is taken off below its cap, and no more than the cap, for each unit': writes(
    [discount, cap],
    async (probe) => {
      probe.need('sandboxCatalogue');
      const promo_code = 'RAMADAN10';
      const small = await placeOrder(probe, { promo_code, product_id: 905, quantity: 3 });
      expectPricing(small.response, { unit_discount: 1590, promo_discount: 4770 }, discount);
      const capped = await placeOrder(probe, { promo_code, product_id: 910, quantity: 3 });
      expectPricing(capped.response, { unit_discount: 2000, promo_discount: 6000 }, cap);
    },
  ),
  'a fixed discount takes off its value, but no more than the unit costs': writes(
    [discount],
    async (probe) => {
      probe.need('sandboxCatalogue');
      const promo_code = 'HEMAT5K';
      const usual = await placeOrder(probe, { promo_code, quantity: 3 });
      expectPricing(usual.response, { unit_discount: 5000, promo_discount: 15_000 }, discount);
      const cheap = await placeOrder(probe, {
        promo_code,
        product_id: 903,
        quantity: 20,
        payment_method_id: 19,
      });
      const free = { unit_discount: 3600, unit_price_after_promo: 0, payment_fee: 1000, total_price: 1000 };
      expectPricing(cheap.response, free, discount);
    },
  ),
  'the unit price is the promotion price of a product on promotion, else its selling price': writes(
    [unitPrice],
    async (probe) => {
      const checkout = await probe.get(`/games/${probe.fixture.order.game}`);
      const { data } = readAt(probe, checkout, { schema: responseSchemas.getGame, rows: () => unitPrice });
      const onSale = data.products.filter(({ status }) => status);
      const examples = [true, false].map((promotion) =>
        onSale.find(({ is_promo }) => is_promo === promotion),
      );
      for (const product of examples) {
        if (!product) continue;
        const { response } = await placeOrder(probe, { product_id: product.id });
        const price = product.is_promo ? product.promo_price : product.selling_price;
        expectAt(response, 'data.pricing.unit_price_before_promo', price, unitPrice);
      }
    },
  ),
};
