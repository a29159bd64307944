import { describe, expect, it } from 'vitest';
import { unitPrice } from '../src/contract/index.ts';
import { paymentFee, priceOrder, promoError, unitDiscount } from '../src/engine/pricing.ts';
import type { CatalogPaymentMethod, CatalogProduct, Promo } from '../src/features/store.ts';

const product = (over: Partial<CatalogProduct> = {}): CatalogProduct => ({
  id: 901,
  code: 'ML86',
  supplier_code: null,
  title: '86 Diamond',
  category: null,
  selling_price: 22_000,
  promo_price: null,
  is_promo: false,
  status: true,
  image: null,
  ...over,
});

const method = (over: Partial<CatalogPaymentMethod> = {}): CatalogPaymentMethod => ({
  id: 12,
  code: 'QRIS',
  name: 'QRIS',
  group: 'QRIS',
  fee: 0,
  fee_basis_points: 0,
  minimum_fee: 0,
  minimum_amount: 1_000,
  maximum_amount: 5_000_000,
  status: true,
  image: null,
  ...over,
});

describe('the price of an order', () => {
  it('computes the price in the example of the open points', () => {
    const pricing = priceOrder({
      product: product(),
      quantity: 2,
      promo: { code: 'RAMADAN10', discount: { type: 'PERCENT', basis_points: 1000, max_discount: 2000 } },
      method: method(),
      uniqueCode: 0,
    });
    expect(pricing).toEqual({
      quantity: 2,
      has_promo: true,
      promo_code: 'RAMADAN10',
      unit_price_before_promo: 22_000,
      unit_discount: 2_000,
      unit_price_after_promo: 20_000,
      subtotal_before_promo: 44_000,
      promo_discount: 4_000,
      subtotal_after_promo: 40_000,
      payment_fee: 0,
      unique_code: 0,
      total_price: 40_000,
    });
  });

  it('shows no promo code if the order has no promo code', () => {
    const pricing = priceOrder({
      product: product(),
      quantity: 1,
      promo: null,
      method: method(),
      uniqueCode: 0,
    });
    expect(pricing).toMatchObject({ has_promo: false, promo_code: null, promo_discount: 0 });
  });

  it('adds the fee and the unique code to the subtotal', () => {
    const pricing = priceOrder({
      product: product({ selling_price: 10_000 }),
      quantity: 3,
      promo: null,
      method: method({ fee: 4_250 }),
      uniqueCode: 137,
    });
    expect(pricing.total_price).toBe(30_000 + 4_250 + 137);
    expect(pricing.promo_code).toBeNull();
  });
});

describe('the price of a unit', () => {
  it('uses the promo price while the product is on promotion', () => {
    expect(unitPrice(product({ promo_price: 19_000, is_promo: true }))).toBe(19_000);
    expect(unitPrice(product({ promo_price: 19_000, is_promo: false }))).toBe(22_000);
    expect(unitPrice(product({ promo_price: null, is_promo: true }))).toBe(22_000);
  });
});

describe('a discount on a unit', () => {
  it('rounds a share down', () => {
    expect(unitDiscount(999, { type: 'PERCENT', basis_points: 1000, max_discount: null })).toBe(99);
  });

  it('caps the discount per unit', () => {
    expect(unitDiscount(22_000, { type: 'PERCENT', basis_points: 1000, max_discount: 2_000 })).toBe(2_000);
    expect(unitDiscount(22_000, { type: 'FIXED', value: 5_000, max_discount: 3_000 })).toBe(3_000);
  });

  it("never discounts more than the unit's price", () => {
    expect(unitDiscount(3_000, { type: 'FIXED', value: 5_000, max_discount: null })).toBe(3_000);
  });
});

describe('a payment fee', () => {
  it('rounds a share of the fee up', () => {
    expect(paymentFee(10_001, method({ fee: 750, fee_basis_points: 70 }))).toBe(750 + 71);
  });

  it('charges at least the minimum fee', () => {
    expect(paymentFee(10_000, method({ fee_basis_points: 300, minimum_fee: 1_000 }))).toBe(1_000);
    expect(paymentFee(40_000, method({ fee_basis_points: 300, minimum_fee: 1_000 }))).toBe(1_200);
  });
});

describe('the use of a promo code', () => {
  const startsAt = '2026-03-01T00:00:00+07:00';
  const endsAt = '2026-04-01T00:00:00+07:00';
  const promo: Promo = {
    code: 'MARCH10',
    discount: { type: 'PERCENT', basis_points: 1000, max_discount: null },
    status: true,
    starts_at: startsAt,
    ends_at: endsAt,
    quota: null,
    per_customer: null,
    minimum_purchase: 50_000,
    games: [],
    products: [],
    payment_methods: [],
  };
  type Use = Parameters<typeof promoError>[1];
  const errorOf = (over: Partial<Use>, rules: Partial<Promo> = {}) =>
    promoError(
      { ...promo, ...rules },
      {
        now: Date.parse(startsAt),
        game: 'mobile-legends',
        productId: 901,
        paymentMethodId: 12,
        subtotalBeforePromo: 50_000,
        unitLoss: null,
        maxUnitLoss: 0,
        uses: { total: 0, byCustomer: 0 },
        ...over,
      },
    );
  const errorCode = (over: Partial<Use>, rules: Partial<Promo> = {}): string | undefined =>
    errorOf(over, rules)?.code;

  it('allows a promo code from its start', () => {
    expect(errorCode({ now: Date.parse(startsAt) - 1 })).toBe('PROMO_NOT_STARTED');
    expect(errorCode({ now: Date.parse(startsAt) })).toBeUndefined();
  });

  it('allows a promo code until just before its end', () => {
    expect(errorCode({ now: Date.parse(endsAt) - 1 })).toBeUndefined();
    expect(errorCode({ now: Date.parse(endsAt) })).toBe('PROMO_EXPIRED');
  });

  it('allows a promo code from exactly the minimum purchase', () => {
    expect(errorCode({ subtotalBeforePromo: 49_999 })).toBe('PROMO_MINIMUM');
    expect(errorCode({ subtotalBeforePromo: 50_000 })).toBeUndefined();
  });

  it('allows a promo code without rules at any time and any number of times', () => {
    const unlimited = { starts_at: null, ends_at: null };
    expect(errorCode({ now: 0, uses: { total: 9, byCustomer: 9 } }, unlimited)).toBeUndefined();
    expect(errorCode({ now: Date.parse('2036-01-01T00:00:00Z') }, unlimited)).toBeUndefined();
  });

  it('rejects an inactive promo code', () => {
    expect(errorCode({}, { status: false })).toBe('PROMO_INACTIVE');
  });

  it("allows a promo code until its quota, or the customer's limit, is used up", () => {
    expect(errorCode({ uses: { total: 9, byCustomer: 0 } }, { quota: 10 })).toBeUndefined();
    expect(errorCode({ uses: { total: 10, byCustomer: 0 } }, { quota: 10 })).toBe('PROMO_QUOTA');
    expect(errorCode({ uses: { total: 10, byCustomer: 1 } }, { per_customer: 2 })).toBeUndefined();
    expect(errorCode({ uses: { total: 10, byCustomer: 2 } }, { per_customer: 2 })).toBe('PROMO_USED');
  });

  it.each([
    ['game', { games: ['free-fire'] }, { games: ['free-fire', 'mobile-legends'] }],
    ['product', { products: [902] }, { products: [902, 901] }],
    ['paymentMethod', { payment_methods: [11] }, { payment_methods: [11, 12] }],
  ])('allows a promo code only for a %s that it lists', (subject, others, listed) => {
    expect(errorOf({}, others)).toMatchObject({
      code: 'PROMO_NOT_ELIGIBLE',
      params: { subject: { subject } },
    });
    expect(errorCode({}, listed)).toBeUndefined();
  });
});
