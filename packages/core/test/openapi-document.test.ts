import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import kit from '../../../package.json' with { type: 'json' };
import { fromFetchRequest } from '../src/app/fetch.ts';
import { defaultLimits } from '../src/app/index.ts';
import {
  commonErrors,
  type ErrorCode,
  eventTypes,
  operations,
  type Route,
  routes,
  webhookHeaders,
} from '../src/contract/index.ts';
import {
  createOpenApi,
  type JsonSchema,
  type OpenApiDocument,
  type OperationObject,
} from '../src/contract/openapi/index.ts';
import { createTestService } from './helpers/test-service.ts';

const createDocument = () => createOpenApi({ serverUrl: 'https://shop.test/api', limits: defaultLimits });
const operationsIn = ({ paths }: OpenApiDocument): OperationObject[] =>
  Object.values(paths).flatMap((item) => Object.values(item));

const errorsIn = ({ responses }: OperationObject): ErrorCode[] =>
  Object.values(responses).flatMap((response) => (response['x-topup-errors'] ?? []).map(({ code }) => code));

describe('the OpenAPI document', () => {
  it('passes a well-known linter without warnings', async () => {
    const config = await createConfig({ extends: ['recommended-strict'] });
    const problems = await lintFromString({ source: JSON.stringify(createDocument()), config });
    expect(problems.map(({ ruleId, message, location: [at] }) => [ruleId, message, at?.pointer])).toEqual([]);
  });

  it('lists every operation of the contract, with all its errors in the right place', () => {
    const documented = operationsIn(createDocument());
    expect(documented.map(({ operationId }) => operationId)).toEqual(operations);
    for (const operation of documented) {
      const route: Route = routes[operation.operationId];
      expect(new Set(errorsIn(operation))).toEqual(
        new Set([...commonErrors, ...route.errors, 'UNAVAILABLE']),
      );
      for (const [status, { 'x-topup-errors': listed = [] }] of Object.entries(operation.responses))
        for (const { code, message } of listed)
          expect(operation.responses[status]?.description).toContain(
            code.endsWith('_ERROR') || code === 'MALFORMED_JSON' ? code : `| ${message.id} | ${message.en} |`,
          );
    }
  });

  it('describes every object and field, with its source', () => {
    const source = /^(interface \d(\.\d)?|live|laravel|ours)$/;
    const components = createDocument().components.schemas;
    const fields = Object.entries(components).flatMap(([name, schema]) => [
      [name, schema] as const,
      ...Object.entries(schema.properties ?? {}).map(
        ([field, property]) => [`${name}.${field}`, property] as const,
      ),
    ]);
    const undocumented = fields.filter(
      ([, schema]: readonly [string, JsonSchema]) =>
        !schema.description || !source.test(schema['x-topup-source'] ?? ''),
    );
    expect(undocumented.map(([name]) => name)).toEqual([]);
    expect(components.GameDetail?.properties?.slug?.['x-topup-source']).toBe('interface 2.1');
    expect(components.GameDetail?.properties?.products?.['x-topup-source']).toBe('ours');
  });

  it('contains an example of every request, response and error', () => {
    for (const { responses } of operationsIn(createDocument()))
      for (const { content, 'x-topup-errors': listed } of Object.values(responses))
        if (content)
          expect(Object.keys(content['application/json'].examples)).toEqual(
            listed?.map(({ code }) => code) ?? ['sandbox'],
          );
  });

  it('contains the limits of the deployment, and the version of the kit', () => {
    const own = createOpenApi({
      serverUrl: 'https://shop.test/api',
      limits: { ...defaultLimits, text: 64, quantity: 7, readsPerMinute: 0 },
    });
    const fields = own.components.schemas.CreateOrderRequest?.properties;
    expect([fields?.id?.maxLength, fields?.quantity?.maximum]).toEqual([64, 7]);
    expect(own.info.description).toContain('reads without a limit, orders 20 a minute');
    expect(own.info.version).toBe(kit.version);
  });

  const text = { type: 'string', maxLength: 255 };
  const requiredText = { ...text, minLength: 1 };
  const integer = { type: 'integer', format: 'int64' };
  const typesOf = ({ properties = {} }: JsonSchema) =>
    Object.fromEntries(
      Object.entries(properties).map(([name, { description, 'x-topup-source': _source, ...type }]) => [
        name,
        type,
      ]),
    );

  it("documents an order's fields (interface 4.2) with their limits and the alias of the phone number", () => {
    const { CreateOrderRequest: order = {} } = createDocument().components.schemas;
    expect(typesOf(order)).toEqual({
      ...{
        id: requiredText,
        server: text,
        game: requiredText,
        product_id: integer,
        payment_method_id: integer,
      },
      ...{ email: { ...text, format: 'email' }, whatsapp: requiredText, messenger_number: requiredText },
      ...{ nickname: text, promo_code: text, quantity: { ...integer, minimum: 1, maximum: 100, default: 1 } },
      return_url: text,
    });
    expect(order.properties?.return_url?.['x-topup-source']).toBe('ours');
    expect(order.required).toEqual(['id', 'game', 'product_id', 'payment_method_id']);
    expect(order.allOf).toEqual([
      { anyOf: [{ required: ['whatsapp'] }, { required: ['messenger_number'] }] },
    ]);
  });

  it("documents a promo validation's fields, with an optional phone number", () => {
    const { ValidatePromoRequest: promo = {} } = createDocument().components.schemas;
    expect(typesOf(promo)).toEqual({
      ...{ code: requiredText, game_slug: requiredText, product_id: integer, payment_method_id: integer },
      whatsapp: text,
    });
    expect(promo.required).toEqual(['code', 'game_slug', 'product_id', 'payment_method_id']);
    expect(promo.allOf).toBeUndefined();
  });

  it('declares integers as 64-bit, and allows additional fields', () => {
    const { Category: category = {}, TargetField: field = {} } = createDocument().components.schemas;
    expect(typesOf(category)).toEqual({ id: integer, title: { type: 'string' } });
    expect(category).not.toHaveProperty('additionalProperties');
    expect(field.required).toEqual(['name', 'label', 'required']);
  });

  const game = 'slug=mobile-legends in path, required';
  const invoice = 'order_id=INV-20260328100000-DVHHEMKC in path, required';
  const version = 'If-None-Match=W/"5d41402abc4b2a76b9719d911017c592" in header';
  const key = 'Idempotency-Key=checkout-7f3a9c in header';

  it.each([
    ['listGames', 'get', 'Catalogue', [version]],
    ['getGame', 'get', 'Catalogue', [game, version]],
    ['getCheckout', 'get', 'Catalogue', [game, version]],
    ['createOrder', 'post', 'Orders', [key]],
    ['getInvoice', 'get', 'Orders', [invoice]],
    ['getPaymentStatus', 'get', 'Orders', [invoice]],
    ['validatePromo', 'post', 'Catalogue', []],
    ['checkAccount', 'post', 'Catalogue', []],
  ] as const)('documents %s as a %s of %s with its parameters', (operation, method, tag, parameters) => {
    const route: Route = routes[operation];
    const found = createDocument().paths[route.path]?.[method];
    expect([found?.operationId, found?.tags]).toEqual([operation, [tag]]);
    expect(
      found?.parameters.map(
        ({ name, in: place, required, example }) =>
          `${name}=${example} in ${place}${required ? ', required' : ''}`,
      ),
    ).toEqual(parameters);
    expect(found?.requestBody?.required).toBe(method === 'post' ? true : undefined);
    expect(found?.requestBody?.content['application/json'].examples.sandbox?.value).toEqual(
      route.example.body,
    );
    expect(found?.description).toContain(`needs the scope \`${route.scope}\``);
  });

  const rate = ['RateLimit-Policy', 'RateLimit'];
  const language = ['Content-Language', 'Vary'];
  const echo = 'Idempotency-Key';

  it.each([
    ['listGames', 200, ['ETag', ...rate]],
    ['listGames', 304, ['ETag', ...rate]],
    ['createOrder', 201, [...language, echo, 'Idempotency-Replayed', ...rate]],
    ['getInvoice', 200, rate],
    ['validatePromo', 200, [...language, ...rate]],
    ['createOrder', 401, ['X-Error-Code', echo]],
    ['createOrder', 404, ['X-Error-Code', ...language, echo]],
    ['createOrder', 409, ['X-Error-Code', ...language, echo, 'Retry-After', 'Idempotency-Order-Id']],
    ['createOrder', 422, ['X-Error-Code', ...language, echo]],
    ['createOrder', 429, ['X-Error-Code', echo, 'Retry-After', ...rate]],
    ['getInvoice', 404, ['X-Error-Code', ...language]],
    ['getInvoice', 429, ['X-Error-Code', 'Retry-After', ...rate]],
    ['getInvoice', 503, ['X-Error-Code', ...language, 'Retry-After']],
  ] as const)('documents the headers of a response of %s with %i', (operation, status, names) => {
    const found = operationsIn(createDocument()).find(({ operationId }) => operationId === operation);
    const { headers = {}, 'x-topup-errors': listed } = found?.responses[status] ?? {};
    expect(Object.keys(headers)).toEqual(['X-Request-Id', 'Idempotency-Supported', ...names]);
    expect(headers['X-Error-Code']?.schema.enum).toEqual(listed?.map(({ code }) => code));
  });

  it('declares one schema for all errors, for which generators of other languages create a type', () => {
    const document = createDocument();
    const schemaOf = (status: number) =>
      document.paths['/order']?.post?.responses[status]?.content?.['application/json'].schema;
    expect(schemaOf(404)).toEqual({ $ref: '#/components/schemas/BusinessBody' });
    expect(schemaOf(422)).toEqual({ $ref: '#/components/schemas/ErrorBody' });
    for (const { responses } of operationsIn(document))
      for (const { content } of Object.values(responses))
        if (content) expect(Object.keys(content['application/json'].schema)).toEqual(['$ref']);
    const { ErrorBody: body = {}, EnvelopeBody: envelope = {} } = document.components.schemas;
    expect(body.properties).toEqual(envelope.properties);
    expect(body.required).toEqual(['message']);
  });

  it('declares one type for a nullable number', () => {
    const { Product: product } = createDocument().components.schemas;
    expect(product?.properties?.promo_price).toMatchObject({ type: ['integer', 'null'], format: 'int64' });
  });

  it("lists a response's errors in a table, in both languages", () => {
    const found = createDocument().paths['/order']?.post?.responses;
    const head = '| code | message (id) | message (en) | body | source |\n| --- | --- | --- | --- | --- |\n';
    expect(found?.[413]?.description).toBe(
      `The request body is too large.\n\n${head}| \`PAYLOAD_TOO_LARGE\` | Ukuran body melebihi {maximum} byte. | The request body is larger than {maximum} bytes. | EnvelopeBody | ours |`,
    );
    const summary = 'the first message of `errors`, and the number of further ones';
    expect(found?.[422]?.description).toContain(
      `| \`VALIDATION_ERROR\` | ${summary} | ${summary} | ValidationBody | interface 7.1 |`,
    );
  });

  it("shows an empty body's errors as the example of invalid fields", () => {
    const { examples } =
      createDocument().paths['/order']?.post?.responses[422]?.content?.['application/json'] ?? {};
    expect(examples?.VALIDATION_ERROR?.value).toMatchObject({
      errors: Object.fromEntries(
        ['id', 'game', 'product_id', 'payment_method_id', 'whatsapp'].map((name) => [
          name,
          [expect.any(String)],
        ]),
      ),
    });
  });

  it('documents a webhook for each event type as an extension that needs no key', () => {
    const { webhooks } = createDocument();
    expect(Object.keys(webhooks)).toEqual([...eventTypes, 'webhook.test']);
    for (const { post } of Object.values(webhooks))
      expect([post['x-topup-source'], post.security, post.tags]).toEqual(['ours', [], ['Webhooks']]);
  });

  it("documents a webhook's headers, and the effect of its responses", async () => {
    const { parameters, responses } = createDocument().webhooks['order.paid']?.post ?? {};
    const secret = `whsec_${btoa('k'.repeat(32))}`;
    const sent = await webhookHeaders({ id: 'evt_1', timestamp: 1774667100, body: '{}', secrets: [secret] });
    expect(parameters?.map(({ name, required }) => [name, required])).toEqual(
      Object.keys(sent).map((name) => [name, true]),
    );
    expect(parameters?.map(({ schema }) => schema.type)).toEqual(['string', 'integer', 'string']);
    expect(responses?.['2XX']?.description).toContain('is not sent again');
    expect(responses?.['410']?.description).toContain('disables');
    expect(responses?.default?.description).toContain('Retry-After');
  });

  it("documents an invoice's fields in an order's events, without an id in the body", () => {
    const { GetInvoiceResponse, OrderEventData, OrderEventBody } = createDocument().components.schemas;
    const { success, ...invoice } = GetInvoiceResponse?.properties ?? {};
    expect(success).toBeDefined();
    expect(OrderEventData?.properties).toEqual(invoice);
    expect(OrderEventBody?.required).toEqual(['type', 'timestamp', 'data']);
    expect(OrderEventBody?.properties?.type?.description).toContain(
      '`order.expired` (an order was not paid in time)',
    );
  });

  it('documents errors of requests that match no operation', () => {
    expect(
      createDocument()['x-topup-errors'].map(({ status, code, shape }) => [status, code, shape]),
    ).toEqual([
      [401, 'UNAUTHORIZED', 'message'],
      [404, 'ROUTE_NOT_FOUND', 'envelope'],
      [405, 'METHOD_NOT_ALLOWED', 'envelope'],
    ]);
  });

  it('serves the document at the root of the server, without a key', async () => {
    const { app } = await createTestService({ settings: { publicUrl: 'https://shop.test' } });
    const response = await app.fetch(new Request('http://localhost/openapi.json'));
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toMatchObject({
      openapi: '3.1.1',
      servers: [{ url: 'https://shop.test/api' }],
    });
  });

  it('renders the document once, and sends the same bytes in every response', async () => {
    const { app } = await createTestService();
    const ask = () => app.handle(fromFetchRequest(new Request('http://localhost/openapi.json')));
    const { body } = await ask();
    expect(body.length).toBeGreaterThan(100_000);
    expect((await ask()).body).toBe(body);
  });
});
