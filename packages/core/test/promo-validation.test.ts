import { describe, expect, it } from 'vitest';
import { createTestService } from './helpers/test-service.ts';

async function validation() {
  const service = await createTestService();
  return async (over: object) => {
    const body = { game_slug: 'mobile-legends', product_id: 901, payment_method_id: 12, ...over };
    return service.send('/promo/validate', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  };
}

describe('validating a promo code', () => {
  it('checks one unit, so that a minimum purchase of two units is not met', async () => {
    const validate = await validation();
    // A unit costs 42,500, and HEMAT5K needs at least 50,000.
    expect((await validate({ code: 'HEMAT5K', product_id: 906 })).headers.get('X-Error-Code')).toBe(
      'PROMO_MINIMUM',
    );
  });

  it('claims no use of a validated code', async () => {
    const validate = await validation();
    for (let count = 0; count < 3; count += 1)
      expect((await validate({ code: 'ONCE20', whatsapp: '081234567890' })).status).toBe(200);
  });

  it('returns the amount of a fixed discount', async () => {
    const validate = await validation();
    const { json } = await validate({ code: 'WEEKLY3K', product_id: 912 });
    expect(json.data.promo).toEqual({ code: 'WEEKLY3K', discount_type: 'FIXED', discount_value: 3_000 });
    const { base_price, discount, final_price } = json.data.pricing;
    expect([discount, final_price]).toEqual([3_000, base_price - 3_000]);
  });
});
