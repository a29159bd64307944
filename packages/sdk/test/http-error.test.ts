import { createTopupClient, type Fetch } from '@topup-kit/sdk';
import { describe, expect, it } from 'vitest';
import { baseUrl, orderRequest, promoRequest, rejection, responding } from './responses.ts';

/** A read with one attempt, because an order could also have an unknown outcome. */
const failing = (fetch: Fetch) =>
  rejection(createTopupClient({ baseUrl, fetch, maxRetries: 0 }).promos.validate(promoRequest));

describe('an error response', () => {
  it("reads the server's code from X-Error-Code", async () => {
    const headers = { 'X-Error-Code': 'PROMO_QUOTA' };

    const error = await failing(
      responding(422, { success: false, message: 'Habis.', error_code: 'X' }, headers),
    );

    expect(error).toMatchObject({ name: 'TopupHttpError', status: 422, code: 'PROMO_QUOTA' });
  });

  it('reads the code from the general envelope if the header is missing', async () => {
    const body = { success: false, message: 'Tutup.', error_code: 'MAINTENANCE', errors: {} };

    expect(await failing(responding(503, body))).toMatchObject({ code: 'MAINTENANCE', fields: undefined });
  });

  it.each([
    [401, { message: 'Unauthorized' }, 'UNAUTHORIZED'],
    [404, { success: false, message: 'Game tidak ditemukan.' }, 'NOT_FOUND'],
    [422, { success: false, message: 'Produk tidak sesuai.' }, 'REJECTED'],
    [422, { success: false, message: 'Produk tidak sesuai.', errors: [] }, 'REJECTED'],
    [422, { message: 'The id field is required.', errors: { id: ['...'] } }, 'VALIDATION_ERROR'],
    [429, { message: 'Too Many Attempts.' }, 'RATE_LIMITED'],
    [500, { success: false, message: 'Gagal menyimpan pesanan.' }, 'SERVER_ERROR'],
    [502, {}, 'SERVER_ERROR'],
    [503, {}, 'UNAVAILABLE'],
    [403, { message: 'Forbidden' }, 'FORBIDDEN'],
    [200, { success: false, message: 'Ditolak.' }, 'REJECTED'],
    [200, { success: 0 }, 'REJECTED'],
    [200, { success: 'false' }, 'REJECTED'],
    [200, { success: '0' }, 'REJECTED'],
    [200, { success: '' }, 'REJECTED'],
    [409, { success: false, message: 'Bentrok.' }, 'HTTP_ERROR'],
  ])('reads %i %j from a server without extensions as %s', async (status, body, code) => {
    expect(await failing(responding(status, body))).toMatchObject({ name: 'TopupHttpError', status, code });
  });

  it.each([
    ['a sentence', 'The promo code is used up.'],
    ['a code with additional text', 'PROMO_QUOTA!'],
    ['65 characters', 'A'.repeat(65)],
    ['nothing', ''],
    ['a number', 17],
  ])('uses the code of the status if error_code is %s', async (_case, error_code) => {
    expect(await failing(responding(422, { success: false, error_code }))).toMatchObject({
      code: 'REJECTED',
    });
  });

  it('leaves out messages of a field that are not text', async () => {
    const errors = { id: ['The id field is required.', 17, null] };

    expect(await failing(responding(422, { errors }))).toMatchObject({
      fields: { id: ['The id field is required.'] },
    });
  });

  it('returns the messages by field', async () => {
    const errors = { id: ['The id field is required.'], whatsapp: ['The whatsapp field is required.'] };
    const message = 'The id field is required. (and 1 more error)';

    expect(await failing(responding(422, { message, errors }))).toMatchObject({
      fields: errors,
      serverMessage: message,
    });
  });

  it('describes the request, the response and the next step', async () => {
    const error = await failing(responding(422, { success: false, message: 'Kuota habis.' }));

    expect(error).toMatchObject({
      message:
        'POST /api/promo/validate failed with 422 REJECTED: Kuota habis. Do not send the same request again.',
      serverMessage: 'Kuota habis.',
    });
  });

  it.each([
    [401, false],
    [404, false],
    [409, false],
    [422, false],
    [408, true],
    [429, true],
    [500, true],
    [503, true],
  ])('decides whether a %i may succeed later: %s', async (status, retryable) => {
    expect(await failing(responding(status, {}))).toMatchObject({ status, retryable });
  });

  it('keeps the body and the request id', async () => {
    const body = { success: false, message: 'Ditolak.', hint: 'baru' };

    const error = await failing(responding(422, body, { 'X-Request-Id': 'req-7' }));

    expect(error).toMatchObject({ body, requestId: 'req-7' });
  });

  it('accepts a body that is not JSON', async () => {
    const error = await failing(async () => new Response('<h1>Bad Gateway</h1>', { status: 502 }));

    expect(error).toMatchObject({
      code: 'SERVER_ERROR',
      body: '<h1>Bad Gateway</h1>',
      serverMessage: undefined,
    });
  });

  it('accepts an empty body', async () => {
    const error = await failing(async () => new Response(null, { status: 401 }));

    expect(error).toMatchObject({ code: 'UNAUTHORIZED', body: undefined });
  });

  it('keeps the status of a body that is cut off', async () => {
    const body = new ReadableStream({ pull: (controller) => controller.error(new TypeError('terminated')) });

    const error = await failing(async () => new Response(body, { status: 422 }));

    expect(error).toMatchObject({ name: 'TopupHttpError', status: 422, body: undefined });
  });

  it('treats a redirect as an error, and sends no key to its target', async () => {
    const modes: string[] = [];
    const fetch: Fetch = async (request) => {
      modes.push(request.redirect);
      return new Response(null, { status: 302, headers: { Location: 'https://elsewhere.test/' } });
    };

    const error = await failing(fetch);

    expect(modes).toEqual(['manual']);
    expect(error).toMatchObject({
      status: 302,
      code: 'HTTP_ERROR',
      message: expect.stringContaining('baseUrl'),
    });
  });

  it.each([301, 302, 303, 307, 308])(
    'names the target of a redirect %i without the query',
    async (status) => {
      const headers = { Location: 'https://www.shop.test/api/?token=canary#canary' };

      expect(await failing(responding(status, {}, headers))).toMatchObject({
        message: expect.stringMatching(/baseUrl: it redirects to https:\/\/www\.shop\.test\/api\/, which/),
      });
    },
  );

  it.each([
    ['names no target', responding(302, {}), 302],
    ['names only a query', responding(302, {}, { Location: '?canary' }), 302],
    ['a browser hides', async () => Response.error(), 0],
  ])('treats %s as a redirect', async (_case, fetch, status) => {
    expect(await failing(fetch)).toMatchObject({
      status,
      code: 'HTTP_ERROR',
      retryable: false,
      message: expect.stringMatching(/Check baseUrl: it redirects, which is not followed\.$/),
    });
  });

  it("doesn't mention redirects for a 200", async () => {
    const error = await failing(responding(200, { success: false, message: 'Ditolak.' }));

    expect(error).toMatchObject({ message: expect.not.stringMatching(/redirect|baseUrl/) });
  });

  it.each([302, 303, 0])("leaves an order's outcome unknown after a %i", async (status) => {
    const redirect = async () => (status === 0 ? Response.error() : new Response(null, { status }));
    const client = createTopupClient({ baseUrl, fetch: redirect });

    expect(await rejection(client.orders.create(orderRequest))).toMatchObject({
      code: 'UNKNOWN_OUTCOME',
      attempts: 1,
      cause: { name: 'TopupHttpError', status },
    });
  });

  it.each([301, 307, 308])('reports after a %i that no order exists', async (status) => {
    const client = createTopupClient({ baseUrl, fetch: async () => new Response(null, { status }) });

    expect(await rejection(client.orders.create(orderRequest))).toMatchObject({
      name: 'TopupHttpError',
      status,
    });
  });
});
