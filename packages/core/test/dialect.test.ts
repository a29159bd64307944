import { describe, expect, it } from 'vitest';
import { journeyDifferences } from '../../conformance/test/helpers/dialect-journey.ts';
import { fromFetchRequest } from '../src/app/fetch.ts';
import {
  completeDialect,
  type DialectOverrides,
  inFieldOrder,
  interfaceOnlyDialect,
  orderFields,
  orderRules,
  sandboxKey,
  withheldHeaders,
  writeEmptyFields,
} from '../src/contract/index.ts';
import { responseSchemas } from '../src/contract/schemas.ts';
import { createTestService, fixtureOrder } from './helpers/test-service.ts';

/** The exact differences that each change of the dialect makes for a client. */
/** The steps of the journey that reach an operation. */
const everyStep = [
  ...[
    'games',
    'game',
    'checkout',
    'try promo',
    'check account',
    'order',
    'alias',
    'replay',
    'conflict',
    'invoice',
    'poll',
  ],
  ...[
    'no game',
    'no product',
    'no payment',
    'no promo',
    'empty',
    'malformed',
    'limits',
    'accept',
    'too many',
  ],
];

const entries: [name: string, changes: DialectOverrides, seen: string[]][] = [
  ['nothing', {}, []],
  [
    'the body of a 404',
    { errorBodies: { notFound: 'message' } },
    ['no game body.success: false -> nothing', 'no product body.success: false -> nothing'],
  ],
  [
    'the body of a rejected promo',
    { errorBodies: { promo: 'validation' } },
    [
      'no promo body.success: false -> nothing',
      'no promo body.errors.promo_code.0: nothing -> "Kode promo tidak ditemukan."',
    ],
  ],
  [
    "the body of an amount outside a method's limits",
    { errorBodies: { payment: 'envelope' } },
    ['limits body.error_code: nothing -> "PAYMENT_LIMIT"', 'limits body.errors: nothing -> {}'],
  ],
  [
    'the body of an order that failed',
    { errorBodies: { orderFailed: 'message' } },
    ['no payment body.success: false -> nothing'],
  ],
  [
    'the body of a conflict of idempotency keys',
    { errorBodies: { idempotency: 'message' } },
    ['conflict body.success: false -> nothing'],
  ],
  [
    'the body of the error for invalid JSON',
    { errorBodies: { malformed: 'business' } },
    [
      'malformed body.errors.body.0: "The request body must be valid JSON." -> nothing',
      'malformed body.success: nothing -> false',
    ],
  ],
  [
    'the body of too many requests',
    { errorBodies: { rateLimited: 'business' } },
    ['too many body.success: nothing -> false'],
  ],
  [
    'the body of HTTP errors',
    { errorBodies: { http: 'message' } },
    [
      'no route body.success: false -> nothing',
      'no route body.error_code: "ROUTE_NOT_FOUND" -> nothing',
      'no route body.errors: {} -> nothing',
    ],
  ],
  [
    'the header Retry-After',
    { headers: { retryAfter: false } },
    ['too many header retry-after: 60 -> nothing'],
  ],
  [
    'idempotency, honoured silently',
    { idempotency: 'silent' },
    [
      'order header idempotency-key: one -> nothing',
      'replay header idempotency-key: one -> nothing',
      'replay header idempotency-replayed: true -> nothing',
      'conflict header idempotency-key: one -> nothing',
      ...everyStep.map((step) => `${step} header idempotency-supported: true -> nothing`),
    ],
  ],
  [
    'the name of a payment status',
    { paymentStatuses: { PAID: 'paid' } },
    ['poll body.data.payment_status: "PAID" -> "paid"'],
  ],
  [
    'the name of a buy status',
    { buyStatuses: { Proses: 'processing' } },
    ['poll body.data.buy_status: "Proses" -> "processing"'],
  ],
  [
    'empty fields, all null',
    { emptyFields: 'null' },
    [
      'game body.data.fields.0.options: nothing -> null',
      'checkout body.game.fields.0.options: nothing -> null',
      'invoice body.order.qr_string: nothing -> null',
      'invoice body.order.qr_image_url: nothing -> null',
      'invoice body.order.serial_number: nothing -> null',
      'invoice body.order.failure_reason: nothing -> null',
      'invoice body.order.refund_amount: nothing -> null',
    ],
  ],
  [
    'the order of fields',
    { fieldOrder: ['whatsapp', 'game'] },
    [
      'empty body.message: "The id field is required. (and 4 more errors)" -> "The whatsapp field is required. (and 4 more errors)"',
      'empty fields: id,game,product_id,payment_method_id,whatsapp -> whatsapp,game,id,product_id,payment_method_id',
    ],
  ],
  [
    'the payment expiry',
    { expiryMinutes: { 'Virtual Account': 120 } },
    [
      'order body.data.expired_at: "2026-03-29T10:00:00+07:00" -> "2026-03-28T12:00:00+07:00"',
      'replay body.data.expired_at: "2026-03-29T10:00:00+07:00" -> "2026-03-28T12:00:00+07:00"',
      'invoice body.order.expired_time: 1774753200 -> 1774674000',
      'poll body.data.expired_time: 1774753200 -> 1774674000',
    ],
  ],
];

describe('a dialect changes', () => {
  for (const [name, changes, seen] of entries)
    it(`changes only ${name}`, async () => {
      expect((await journeyDifferences(changes)).toSorted()).toEqual(seen.toSorted());
    });

  it('removes a header from all responses, and changes nothing else', async () => {
    const errorCode = await journeyDifferences({ headers: { errorCode: false } });
    expect(errorCode.filter((one) => !/ header x-error-code: \w+ -> nothing$/.test(one))).toEqual([]);
    expect(errorCode).toHaveLength(10);
    const requestId = await journeyDifferences({ headers: { requestId: false } });
    expect(requestId.filter((one) => !/ header x-request-id: REQUEST -> nothing$/.test(one))).toEqual([]);
    expect(requestId).toHaveLength(21);
    const rateLimit = await journeyDifferences({ headers: { rateLimit: false } });
    expect(rateLimit.filter((one) => !/ header ratelimit(-policy)?: .* -> nothing$/.test(one))).toEqual([]);
    expect(rateLimit).toHaveLength(18);
    const etag = await journeyDifferences({ headers: { etag: false } });
    expect(
      etag.filter(
        (one) => !/ header (etag: .* -> nothing|cache-control: private, no-cache -> no-store)$/.test(one),
      ),
    ).toEqual([]);
    expect(etag.length).toBeGreaterThan(0);
  });

  it('idempotency, ignored: creates another order for a repeated key, and returns the key in no header', async () => {
    const seen = await journeyDifferences({ idempotency: 'ignored' });
    expect(seen).toContain('conflict status: 409 -> 201');
    expect(seen.filter((one) => !/^conflict | header idempotency-\w+: .* -> nothing$/.test(one))).toEqual([]);
  });

  it('empty fields, left out: removes nulls, except those that the interface specifies', async () => {
    const seen = await journeyDifferences({ emptyFields: 'absent' });
    expect(seen.filter((one) => !/: null -> nothing$|^checkout header etag: /.test(one))).toEqual([]);
    expect(seen).toContain('invoice body.order.nickname: null -> nothing');
    expect(seen.filter((one) => /qr_url|promo_code/.test(one))).toEqual([]);
  });

  it('changes the alias of the phone field', async () => {
    const seen = await journeyDifferences({ messengerNumber: false });
    expect(seen).toContain('alias status: 201 -> 422');
    expect(seen).toContain('alias header x-error-code: nothing -> VALIDATION_ERROR');
    expect(seen.filter((one) => !one.startsWith('alias '))).toEqual([]);
  });

  it('changes the languages of messages, and their headers', async () => {
    const seen = await journeyDifferences({ language: 'fixed' });
    expect(seen).toContain('no route header content-language: id -> nothing');
    expect(
      seen.filter(
        (one) => !/ header (content-language: (id|en)|vary: Accept-Language) -> nothing$/.test(one),
      ),
    ).toEqual([]);
  });

  it('rejects a missing Accept with a 422 and an HTML page', async () => {
    const seen = await journeyDifferences({ acceptRequired: true });
    expect(seen).toContain('accept status: 200 -> 422');
    expect(seen).toContain('accept header content-type: application/json -> text/html; charset=utf-8');
    expect(seen.filter((one) => !/^accept | header ratelimit: /.test(one))).toEqual([]);
  });

  it('changes the time zone of times and order ids', async () => {
    const seen = await journeyDifferences({ timezone: 'UTC' });
    expect(seen).toContain(
      'order body.data.expired_at: "2026-03-29T10:00:00+07:00" -> "2026-03-29T03:00:00+00:00"',
    );
    expect(seen).toContain(
      'poll body.data.order_id: "INV-20260328100000-LETTERS" -> "INV-20260328030000-LETTERS"',
    );
    expect(seen.filter((one) => !/(expired_at|order_?id|created_at): /i.test(one))).toEqual([]);
  });

  const routes = {
    getGame: ['game', 'no game'],
    getCheckout: ['checkout'],
    getInvoice: ['invoice'],
    getPaymentStatus: ['poll'],
    validatePromo: ['try promo'],
    checkAccount: ['check account'],
  };
  for (const [route, steps] of Object.entries(routes))
    it(`removes the route ${route}`, async () => {
      const seen = await journeyDifferences({ routes: { [route]: false } });
      for (const step of steps)
        expect(seen).toContain(
          `${step} header x-error-code: ${step === 'no game' ? 'GAME_NOT_FOUND' : 'nothing'} -> ROUTE_NOT_FOUND`,
        );
      const elsewhere = seen.filter((one) => !steps.some((step) => one.startsWith(`${step} `)));
      // The rate limiter counted one read less.
      expect(elsewhere.filter((one) => !/ header ratelimit: |^too many /.test(one))).toEqual([]);
    });
});

describe('a dialect decides', () => {
  it.each([
    [{}, []],
    [
      { headers: { errorCode: false, requestId: false, retryAfter: false } },
      ['X-Error-Code', 'X-Request-Id', 'Retry-After'],
    ],
    [{ headers: { rateLimit: false, etag: false } }, ['RateLimit', 'RateLimit-Policy', 'ETag']],
    [{ language: 'fixed' }, ['Content-Language', 'Vary']],
    [
      { idempotency: 'silent' },
      ['Idempotency-Key', 'Idempotency-Replayed', 'Idempotency-Order-Id', 'Idempotency-Supported'],
    ],
    [
      { idempotency: 'ignored' },
      ['Idempotency-Key', 'Idempotency-Replayed', 'Idempotency-Order-Id', 'Idempotency-Supported'],
    ],
  ] satisfies [DialectOverrides, string[]][])(
    'decides to withhold these headers: %j',
    (changes, withheld) => {
      expect(withheldHeaders(completeDialect(changes))).toEqual(withheld);
    },
  );

  it.each([
    [[], ['id', 'game', 'whatsapp', 'colour']],
    [
      ['whatsapp', 'game'],
      ['whatsapp', 'game', 'id', 'colour'],
    ],
  ] as const)(
    "checks %j first, then fields in the interface's sequence, then other fields",
    (fieldOrder, sorted) => {
      expect(inFieldOrder(['colour', 'whatsapp', 'id', 'game'], { fieldOrder })).toEqual(sorted);
    },
  );

  it("changes the sequence in which an order's fields are checked, but not the sequence of reads", () => {
    const { read, check } = orderRules(completeDialect({ fieldOrder: ['whatsapp', 'quantity'] }));
    const names = orderFields.map(({ name }) => name);
    expect(read.map(({ name }) => name)).toEqual(names);
    const others = names.filter((name) => name !== 'whatsapp' && name !== 'quantity');
    expect(check.map(({ name }) => name)).toEqual(['whatsapp', 'quantity', ...others]);
  });

  const category = { id: 2, title: 'Diamonds' };
  const games = {
    documented: {
      products: [
        { promo_price: null, category: null },
        { promo_price: 5, category },
      ],
      fields: [{ name: 'id' }, { name: 'server', options: ['Asia'] }],
    },
    null: {
      products: [
        { promo_price: null, category: null },
        { promo_price: 5, category },
      ],
      fields: [
        { name: 'id', options: null },
        { name: 'server', options: ['Asia'] },
      ],
    },
    absent: {
      products: [{}, { promo_price: 5, category }],
      fields: [{ name: 'id' }, { name: 'server', options: ['Asia'] }],
    },
  };
  const forms = ['documented', 'null', 'absent'] as const;

  it.each(forms)('writes empty fields in one form, whatever their original form: %s', (form) => {
    for (const before of forms)
      expect(writeEmptyFields(responseSchemas.getGame, { data: games[before] }, form)).toStrictEqual({
        data: games[form],
      });
  });

  it.each(forms)('keeps the nulls that the interface specifies: %s', (form) => {
    const body = { data: { qr_url: null, pricing: { promo_code: null } } };
    expect(writeEmptyFields(responseSchemas.createOrder, body, form)).toStrictEqual(body);
  });
});

describe('a service of the profile interface-only', () => {
  it("sends only the interface's headers in the profile interface-only", async () => {
    const limits = { text: 255, quantity: 100, bodyBytes: 65_536, readsPerMinute: 1, ordersPerMinute: 1 };
    const service = await createTestService({ settings: { dialect: interfaceOnlyDialect, limits } });
    const headers = { 'Idempotency-Key': 'one' };
    const responses = [
      await service.get('/games'),
      await service.get('/games'),
      await service.order(fixtureOrder, { headers }),
      await service.order({}, { headers }),
      await service.get('/nothing'),
    ];
    expect(responses.map(({ status }) => status)).toEqual([200, 429, 201, 429, 404]);
    const names = responses.flatMap((response) => [...response.headers.keys()]);
    expect([...new Set(names)].toSorted()).toEqual([
      'cache-control',
      'content-type',
      'x-content-type-options',
    ]);
  });

  it('sends the same response to a host without Request', async () => {
    const { app } = await createTestService({ settings: { dialect: interfaceOnlyDialect } });
    const connection = { address: '127.0.0.1', direct: true };
    const listGames = (headers: HeadersInit) => {
      const request = fromFetchRequest(new Request('http://localhost/api/games', { headers }));
      return app.handle(request, connection);
    };
    const accepted = { 'X-API-KEY': sandboxKey, Accept: 'application/json' };
    const good = await listGames(accepted);
    expect([good.status, Object.keys(good.headers)]).toEqual([
      200,
      ['Content-Type', 'Cache-Control', 'X-Content-Type-Options'],
    ]);
    expect((await listGames({ ...accepted, Accept: '*/*' })).status).toBe(422);
    expect((await listGames({ ...accepted, 'X-API-KEY': 'wrong' })).headers).not.toHaveProperty(
      'X-Error-Code',
    );
  });

  it("uses this kit's own dialect outside the interface", async () => {
    const { app } = await createTestService({ settings: { dialect: interfaceOnlyDialect } });
    const ask = (path: string, init?: RequestInit) => app.fetch(new Request(`http://localhost${path}`, init));
    expect((await ask('/health')).status).toBe(200);
    expect((await ask('/assets/games/mobile-legends.svg')).headers.get('Content-Type')).toBe('image/svg+xml');
    const rejected = await ask('/sandbox/scenario', {
      method: 'POST',
      body: '{}',
      headers: { 'Content-Type': 'application/json' },
    });
    expect(rejected.headers.get('X-Error-Code')).toBe('VALIDATION_ERROR');
    expect(await (await ask('/sandbox/nothing')).json()).toMatchObject({ error_code: 'ROUTE_NOT_FOUND' });
  });
});

describe('an interface mounted at the root', () => {
  it('serves pictures, health check and sandbox at their paths for an interface at the root, without its dialect', async () => {
    const { app } = await createTestService({ settings: { dialect: interfaceOnlyDialect, basePath: '' } });
    const ask = (path: string) => app.fetch(new Request(`http://localhost${path}`));
    for (const path of ['/health', '/assets/games/mobile-legends.svg', '/sandbox', '/openapi.json'])
      expect((await ask(path)).status, path).toBe(200);
    expect((await ask('/pay/nothing/status')).headers.get('X-Error-Code')).toBe('ROUTE_NOT_FOUND');
    expect((await ask('/games')).status).toBe(422);
  });
});

describe('a stored response', () => {
  it('replays a stored response byte for byte after a change of the dialect', async () => {
    const before = await createTestService({
      settings: { dialect: { ...interfaceOnlyDialect, idempotency: 'honoured' } },
    });
    const headers = { 'Idempotency-Key': 'one' };
    const first = await before.order(fixtureOrder, { headers });
    const after = await createTestService({
      after: before.store,
      settings: {
        dialect: {
          ...interfaceOnlyDialect,
          idempotency: 'honoured',
          timezone: 'UTC',
          messengerNumber: true,
          fieldOrder: ['whatsapp'],
        },
      },
    });
    const replayed = await after.order(fixtureOrder, { headers });
    expect([replayed.status, replayed.text]).toEqual([201, first.text]);
  });
});
