import { describe, expect, it } from 'vitest';
import { discoverSample, learnDialect, type Target } from '../src/conformance/index.ts';
import {
  completeDialect,
  type Dialect,
  type DialectChanges,
  interfaceOnly,
  kitDialect,
} from '../src/contract/index.ts';
import { sandboxKey } from '../src/engine/index.ts';
import { plausibleDialects } from './helpers/plausible-dialects.ts';
import { createTestService } from './helpers/test-service.ts';

const { signal } = new AbortController();

/** A service of a dialect, which nobody is told. */
async function serviceOf(dialect: Dialect): Promise<Target & { methods: string[] }> {
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
  const { sample } = await discoverSample(service, { signal });
  return { ...(await learnDialect({ ...service, sample }, { writes, signal })), methods: service.methods };
}

/** What a service shows no client: too much of it would have to go wrong. */
const neverSeen = [
  'errorBodies.payment',
  'errorBodies.orderFailed',
  'errorBodies.rateLimited',
  'headers.retryAfter',
  'paymentStatuses.REFUND',
  'buyStatuses.Gagal',
];

describe('with orders, on a sandbox', () => {
  const { kit: _kit, 'interface-only': _only, 'polling alone': _polling, ...open } = plausibleDialects;

  for (const [name, dialect] of Object.entries(open))
    it(`learns all that can be seen of: ${name}`, async () => {
      const learned = await learn(dialect, true);
      // What is not learned is as it is: it is not compared here.
      const whole = completeDialect(learned.dialect, dialect);
      expect(whole).toEqual({
        ...dialect,
        timezone: dialect.timezone ?? 'Asia/Jakarta',
        fieldOrder: whole.fieldOrder,
      });
      expect(whole.fieldOrder.slice(0, dialect.fieldOrder.length)).toEqual(dialect.fieldOrder);
      const keyless = dialect.idempotency === 'ignored' ? ['errorBodies.idempotency'] : [];
      expect(learned.unknown.toSorted()).toEqual([...neverSeen, ...keyless].toSorted());
    });
});

describe('what no service could be told to speak', () => {
  /** The service with the answers of some path changed. */
  async function learnSpoilt(spoil: (text: string) => string): Promise<DialectChanges> {
    const service = await serviceOf(kitDialect);
    const target: Target = {
      ...service,
      async fetch(url, init) {
        const response = await service.fetch(url, init);
        return new Response(spoil(await response.text()), response);
      },
    };
    const { sample } = await discoverSample(target, { signal });
    return (await learnDialect({ ...target, sample }, { writes: true, signal })).dialect;
  }

  it('is not learned of statuses that have one name', async () => {
    const learned = await learnSpoilt((text) =>
      text.replaceAll('"payment_status":"PAID"', '"payment_status":"UNPAID"'),
    );
    expect(learned.paymentStatuses).toBeUndefined();
    expect(learned.buyStatuses).toEqual({ Proses: 'Proses', Sukses: 'Sukses', Batal: 'Batal' });
  });

  it('is not learned of orders that wait for years', async () => {
    const learned = await learnSpoilt((text) => text.replace(/"expired_at":"\d{4}/, '"expired_at":"2999'));
    expect(learned.expiryMinutes).toBeUndefined();
  });
});

describe('with GET alone', () => {
  it('sends nothing else', async () => {
    expect(new Set((await learn(kitDialect, false)).methods)).toEqual(new Set(['GET']));
  });

  it("learns this kit's own dialect as far as GET shows it", async () => {
    expect((await learn(kitDialect, false)).dialect).toEqual({
      routes: kitDialect.routes,
      errorBodies: { http: 'envelope', notFound: 'business' },
      headers: { errorCode: true, requestId: true, rateLimit: true },
      acceptRequired: false,
      emptyFields: 'documented',
    });
  });

  it('learns that a service has nothing but the interface', async () => {
    expect((await learn(interfaceOnly, false)).dialect).toEqual({
      routes: interfaceOnly.routes,
      errorBodies: { http: 'message' },
      headers: { errorCode: false, requestId: false },
      acceptRequired: true,
    });
  });

  it('tells a route that is there from one that is not, though both answer 404', async () => {
    const dialect = plausibleDialects['polling alone'] ?? expect.fail();
    expect((await learn(dialect, false)).dialect.routes).toEqual(dialect.routes);
  });
});

describe('a sample of what a service shows', () => {
  it('is an order that is taken, of a game that can be ordered', async () => {
    const service = await serviceOf(kitDialect);
    const { sample, orderable } = await discoverSample(service, { signal });
    expect(orderable).toBe(true);
    expect(sample).toEqual({
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

  it('is not to be had of a service that does not show its products', async () => {
    const service = await serviceOf(interfaceOnly);
    const { sample, orderable } = await discoverSample(service, { signal });
    expect([orderable, sample.order.game]).toEqual([false, 'mobile-legends']);
  });

  it('is the order that was given, and its promo code', async () => {
    const order = { id: '1', game: 'x', product_id: 1, payment_method_id: 2, whatsapp: '08' };
    const service = await serviceOf(interfaceOnly);
    const given = { ...order, promo_code: 'HEMAT' };
    const { sample, orderable } = await discoverSample(service, { order: given, signal });
    expect([orderable, sample.order, sample.promoCode]).toEqual([true, order, 'HEMAT']);
  });
});
