import { createTopupClient } from '@topup-kit/sdk';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { baseUrl, recording, rejection, responding } from './responses.ts';

afterEach(() => void vi.useRealTimers());

const request = {
  code: 'RAMADAN10',
  game_slug: 'mobile-legends',
  product_id: 901,
  payment_method_id: 12,
  whatsapp: '081234567890',
};

const response = {
  success: true,
  message: 'Kode promo valid.',
  data: {
    promo: { code: 'RAMADAN10', discount_type: 'PERCENT', discount_value: 10 },
    pricing: { base_price: 22_000, discount: 2_000, final_price: 20_000 },
  },
};

describe('promos.validate', () => {
  it('posts the code with game, product and payment method', async () => {
    const { fetch, requests } = recording();

    await createTopupClient({ baseUrl, fetch }).promos.validate(request);

    expect(requests[0]?.method).toBe('POST');
    expect(requests[0]?.url).toBe('http://shop.test/api/promo/validate');
    expect(await requests[0]?.json()).toEqual(request);
  });

  it('sends no idempotency key, because it creates nothing', async () => {
    const { fetch, requests } = recording();

    await createTopupClient({ baseUrl, fetch }).promos.validate(request);

    expect(requests[0]?.headers.has('Idempotency-Key')).toBe(false);
  });

  it('returns the JSON of the response unchanged', async () => {
    const client = createTopupClient({ baseUrl, fetch: responding(200, response), validation: 'strict' });

    expect(await client.promos.validate(request)).toEqual(response);
  });

  it("rejects with the reason if a code can't be used", async () => {
    const fetch = responding(
      422,
      { success: false, message: 'Kuota kode promo sudah habis.' },
      { 'X-Error-Code': 'PROMO_QUOTA' },
    );

    expect(await rejection(createTopupClient({ baseUrl, fetch }).promos.validate(request))).toMatchObject({
      code: 'PROMO_QUOTA',
      serverMessage: 'Kuota kode promo sudah habis.',
      operation: 'validatePromo',
      retryable: false,
    });
  });

  it('retries a validation like a read, because a validation claims nothing', async () => {
    vi.useFakeTimers();
    const responses = [Response.json({}, { status: 500 }), Response.json(response)];
    const fetch = async () => responses.shift() ?? Response.error();

    const call = createTopupClient({ baseUrl, fetch }).promos.validate(request).withResponse();
    await vi.advanceTimersByTimeAsync(10_000);

    expect(await call).toMatchObject({ attempts: 2, data: response });
  });
});
