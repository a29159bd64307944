import { createTopupClient, type Fetch } from '@topup-kit/sdk';
import { describe, expect, it } from 'vitest';
import { answering, baseUrl, orderRequest, rejection } from './answers.ts';

const failing = (fetch: Fetch) =>
  rejection(createTopupClient({ baseUrl, fetch }).orders.create(orderRequest));

describe('an error answer', () => {
  it("has the server's code from X-Error-Code", async () => {
    const headers = { 'X-Error-Code': 'PROMO_QUOTA' };

    const error = await failing(
      answering(422, { success: false, message: 'Habis.', error_code: 'X' }, headers),
    );

    expect(error).toMatchObject({ name: 'TopupHttpError', status: 422, code: 'PROMO_QUOTA' });
  });

  it('has the code of the general envelope when there is no header', async () => {
    const body = { success: false, message: 'Tutup.', error_code: 'MAINTENANCE', errors: {} };

    expect(await failing(answering(503, body))).toMatchObject({ code: 'MAINTENANCE', fields: undefined });
  });

  it.each([
    [401, { message: 'Unauthorized' }, 'UNAUTHORIZED'],
    [404, { success: false, message: 'Game tidak ditemukan.' }, 'NOT_FOUND'],
    [422, { success: false, message: 'Produk tidak sesuai.' }, 'REJECTED'],
    [422, { success: false, message: 'Produk tidak sesuai.', errors: [] }, 'REJECTED'],
    [422, { message: 'The id field is required.', errors: { id: ['...'] } }, 'VALIDATION_ERROR'],
    [429, { message: 'Too Many Attempts.' }, 'RATE_LIMITED'],
    [500, { success: false, message: 'Gagal menyimpan pesanan.' }, 'SERVER_ERROR'],
    [503, {}, 'SERVER_ERROR'],
    [409, { success: false, message: 'Bentrok.' }, 'HTTP_ERROR'],
  ])('from a bare server: %i %j is %s', async (status, body, code) => {
    expect(await failing(answering(status, body))).toMatchObject({ name: 'TopupHttpError', status, code });
  });

  it('gives the messages by field', async () => {
    const errors = { id: ['The id field is required.'], whatsapp: ['The whatsapp field is required.'] };
    const message = 'The id field is required. (and 1 more error)';

    expect(await failing(answering(422, { message, errors }))).toMatchObject({
      fields: errors,
      serverMessage: message,
    });
  });

  it('says what was answered where, and what to do', async () => {
    const error = await failing(answering(422, { success: false, message: 'Kuota habis.' }));

    expect(error).toMatchObject({
      message:
        'POST /api/order answered 422 REJECTED: Kuota habis. ' +
        'The same request will be refused again: correct it.',
      serverMessage: 'Kuota habis.',
    });
  });

  it('keeps the body and the request id', async () => {
    const body = { success: false, message: 'Ditolak.', hint: 'baru' };

    const error = await failing(answering(422, body, { 'X-Request-Id': 'req-7' }));

    expect(error).toMatchObject({ body, requestId: 'req-7' });
  });

  it('may be no JSON', async () => {
    const error = await failing(async () => new Response('<h1>Bad Gateway</h1>', { status: 502 }));

    expect(error).toMatchObject({
      code: 'SERVER_ERROR',
      body: '<h1>Bad Gateway</h1>',
      serverMessage: undefined,
    });
  });

  it('may be empty', async () => {
    const error = await failing(async () => new Response(null, { status: 401 }));

    expect(error).toMatchObject({ code: 'UNAUTHORIZED', body: undefined });
  });

  it('keeps its status when its body is cut off', async () => {
    const body = new ReadableStream({ pull: (controller) => controller.error(new TypeError('terminated')) });

    const error = await failing(async () => new Response(body, { status: 422 }));

    expect(error).toMatchObject({ name: 'TopupHttpError', status: 422, body: undefined });
  });

  it('is what a redirect is: the key does not follow it', async () => {
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
});
