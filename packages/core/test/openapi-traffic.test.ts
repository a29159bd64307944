import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { conformanceCases, runCase, sandboxFixture } from '../../conformance/src/index.ts';
import { defaultLimits } from '../src/app/index.ts';
import { headers, type Operation, operations, type Route, routes } from '../src/contract/index.ts';
import { createOpenApi, type OpenApiDocument, type ResponseObject } from '../src/contract/openapi/index.ts';
import { StoreError } from '../src/features/store.ts';
import { crowded } from './helpers/crowded.ts';
import { createTestService, type TestServiceOptions } from './helpers/test-service.ts';

/** A request and its response. */
interface Exchange {
  method: string;
  path: string;
  status: number;
  headers: Headers;
  text: string;
}

const document = createOpenApi({ serverUrl: 'http://localhost/api', limits: defaultLimits });

/** Headers of HTTP itself, which need no documentation. */
const common = new Set([
  'content-type',
  'content-length',
  'cache-control',
  'etag',
  'x-content-type-options',
  'allow',
]);

/** The document without additional properties in any object, so that undocumented fields are found. */
const closed = (document: OpenApiDocument): OpenApiDocument =>
  JSON.parse(JSON.stringify(document), (_, value) =>
    value?.type === 'object' && value.properties ? { ...value, additionalProperties: false } : value,
  );

/** Compares responses with a document. */
function createChecker(document: OpenApiDocument) {
  const ajv = new Ajv2020({ allErrors: true, strict: false, formats: { int64: true } });
  ajv.addSchema(closed(document), 'kit');

  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      method: method.toUpperCase(),
      pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
      pointer: `kit#/paths/${path.replaceAll('/', '~1')}/${method}/responses`,
      operation,
    })),
  );

  const find = ({ method, path }: Exchange) =>
    operations.find((one) => one.method === (method === 'HEAD' ? 'GET' : method) && one.pattern.test(path));

  function schemaErrors(ref: string, value: unknown): string[] {
    const validate = ajv.getSchema(ref);
    if (!validate) return [`${ref}: no schema`];
    return validate(value) ? [] : [ajv.errorsText(validate.errors)];
  }

  function headerErrors(response: ResponseObject, received: Headers): string[] {
    const documented = Object.entries(response.headers);
    const names = new Set(documented.map(([name]) => name.toLowerCase()));
    return [
      ...[...received.keys()]
        .filter((name) => !names.has(name) && !common.has(name))
        .map((name) => `${name}: not documented`),
      ...documented.flatMap(([name, { schema }]) => {
        const value = received.get(name);
        if (value === null)
          return name === headers.requestId || name === headers.errorCode ? [`${name}: missing`] : [];
        const fits = ajv.validate(schema, schema.type === 'integer' ? Number(value) : value);
        return fits ? [] : [`${name}: ${value}`];
      }),
    ];
  }

  /** A message must match the documented one of its code. The message of a validation error depends on the fields. */
  function messageErrors(response: ResponseObject, received: Headers, body: unknown): string[] {
    const code = received.get(headers.errorCode);
    const listed = response['x-topup-errors']?.find((error) => error.code === code);
    if (!listed || listed.shape === 'validation') return [];
    const pattern = listed.message.id.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{\w+\}/g, '.+');
    const message = body instanceof Object && 'message' in body ? String(body.message) : '';
    return new RegExp(`^${pattern}$`).test(message) ? [] : [`${code}: ${message}`];
  }

  /** Checks the response to a request that matches no operation. */
  function unmatchedErrors({ status, headers: received, text }: Exchange): string[] {
    const listed = document['x-topup-errors'].find(({ code }) => code === received.get(headers.errorCode));
    if (listed?.status !== status) return [`${status} ${received.get(headers.errorCode)}: not documented`];
    const body = listed.shape === 'message' ? 'MessageBody' : 'EnvelopeBody';
    return schemaErrors(`kit#/components/schemas/${body}`, JSON.parse(text));
  }

  return {
    nameOf: (exchange: Exchange) => find(exchange)?.operation.operationId ?? 'none',
    /** The differences between a response and the document. */
    errorsOf(exchange: Exchange): string[] {
      const found = find(exchange);
      if (!found) return unmatchedErrors(exchange);
      const response = found.operation.responses[exchange.status];
      if (!response) return [`${exchange.status}: not documented`];
      if (!response.content)
        return [...(exchange.text === '' ? [] : ['a body']), ...headerErrors(response, exchange.headers)];
      const schema = `${found.pointer}/${exchange.status}/content/application~1json/schema`;
      const body: unknown = exchange.method === 'HEAD' ? undefined : JSON.parse(exchange.text);
      return [
        ...(exchange.headers.get('content-type') === 'application/json' ? [] : ['not JSON']),
        ...(body === undefined ? [] : schemaErrors(schema, body)),
        ...(body === undefined ? [] : messageErrors(response, exchange.headers, body)),
        ...headerErrors(response, exchange.headers),
      ];
    },
  };
}

const checker = createChecker(document);
const traffic: Exchange[] = [];

/** A store that can't be reached for a moment. */
class StoreAway extends StoreError {
  readonly retryAfter = 1;
  readonly isReported = true;
}

/** A service whose responses are recorded. */
async function recorded(options: TestServiceOptions = {}) {
  const service = await createTestService(options);
  return {
    service,
    async fetch(input: string, init?: RequestInit): Promise<Response> {
      const request = new Request(input, init);
      const { pathname } = new URL(request.url);
      const response = await service.app.fetch(request);
      if (pathname.startsWith('/api/'))
        traffic.push({
          method: request.method,
          path: pathname.slice('/api'.length),
          status: response.status,
          headers: response.headers,
          text: await response.clone().text(),
        });
      return response;
    },
  };
}

type Recorded = Awaited<ReturnType<typeof recorded>>;

const named = (exchange: Exchange): string =>
  `${checker.nameOf(exchange)} ${exchange.status} ${exchange.headers.get(headers.errorCode) ?? 'success'}`;

/** Compares all responses from an index on with the document. */
function expectDocumented(since: number): void {
  expect(traffic.length).toBeGreaterThan(since);
  for (const exchange of traffic.slice(since))
    expect([named(exchange), checker.errorsOf(exchange)]).toEqual([named(exchange), []]);
}

/** Sends the example request of an operation, or another body. */
function send({ fetch }: Recorded, operation: Operation, key: string, body?: string): Promise<Response> {
  const { method, path, example }: Route = routes[operation];
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => example.path?.[name] ?? '');
  const sent = body ?? (example.body && JSON.stringify(example.body));
  return fetch(`http://localhost/api${filled}`, {
    method,
    headers: { 'X-API-KEY': key, 'Content-Type': 'application/json' },
    ...(sent !== undefined && { body: sent }),
  });
}

describe('the OpenAPI document, compared with all conformance traffic', async () => {
  const { service, fetch } = await recorded();
  const target = {
    baseUrl: 'http://localhost/api',
    apiKey: await service.keyOf('shop'),
    otherApiKey: await service.keyOf('other'),
    fetch,
  };

  it.each(conformanceCases.map((one) => [one.name, one] as const))(
    '%s',
    { timeout: 60_000 },
    async (_, one) => {
      const before = traffic.length;
      const { outcome, reason } = await runCase(one, target);
      if (one.name === crowded) expect(outcome, reason).toBe('passed');
      // One case sends a thousand orders that are all alike.
      if (traffic.length > before) expectDocumented(Math.max(before, traffic.length - 100));
    },
  );
});

describe("the OpenAPI document, compared with traffic that conformance can't cause", () => {
  it("documents every operation's errors for keys, rate limits and a failing store", async () => {
    const before = traffic.length;
    const sound = await recorded();
    const broken = await recorded({
      // The revision is read for every request.
      store: (store) => ({
        ...store,
        revision: () => Promise.reject(new Error('disk')),
        findOrder: () => Promise.reject(new Error('disk')),
      }),
    });
    const strict = await recorded({
      settings: { limits: { ...defaultLimits, readsPerMinute: 1, ordersPerMinute: 1 } },
    });
    for (const operation of operations) {
      const everywhere = await sound.service.keyOf('shop');
      await send(sound, operation, await sound.service.keyOf('shop', []));
      await send(sound, operation, everywhere);
      await send(broken, operation, await broken.service.keyOf('shop'));
      const once = await strict.service.keyOf('shop');
      await send(strict, operation, once);
      await send(strict, operation, once);
    }
    expectDocumented(before);
  });

  it('documents an unavailable service for every operation', async () => {
    const before = traffic.length;
    const away = await recorded({
      store: (store) => ({
        ...store,
        revision: () => Promise.reject(new StoreAway('the database is away')),
      }),
    });
    for (const operation of operations) await send(away, operation, await away.service.keyOf('shop'));
    expect(new Set(traffic.slice(before).map(({ status }) => status))).toEqual(new Set([503]));
    expectDocumented(before);
  });

  it('documents the errors of a promo code and of an account', async () => {
    const before = traffic.length;
    const sound = await recorded();
    const key = await sound.service.keyOf('shop');
    const body = routes.validatePromo.example.body;
    for (const code of ['NOTHING', ...Object.values(sandboxFixture.rejectedPromos ?? {})])
      await send(sound, 'validatePromo', key, JSON.stringify({ ...body, code }));
    for (const wrong of ['{', '{}', JSON.stringify({ ...body, game_slug: 'nothing' }), ' '.repeat(70_000)])
      await send(sound, 'validatePromo', key, wrong);
    await sound.fetch('http://localhost/api/promo/validate', {
      method: 'POST',
      headers: { 'X-API-KEY': key },
      body: 'text',
    });
    for (const wrong of ['{', '{}', JSON.stringify({ game: 'nothing', id: '1' }), ' '.repeat(70_000)])
      await send(sound, 'checkAccount', key, wrong);
    await sound.fetch('http://localhost/api/account/check', {
      method: 'POST',
      headers: { 'X-API-KEY': key },
      body: 'text',
    });
    await send(sound, 'checkAccount', 'no key');
    await send(sound, 'validatePromo', 'no key');
    await send(sound, 'listOrders', 'no key');
    await send(sound, 'listEvents', 'no key');
    expectDocumented(before);
  });

  it('documents an unchanged catalogue', async () => {
    const before = traffic.length;
    const sound = await recorded();
    const headers = { 'X-API-KEY': await sound.service.keyOf('shop'), 'If-None-Match': '*' };
    for (const path of ['/games', '/games/mobile-legends', '/order/mobile-legends'])
      await sound.fetch(`http://localhost/api${path}`, { headers });
    expect(traffic.slice(before).map(({ status }) => status)).toEqual([304, 304, 304]);
    expectDocumented(before);
  });

  it("documents that a key's order is being placed", async () => {
    const before = traffic.length;
    const inFlight = {
      accountId: 'shop',
      orderId: 'INV-1-ABCDEFGH',
      key: 'key-1',
      fingerprint: '',
      body: null,
      locale: null,
      expiresAt: 0,
    };
    const placing = await recorded({
      store: (store) => ({ ...store, findIdempotentResponse: async () => inFlight }),
    });
    const key = await placing.service.keyOf('shop');
    await placing.fetch('http://localhost/api/orders?idempotency_key=key-1', {
      headers: { 'X-API-KEY': key },
    });
    expect(traffic.at(-1)?.status).toBe(409);
    expectDocumented(before);
  });

  it('documents a failed payment', async () => {
    const before = traffic.length;
    const gateway = {
      kind: 'local',
      name: 'broken',
      sandbox: true,
      createPayment: () => {
        throw new Error('the gateway is broken');
      },
    } as const;
    const failing = await recorded({ gateway });
    await send(failing, 'createOrder', await failing.service.keyOf('shop'));
    expect(traffic.at(-1)?.status).toBe(500);
    expectDocumented(before);
  });

  it('documents no status that the service never sends', () => {
    const seen = new Set(traffic.map((exchange) => `${checker.nameOf(exchange)} ${exchange.status}`));
    const documented = Object.values(document.paths)
      .flatMap((item) => Object.values(item))
      .flatMap(({ operationId, responses }) =>
        Object.keys(responses).map((status) => `${operationId} ${status}`),
      );
    expect(documented.filter((one) => !seen.has(one))).toEqual([]);
  });
});
