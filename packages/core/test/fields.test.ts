import { describe, expect, it } from 'vitest';
import {
  interfaceOnlyDialect,
  messagesByField,
  normaliseFields,
  orderFields,
  orderPayload,
  orderRules,
  promoFields,
  validateFields,
} from '../src/contract/index.ts';

describe('reading the fields of a body', () => {
  it.each([
    ['text is trimmed', { id: ' 123 45\n' }, { id: '123 45' }],
    ['empty, blank and null fields count as missing', { id: '', server: null, nickname: '  ' }, {}],
    [
      'an integer may be a text',
      { product_id: '901', payment_method_id: ' +12 ' },
      { product_id: 901, payment_method_id: 12 },
    ],
    [
      'other texts stay texts',
      { product_id: '012', payment_method_id: '1.5' },
      { product_id: '012', payment_method_id: '1.5' },
    ],
    ['a number in a text field stays a number', { id: 12 }, { id: 12 }],
    [
      'a list or an object is invalid for every field',
      { id: ['12'], product_id: [901], game: { id: 11 } },
      { id: [], product_id: [], game: [] },
    ],
    ['unknown fields are ignored', { colour: 'red', undefined: '0812' }, {}],
    ['messenger_number is an alias of whatsapp', { messenger_number: ' 0812' }, { whatsapp: '0812' }],
    [
      'whatsapp takes precedence over messenger_number',
      { messenger_number: '0811', whatsapp: '0812' },
      { whatsapp: '0812' },
    ],
    [
      'an empty whatsapp does not take precedence',
      { messenger_number: '0811', whatsapp: ' ' },
      { whatsapp: '0811' },
    ],
    [
      'a null whatsapp does not take precedence',
      { messenger_number: '0811', whatsapp: null },
      { whatsapp: '0811' },
    ],
    ['a quantity replaces the default', { quantity: '3' }, { quantity: 3 }],
  ])('%s', (_rule, body, read) => {
    expect(normaliseFields(orderFields, body)).toStrictEqual({ quantity: 1, ...read });
  });

  it('ignores messenger_number if the dialect lacks it', () => {
    const { read } = orderRules(interfaceOnlyDialect);
    expect(normaliseFields(read, { messenger_number: '0811' })).toStrictEqual({ quantity: 1 });
  });

  it('ignores return_url if the dialect has only the interface', () => {
    const { read } = orderRules(interfaceOnlyDialect);
    expect(normaliseFields(read, { return_url: 'https://shop.example' })).toStrictEqual({ quantity: 1 });
  });

  it("reads fields in the interface's sequence, whatever the sequence in the body", () => {
    const body = { promo_code: 'A', whatsapp: '0812', game: 'g', id: '1' };
    expect(Object.keys(normaliseFields(orderFields, body))).toEqual([
      'id',
      'game',
      'whatsapp',
      'promo_code',
      'quantity',
    ]);
  });
});

describe('a field', () => {
  const messageOf = (name: string, value: unknown): string | undefined => {
    const checked = validateFields(orderFields, normaliseFields(orderFields, { [name]: value }));
    const errors = 'errors' in checked ? checked.errors : {};
    const messages = messagesByField(errors, 'en')[name] ?? [];
    expect(messages.length).toBeLessThan(2);
    return messages[0];
  };
  // Two code units each, as emoji have.
  const wide = (characters: number): string => '😀'.repeat(characters);

  it.each<[name: string, value: unknown, message: string | undefined]>([
    ['id', undefined, 'The id field is required.'],
    ['id', 12, 'The id field must be a string.'],
    ['id', true, 'The id field must be a string.'],
    ['id', ['12'], 'The id field must be a string.'],
    ['id', '12', undefined],
    ['server', undefined, undefined],
    ['payment_method_id', null, 'The payment method id field is required.'],
    ['product_id', 'x', 'The product id field must be an integer.'],
    ['product_id', 1.5, 'The product id field must be an integer.'],
    ['product_id', '012', 'The product id field must be an integer.'],
    ['product_id', 2 ** 53, 'The product id field must be an integer.'],
    ['product_id', true, 'The product id field must be an integer.'],
    ['product_id', -1, undefined],
    ['email', 'nobody', 'The email field must be a valid email address.'],
    ['email', 'a@example.com', undefined],
    ['nickname', 'nobody', undefined],
    ['quantity', 0, 'The quantity field must be at least 1.'],
    ['quantity', 1, undefined],
    ['quantity', 100, undefined],
    ['quantity', '101', 'The quantity field must not be greater than 100.'],
    ['nickname', 'x'.repeat(255), undefined],
    ['nickname', 'x'.repeat(256), 'The nickname field must not be greater than 255 characters.'],
    ['nickname', wide(255), undefined],
    ['nickname', wide(256), 'The nickname field must not be greater than 255 characters.'],
  ])('%s of %j: %s', (name, value, message) => {
    expect(messageOf(name, value)).toBe(message);
  });

  it.each(['081234567890', '6281234567890', '+62 (0)812-3456-7890', '+65 8123 4567', '021 5551 234'])(
    'accepts %s as a phone number',
    (phone) => {
      expect(messageOf('whatsapp', phone)).toBeUndefined();
    },
  );

  it.each([
    ...['hello', '123', '08', '+62', '62', '0812-hello-7890', '+0812345678', '1234567890123456'],
    '++6281234567890',
  ])('rejects %s as a phone number', (text) => {
    expect(messageOf('whatsapp', text)).toBe('The whatsapp field must be a valid phone number.');
  });

  it.each([
    'https://shop.example/orders/{order_id}?from=pay#top',
    'http://localhost:5173/#/invoice/{order_id}',
    'HTTPS://SHOP.EXAMPLE',
  ])('accepts %s as a return URL', (url) => {
    expect(messageOf('return_url', url)).toBeUndefined();
  });

  it.each([
    ...['shop.example', '/orders', '//shop.example', 'https://', 'javascript:alert(1)', 'data:text/html,x'],
    ...['java script:alert(1)', 'https:evil.example', 'https://shop.example/a b', 'app://open'],
    ...['https://shop.example@evil.example/', 'https://:secret@shop.example/'],
  ])('rejects %j as a return URL', (text) => {
    expect(messageOf('return_url', text)).toBe('The return url field must be a valid URL.');
  });

  it('rejects a return URL with a tab, which browsers remove', () => {
    expect(messageOf('return_url', 'java\tscript:alert(1)')).toBe(
      'The return url field must not contain U+0009 (character 5).',
    );
  });

  it.each([
    ['https://shop.example/orders', true],
    ['https://SHOP.example:443/orders', true],
    ['http://shop.example/', false],
    ['https://shop.example:8443/', false],
    ['https://shop.example.evil.example/', false],
    ['https://evil.example/https://shop.example/', false],
    ['https://evil.example\\@shop.example/', false],
    ['https://{order_id}.evil.example/', false],
  ])('treats a return URL as %s by its allowed origins: %s', (return_url, isAllowed) => {
    const limits = { text: 255, quantity: 1, returnOrigins: ['https://shop.example'] };
    const checked = validateFields(orderFields, { return_url }, limits);
    expect('errors' in checked && checked.errors.return_url).toEqual(
      isAllowed ? undefined : [{ rule: 'returnOrigin' }],
    );
  });

  it('returns several messages for a field', () => {
    const read = normaliseFields(orderFields, { email: 'x'.repeat(256) });
    const checked = validateFields(orderFields, read);
    expect('errors' in checked && messagesByField(checked.errors, 'en').email).toEqual([
      'The email field must be a valid email address.',
      'The email field must not be greater than 255 characters.',
    ]);
  });

  it("applies the deployment's limits to fields", () => {
    const read = normaliseFields(promoFields, {
      code: 'LONG',
      game_slug: 'abc',
      product_id: 1,
      payment_method_id: 2,
    });
    expect(validateFields(promoFields, read)).toEqual({ values: read });
    const checked = validateFields(promoFields, read, { text: 3, quantity: 1 });
    expect(checked).toEqual({ errors: { code: [{ rule: 'maximumLength', params: { limit: 3 } }] } });
  });
});

describe('the payload of an idempotency key', () => {
  it('gives two notations of a phone number the same idempotency payload, but other texts different payloads', () => {
    expect(orderPayload({ whatsapp: '0812-3456-7890' })).toBe(
      orderPayload({ whatsapp: '+62 812 3456 7890' }),
    );
    expect(orderPayload({ whatsapp: 'call 0812' })).not.toBe(orderPayload({ whatsapp: 'text 0812' }));
    expect(orderPayload({ id: '0812-3456-7890' })).not.toBe(orderPayload({ id: '6281234567890' }));
  });
});
