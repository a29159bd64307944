import { describe, expect, it } from 'vitest';
import {
  completeDialect,
  type Dialect,
  type DialectOverrides,
  interfaceOnlyDialect,
  kitDialect,
  sandboxKey,
} from '../../core/src/contract/index.ts';
import { createTestService } from '../../core/test/helpers/test-service.ts';
import { type ConformanceTarget, discoverFixture, learnDialect } from '../src/index.ts';
import { plausibleDialects } from './helpers/plausible-dialects.ts';

const { signal } = new AbortController();

/** A service with a dialect that the target doesn't name. */
async function serviceOf(dialect: Dialect): Promise<ConformanceTarget & { methods: string[] }> {
  const limits = { text: 255, quantity: 100, bodyBytes: 65_536, readsPerMinute: 9999, ordersPerMinute: 9999 };
  const { app, sandbox } = await createTestService({ settings: { dialect, limits } });
  const methods: string[] = [];
  return {
    methods,
    baseUrl: 'http://localhost/api',
    apiKey: sandboxKey,
    sandbox: {
      act: async (orderId, action) => void (await sandbox.act(orderId, action)),
      advance: (by) => sandbox.advance(by),
    },
    fetch(url, init) {
      methods.push(init?.method ?? 'GET');
      return app.fetch(new Request(url, init));
    },
  };
}

async function learn(dialect: Dialect, writes: boolean) {
  const service = await serviceOf(dialect);
  const { fixture } = await discoverFixture(service, { signal });
  return { ...(await learnDialect({ ...service, fixture }, { writes, signal })), methods: service.methods };
}

/** Entries that can't be learned: they show only when several things fail. */
const neverLearned = [
  'errorBodies.payment',
  'errorBodies.orderFailed',
  'errorBodies.rateLimited',
  'headers.retryAfter',
  'paymentStatuses.REFUND',
  'buyStatuses.Gagal',
];

describe('with orders, on a sandbox', () => {
  const { kit: _kit, 'interface-only': _only, 'only polling': _polling, ...open } = plausibleDialects;

  for (const [name, dialect] of Object.entries(open))
    it(`learns everything that is visible from outside: ${name}`, async () => {
      const learned = await learn(dialect, true);
      // Entries that were not learned are not compared.
      const whole = completeDialect(learned.dialect, dialect);
      expect(whole).toEqual({
        ...dialect,
        timezone: dialect.timezone ?? 'Asia/Jakarta',
        fieldOrder: whole.fieldOrder,
      });
      expect(whole.fieldOrder.slice(0, dialect.fieldOrder.length)).toEqual(dialect.fieldOrder);
      const keyless = dialect.idempotency === 'ignored' ? ['errorBodies.idempotency'] : [];
      expect(learned.unknown.toSorted()).toEqual([...neverLearned, ...keyless].toSorted());
    });
});

describe('a service whose reads fail', () => {
  const lost = () => Promise.reject(new TypeError('fetch failed'));
  const unavailable = async () => new Response('{}', { status: 503 });

  /** Learns without orders, while the requests for which `fails` returns a response get that. */
  async function learnWhile(
    fails: (path: string, count: number) => Promise<Response> | undefined,
  ): Promise<Awaited<ReturnType<typeof learnDialect>>> {
    const service = await serviceOf(kitDialect);
    const counts = new Map<string, number>();
    const target: ConformanceTarget = {
      ...service,
      fetch(url, init) {
        const path = url.slice(service.baseUrl.length);
        counts.set(path, (counts.get(path) ?? 0) + 1);
        return fails(path, counts.get(path) ?? 0) ?? service.fetch(url, init);
      },
    };
    const { fixture } = await discoverFixture(target, { signal });
    return learnDialect({ ...target, fixture }, { signal });
  }

  it.each([
    ['a 503', unavailable],
    ['a 429', async () => new Response('{}', { status: 429 })],
    ['a lost connection', lost],
  ])('learns the same dialect if two of three requests end in %s', async (_how, failure) => {
    const calm = await learnWhile(() => undefined);

    expect(await learnWhile((_path, count) => (count % 3 === 0 ? undefined : failure()))).toEqual(calm);
  });

  it.each([
    ['a 503', unavailable],
    ['a lost connection', lost],
  ])('leaves a route unknown if all requests to it end in %s', async (_how, failure) => {
    const { dialect, unknown } = await learnWhile((path) =>
      /^\/(games|invoice)\/./.test(path) ? failure() : undefined,
    );

    const routes = ['getGame', 'getInvoice', 'getPaymentStatus'];
    for (const route of routes) expect(dialect.routes).not.toHaveProperty(route);
    expect(unknown).toEqual(expect.arrayContaining(routes.map((route) => `routes.${route}`)));
  });

  it('leaves the routes of a game unknown if the list of games was not read', async () => {
    const { dialect, unknown } = await learnWhile((path) => (path === '/games' ? unavailable() : undefined));

    for (const entry of ['routes.getGame', 'routes.getCheckout', 'headers.etag', 'acceptRequired'])
      expect(unknown).toContain(entry);
    expect(dialect.routes).toMatchObject({ getInvoice: true });
  });

  it('leaves routes unknown if no request shows the response to a missing route', async () => {
    const { unknown } = await learnWhile((path) =>
      path.startsWith('/no-such-route') ? unavailable() : undefined,
    );

    for (const entry of ['routes.getInvoice', 'routes.getPaymentStatus', 'language', 'errorBodies.http'])
      expect(unknown).toContain(entry);
  });

  it('fails if the service was never reached', async () => {
    await expect(learnWhile(lost)).rejects.toMatchObject({ name: 'ConformanceFailure' });
  });
});

describe('an invalid dialect', () => {
  /** Learns the dialect of a service with changed responses. */
  async function learnChanged(change: (text: string) => string): Promise<DialectOverrides> {
    const service = await serviceOf(kitDialect);
    const target: ConformanceTarget = {
      ...service,
      async fetch(url, init) {
        const response = await service.fetch(url, init);
        return new Response(change(await response.text()), response);
      },
    };
    const { fixture } = await discoverFixture(target, { signal });
    return (await learnDialect({ ...target, fixture }, { writes: true, signal })).dialect;
  }

  it('learns no dialect from a service that uses one name for two statuses', async () => {
    const learned = await learnChanged((text) =>
      text.replaceAll('"payment_status":"PAID"', '"payment_status":"UNPAID"'),
    );
    expect(learned.paymentStatuses).toBeUndefined();
    expect(learned.buyStatuses).toEqual({ Proses: 'Proses', Sukses: 'Sukses', Batal: 'Batal' });
  });

  it('learns no dialect from orders that expire after years', async () => {
    const learned = await learnChanged((text) => text.replace(/"expired_at":"\d{4}/, '"expired_at":"2999'));
    expect(learned.expiryMinutes).toBeUndefined();
  });
});

describe('with GET requests only', () => {
  it('sends only GET requests', async () => {
    expect(new Set((await learn(kitDialect, false)).methods)).toEqual(new Set(['GET']));
  });

  it("learns the dialect of this kit's server as far as GET requests show it", async () => {
    expect((await learn(kitDialect, false)).dialect).toEqual({
      routes: kitDialect.routes,
      errorBodies: { http: 'envelope', notFound: 'business' },
      headers: { errorCode: true, requestId: true, rateLimit: true, etag: true },
      language: 'requested',
      acceptRequired: false,
      emptyFields: 'documented',
    });
  });

  it('learns that a service has no extensions', async () => {
    expect((await learn(interfaceOnlyDialect, false)).dialect).toEqual({
      routes: interfaceOnlyDialect.routes,
      errorBodies: { http: 'message' },
      headers: { errorCode: false, requestId: false, etag: false },
      language: 'fixed',
      acceptRequired: true,
    });
  });

  it('distinguishes an existing route from a missing route, although both respond with 404', async () => {
    const dialect = plausibleDialects['only polling'] ?? expect.fail();
    expect((await learn(dialect, false)).dialect.routes).toEqual(dialect.routes);
  });
});

describe("a fixture from a service's catalogue", () => {
  it('finds an order that the service accepts, for a game that can be ordered', async () => {
    const service = await serviceOf(kitDialect);
    const { fixture, orderable } = await discoverFixture(service, { signal });
    expect(orderable).toBe(true);
    expect(fixture).toEqual({
      order: {
        id: '12345678',
        server: '2012',
        game: 'mobile-legends',
        product_id: 901,
        payment_method_id: 12,
        whatsapp: '081234567890',
      },
      needsServer: true,
      otherGameProductId: expect.any(Number),
      closedGame: expect.any(String),
    });
  });

  it("finds no order at a service that doesn't show its products", async () => {
    const service = await serviceOf(interfaceOnlyDialect);
    const { fixture, orderable } = await discoverFixture(service, { signal });
    expect([orderable, fixture.order.game]).toEqual([false, 'mobile-legends']);
  });

  it('uses the given order and its promo code', async () => {
    const order = { id: '1', game: 'x', product_id: 1, payment_method_id: 2, whatsapp: '08' };
    const service = await serviceOf(interfaceOnlyDialect);
    const given = { ...order, promo_code: 'HEMAT' };
    const { fixture, orderable } = await discoverFixture(service, { order: given, signal });
    expect([orderable, fixture.order, fixture.promoCode]).toEqual([true, order, 'HEMAT']);
  });
});
