import { expectAt, expectHeader, expectStatus, expectThat, readError } from '../../assertions.ts';
import type { SpecReference } from '../../failure.ts';
import type { PaymentMethodInfo } from '../../fixture.ts';
import { valueAt } from '../../json.ts';
import { placeOrder } from '../../orders.ts';
import { type Probe, type Topic, writes } from '../../probe.ts';

const table = 'open-points Payment-methods-of-the-sandbox-catalogue';
const fee: SpecReference = 'open-points Pricing/payment_fee-max-min_fee-flat-ceil-subtotal_after_promo';
const total: SpecReference = 'open-points Pricing/total_price-subtotal_after_promo-payment_fee-unique_code';
const uniqueCode: SpecReference = 'open-points Pricing/unique_code-is-0-except-for-bank';

/** Computes the fee with the formula in `docs/open-points.md`, with integers only. */
const feeOf = (subtotal: number, { fee: flat, basisPoints, minimumFee }: PaymentMethodInfo): number =>
  Math.max(minimumFee, flat + Math.ceil((subtotal * basisPoints) / 10_000));

/** Places an order with a payment method, and expects the formula's fee and total. */
async function expectFee(probe: Probe, method: PaymentMethodInfo, changes: object): Promise<void> {
  const { response, order } = await placeOrder(probe, { ...changes, payment_method_id: method.id });
  const { subtotal_after_promo, unique_code } = order.pricing;
  const payment_fee = feeOf(subtotal_after_promo, method);
  expectAt(response, 'data.pricing.payment_fee', payment_fee, fee);
  expectAt(response, 'data.pricing.total_price', subtotal_after_promo + payment_fee + unique_code, total);
}

export const feeCases: Topic = {
  'each method charges its fee on top of the subtotal': writes(
    [
      fee,
      total,
      'open-points Pricing/The-customer-pays-the-fee-live',
      'open-points Pricing/The-kit-uses-basis-points-never',
      `${table}/12`,
      `${table}/13-BRIVA-15-BNIVA-16-MANDIRIVA`,
      `${table}/14`,
      `${table}/17-ALFAMART-18-INDOMARET`,
      `${table}/19-DANA-20-SHOPEEPAY`,
      `${table}/21`,
      `${table}/22`,
    ],
    async (probe) => {
      for (const method of probe.need('methods')) {
        await expectFee(probe, method, {});
        await expectFee(probe, method, { quantity: 2, promo_code: probe.need('promoCode') });
        if (probe.fixture.sandboxCatalogue) await expectFee(probe, method, { product_id: 905, quantity: 7 });
      }
    },
  ),
  'fees of a percentage: at least the least fee, and rounded up': writes(
    [fee, `${table}/19-DANA-20-SHOPEEPAY`, `${table}/22`],
    async (probe) => {
      probe.need('sandboxCatalogue');
      const feeFor = async (changes: object, amount: number): Promise<void> =>
        expectAt((await placeOrder(probe, changes)).response, 'data.pricing.payment_fee', amount, fee);
      await feeFor({ payment_method_id: 19 }, 1000); // 3 % of 22,000 are 660
      await feeFor({ payment_method_id: 19, product_id: 909 }, 3264); // 3 % of 108,800
      await feeFor({ payment_method_id: 22, product_id: 902 }, 762); // 750 + 11.2 of 1,600
    },
  ),
  'a bank transfer has a unique code of 1 to 999, and a total of its own': writes(
    [uniqueCode, total, `${table}/21`],
    async (probe) => {
      const transfer = probe.need('methods').find(({ group }) => group === 'Bank Transfer');
      const totals = new Set<number>();
      for (let count = 1; count <= 5; count += 1) {
        const { response, order } = await placeOrder(probe, { payment_method_id: transfer?.id });
        const { unique_code, total_price } = order.pricing;
        const inRange = unique_code >= 1 && unique_code <= 999;
        expectThat(inRange, response, 'data.pricing.unique_code', '1 to 999', uniqueCode);
        const fresh = totals.size < totals.add(total_price).size;
        expectThat(fresh, response, 'data.total_price', 'a total of its own', uniqueCode);
      }
    },
  ),
  'other methods have the unique code 0': writes([uniqueCode], async (probe) => {
    for (const { id, group } of probe.need('methods')) {
      if (group === 'Bank Transfer') continue;
      const { response } = await placeOrder(probe, { payment_method_id: id });
      expectAt(response, 'data.pricing.unique_code', 0, uniqueCode);
    }
  }),
  'the thousandth unpaid bank transfer of one amount finds no unique code free': writes(
    [uniqueCode, 'open-points Errors/no-unique-code-free'],
    async (probe) => {
      const by: SpecReference = 'open-points Errors/no-unique-code-free';
      probe.need('sandboxCatalogue');
      // No other case uses this amount, because its unique codes stay in use for a day.
      const changes = { payment_method_id: 21, product_id: 907, quantity: 37 };
      const totals: unknown[] = [];
      // A busy service may reject some orders for a short time.
      for (let sent = 0; totals.length < 999 && sent < 3000; sent += 100) {
        const batch = await Promise.all(Array.from({ length: 100 }, () => probe.order(changes)));
        const placed = batch.filter(({ status }) => status === 201);
        totals.push(...placed.map(({ body }) => valueAt(body, 'data.total_price')));
      }
      const last = await probe.order(changes);
      const expected = 'a total of its own for each order';
      expectThat(totals.length === new Set(totals).size, last, '', expected, uniqueCode);
      expectStatus(last, 422, by);
      readError(probe, last, 'PAYMENT_METHOD_BUSY', by);
      expectHeader(last, 'X-Error-Code', 'PAYMENT_METHOD_BUSY', by);
    },
  ),
};
