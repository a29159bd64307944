import { describe, expect, it } from 'vitest';
import { fromFetchRequest } from '../src/app/fetch.ts';
import {
  chooseLocale,
  fieldMessages,
  interfaceOnlyDialect,
  kitDialect,
  locales,
  phoneDigits,
} from '../src/contract/index.ts';
import { createTestService, fixtureOrder } from './helpers/test-service.ts';

const inEnglish = { headers: { 'Accept-Language': 'en-GB,en;q=0.9,id;q=0.5' } };

describe('the language of a request', () => {
  it.each([
    [null, 'id'],
    ['', 'id'],
    ['*', 'id'],
    ['en', 'en'],
    ['EN-us', 'en'],
    ['id-ID,id;q=0.9,en-US;q=0.8', 'id'],
    ['id;q=0.3, en;q=0.8', 'en'],
    ['fr-FR, en;q=0.4', 'en'],
    ['fr, de', 'id'],
    ['en;q=0, id', 'id'],
    ['en;q=x', 'id'],
    ['en;q=0', 'id'],
    ['en;q=2', 'id'],
    ['en;level=1;q=0.9, id;q=0.5', 'en'],
    ['*, en;q=0.5', 'id'],
    ['in-ID, en;q=0.9', 'id'],
    [`en${',x'.repeat(5_000)}`, 'id'],
  ])('reads %s as %s in an Indonesian service', (header, locale) => {
    expect(chooseLocale(header, 'id')).toBe(locale);
  });

  it("uses an English service's default language for * and for other languages", () => {
    for (const header of [null, '*', 'fr']) expect(chooseLocale(header, 'en')).toBe('en');
    expect(chooseLocale('id', 'en')).toBe('id');
  });
});

describe('a response', () => {
  it("writes the message, the fields and their number in the request's language", async () => {
    const { order } = await createTestService();
    const english = await order({ quantity: 0 }, inEnglish);
    expect(english.json.message).toBe('The id field is required. (and 5 more errors)');
    expect(english.json.errors.quantity).toEqual(['The quantity field must be at least 1.']);
    expect(english.headers.get('Content-Language')).toBe('en');
    expect(english.headers.get('Vary')).toBe('Accept-Language');
    const indonesian = await order({ quantity: 0 }, { headers: { 'Accept-Language': 'id' } });
    expect(indonesian.json.message).toBe('Kolom id wajib diisi. (dan 5 kesalahan lainnya)');
    expect(indonesian.json.errors.quantity).toEqual(['Kolom quantity minimal 1.']);
    expect(indonesian.headers.get('Content-Language')).toBe('id');
  });

  it('writes messages about fields in English, like live services, unless a request asks for another language', async () => {
    const { order, send } = await createTestService();
    const { json, headers } = await order({ quantity: 0 });
    expect(json.message).toBe('The id field is required. (and 5 more errors)');
    expect(headers.get('Content-Language')).toBe('en');
    const contentType = { 'Content-Type': 'application/json' };
    const malformed = await send('/order', { method: 'POST', body: '{', headers: contentType });
    expect(malformed.json.message).toBe('The request body must be valid JSON.');
    expect(malformed.headers.get('Content-Language')).toBe('en');
  });

  it('writes amounts in the notation of the language', async () => {
    const { order } = await createTestService();
    const cheap = { ...fixtureOrder, promo_code: 'HEMAT5K', quantity: 1 };
    expect((await order(cheap, inEnglish)).json.message).toBe(
      'The minimum purchase of Rp 50,000 is not met.',
    );
    expect((await order(cheap)).json.message).toBe('Minimal pembelian Rp 50.000 tidak terpenuhi.');
  });

  it("replays an order's response in its original language", async () => {
    const { order } = await createTestService();
    const key = { 'Idempotency-Key': 'k' };
    const first = await order(fixtureOrder, { headers: { ...inEnglish.headers, ...key } });
    expect(first.json.message).toBe('The order was created.');
    const again = await order(fixtureOrder, { headers: { 'Accept-Language': 'id', ...key } });
    expect(again.text).toBe(first.text);
    expect(again.headers.get('Content-Language')).toBe('en');
  });

  it('sends the same response in every language if its message is fixed or missing', async () => {
    const { get } = await createTestService();
    for (const response of [
      await get('/games', { key: 'wrong', ...inEnglish }),
      await get('/games', inEnglish),
    ]) {
      expect(response.headers.get('Content-Language')).toBeNull();
      expect(response.headers.get('Vary')).toBeNull();
    }
  });

  it('sends the same list of games when a host reads the language header', async () => {
    const { app, keyOf } = await createTestService();
    const key = await keyOf('shop', ['orders:write']);
    const connection = { address: '127.0.0.1', direct: true };
    const listGames = (headers: HeadersInit) => {
      const request = fromFetchRequest(
        new Request('http://localhost/api/games', { headers: { 'X-API-KEY': key, ...headers } }),
      );
      return app.handle(request, connection);
    };
    const plain = await listGames({ 'Accept-Language': 'en' });
    expect(JSON.parse(String(plain.body)).message).toBe('This API key does not have the scope catalog:read.');
    expect(plain.headers['Content-Language']).toBe('en');
    const own = await listGames({});
    expect(JSON.parse(String(own.body)).message).toBe('API key ini tidak memiliki izin catalog:read.');
  });

  it("uses the service's default language if the dialect fixes it, except outside the interface", async () => {
    const { order, app } = await createTestService({ settings: { dialect: interfaceOnlyDialect } });
    const fixed = await order({ ...fixtureOrder, game: 'nothing' }, inEnglish);
    expect(fixed.json.message).toBe('Game tidak ditemukan.');
    expect(fixed.headers.get('Content-Language')).toBeNull();
    const page = await app.fetch(new Request('http://localhost/nothing', inEnglish));
    expect(await page.json()).toMatchObject({
      message: 'There is nothing at /nothing. The API is below /api.',
    });
    expect(page.headers.get('Content-Language')).toBe('en');
  });
});

describe('phone numbers', () => {
  it('compares phone numbers by their digits, and strings without digits unchanged', () => {
    expect(phoneDigits('+62 (0)812-3456')).toBe('628123456');
    expect(phoneDigits('+65 8123 4567')).toBe('6581234567');
    expect(phoneDigits('0062 812 3456')).toBe('628123456');
    expect(phoneDigits('0065 8123 4567')).toBe('6581234567');
    expect(phoneDigits('at noon')).toBe('at noon');
  });

  it('stores phone numbers as written', async () => {
    const { order, get } = await createTestService();
    const { json } = await order({ ...fixtureOrder, whatsapp: '+62 (0)812-3456-7890' });
    expect((await get(`/invoice/${json.orderId}`)).json.order.whatsapp).toBe('+62 (0)812-3456-7890');
  });

  /** One number, in the notations of phones, forms and people. */
  const notations = [
    '081234567890',
    '0812-3456-7890',
    '6281234567890',
    '+6281234567890',
    '+62 812-3456-7890',
    '+62 0812 3456 7890',
    '+62 (0)812-3456-7890',
    '62 0812 3456 7890',
  ];

  it('replays an order for a key in each notation of the phone number', async () => {
    const { order } = await createTestService();
    const headers = { 'Idempotency-Key': 'one' };
    const { json } = await order({ ...fixtureOrder, whatsapp: '0812 3456 7890' }, { headers });
    for (const whatsapp of notations)
      expect((await order({ ...fixtureOrder, whatsapp }, { headers })).json.orderId).toBe(json.orderId);
    const other = await order({ ...fixtureOrder, whatsapp: '081234567891' }, { headers });
    expect(other.headers.get('X-Error-Code')).toBe('IDEMPOTENCY_CONFLICT');
  });

  it('counts each notation of a phone number as one customer', async () => {
    const { order } = await createTestService();
    const once = { ...fixtureOrder, promo_code: 'ONCE20' };
    expect((await order({ ...once, whatsapp: '0812 3456 7890' })).status).toBe(201);
    for (const whatsapp of notations) {
      const { headers } = await order({ ...once, whatsapp });
      expect(headers.get('X-Error-Code')).toBe('PROMO_USED');
    }
  });

  it('counts each notation as one customer in promo validations as well', async () => {
    const { order, send } = await createTestService();
    const { game, product_id, payment_method_id } = fixtureOrder;
    const once = { ...fixtureOrder, promo_code: 'ONCE20', whatsapp: '0812 3456 7890' };
    expect((await order(once)).status).toBe(201);
    for (const whatsapp of notations) {
      const { headers } = await send('/promo/validate', {
        method: 'POST',
        body: JSON.stringify({ code: 'ONCE20', game_slug: game, product_id, payment_method_id, whatsapp }),
        headers: { 'Content-Type': 'application/json' },
      });
      expect(headers.get('X-Error-Code')).toBe('PROMO_USED');
    }
  });

  it('validates phone numbers in promo validations', async () => {
    const { send } = await createTestService();
    const { game, product_id, payment_method_id } = fixtureOrder;
    const body = { code: 'RAMADAN10', game_slug: game, product_id, payment_method_id, whatsapp: '123' };
    const headers = { 'Content-Type': 'application/json' };
    const { status, json } = await send('/promo/validate', {
      method: 'POST',
      body: JSON.stringify(body),
      headers,
    });
    expect([status, Object.keys(json.errors)]).toEqual([422, ['whatsapp']]);
  });

  it('accepts any text as a phone number if the dialect says so', async () => {
    const { order } = await createTestService({
      settings: { dialect: { ...kitDialect, phoneNumbers: 'text' } },
    });
    expect((await order({ ...fixtureOrder, whatsapp: 'hello' })).status).toBe(201);
  });
});

describe('the messages about fields', () => {
  it('uses the same placeholders in each language', () => {
    const placeholders = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted();
    for (const texts of Object.values(fieldMessages))
      for (const locale of locales) expect(placeholders(texts[locale])).toEqual(placeholders(texts.en));
  });
});
