import { errors } from '../errors.ts';
import type { Limits } from '../fields.ts';
import { headers, idempotencyKeyLength } from '../headers.ts';
import {
  type Operation,
  operations,
  type Route,
  readsCatalog,
  routes,
  type Scope,
  unmatchedErrors,
} from '../routes.ts';
import { orderIdPattern } from '../schemas.ts';
import {
  anyErrorBody,
  errorBodyComponent,
  queries,
  refTo,
  requestBodies,
  requestComponents,
  responseComponents,
  typeOf,
} from './components.ts';
import { errorObject, responsesOf } from './responses.ts';
import type { HeaderObject, JsonSchema, OpenApiDocument, OperationObject, ParameterObject } from './types.ts';
import { webhooks, webhookTag } from './webhooks.ts';

const version = '0.1.0';

const perMinute = (limit: number): string => (limit === 0 ? 'without a limit' : `${limit} a minute`);

/** Writes the rules of all operations in Markdown, with only paragraphs and `code`. */
const introduction = (limits: Limits): string =>
  [
    'Request and response bodies are JSON. Send `Accept: application/json` and your API key in `X-API-KEY` with every request.',
    'Amounts are integers in the smallest unit of the currency. Times are ISO 8601 with a UTC offset; fields in unix seconds are described as such.',
    'An error body has one of the four shapes of section 7.1 of the interface document. This service also sends the error code in the header `X-Error-Code` (an extension). Messages are text for people, in Indonesian or English, which the header `Accept-Language` chooses; clients must never parse them.',
    'Every operation, field and error names its source in `x-topup-source`. `interface` with a section number: the interface document states it, so every service of this kind provides it. `live`: it comes from the public documentation of the live services that the interface document describes. `laravel`: the wording of the framework that those services use. `ours`: the interface document leaves it open, and this kit made a choice. Other services may differ in everything that is not `interface`.',
    `Limits of this server: request bodies up to ${limits.bodyBytes} bytes; for each key and client address, reads ${perMinute(limits.readsPerMinute)}, orders ${perMinute(limits.ordersPerMinute)}.`,
  ].join('\n\n');

/** The parameters of paths, by name. */
const pathParameters: ReadonlyMap<string, HeaderObject> = new Map(
  Object.entries<HeaderObject>({
    slug: {
      description: 'slug of a game',
      schema: { type: 'string' },
      'x-topup-source': 'live',
    },
    order_id: {
      description: 'the `orderId` from the response that created the order',
      schema: { type: 'string', pattern: orderIdPattern.source },
      'x-topup-source': 'live',
    },
  }),
);

const idempotencyKey: ParameterObject = {
  name: headers.idempotencyKey,
  in: 'header',
  required: false,
  description:
    'A key of your choice, with or without quotes, that makes a retry safe. The key belongs to its order: no second order is created with it. For 30 days, a request with the same key and the same payload gets the stored 201 response, byte for byte; afterwards it gets a 409 `IDEMPOTENCY_KEY_USED`, which names the order. Only a 201 is stored; after any other response the key is free. A response that repeats the key confirms that the service supports it.',
  schema: { type: 'string', minLength: 1, maxLength: idempotencyKeyLength },
  example: 'checkout-7f3a9c',
  'x-topup-source': 'ours',
};

const ifNoneMatch: ParameterObject = {
  name: headers.ifNoneMatch,
  in: 'header',
  required: false,
  description:
    'The `ETag` of an earlier response. If the resource is unchanged, the response is a 304 without a body.',
  schema: { type: 'string' },
  example: 'W/"5d41402abc4b2a76b9719d911017c592"',
  'x-topup-source': 'ours',
};

function queryParametersOf(operation: Operation, { example }: Route, limits: Limits): ParameterObject[] {
  const samples = new Map<string, string | number | undefined>(Object.entries(example.query ?? {}));
  return (queries[operation]?.fields ?? []).map((rule): ParameterObject => {
    const sample = samples.get(rule.name);
    return {
      name: rule.name,
      in: 'query',
      required: false,
      description: rule.description,
      schema: typeOf(rule, limits),
      ...(sample !== undefined && { example: sample }),
      'x-topup-source': rule.source,
    };
  });
}

/** Returns an operation's parameters, without the API key (a security scheme) and the body. */
export function parametersOf(operation: Operation, route: Route, limits: Limits): ParameterObject[] {
  const { path, example } = route;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name = '']): ParameterObject[] => {
    const parameter = pathParameters.get(name);
    const sample = example.path?.[name];
    if (!parameter) return [];
    const documented = { ...parameter, ...(sample !== undefined && { example: sample }) };
    return [{ name, in: 'path', required: true, ...documented }];
  });
  return [
    ...inPath,
    ...queryParametersOf(operation, route, limits),
    ...(operation === 'createOrder' ? [idempotencyKey] : []),
    ...(readsCatalog(operation) ? [ifNoneMatch] : []),
  ];
}

const catalogue = { name: 'Catalogue', description: 'Games, products, payment methods and prices.' };
const orders = { name: 'Orders', description: 'Create an order and follow its payment and delivery.' };

export const tags: OpenApiDocument['tags'] = [catalogue, orders, webhookTag];

const tagOf = (scope: Scope): string => (scope === 'catalog:read' ? catalogue : orders).name;

function bodyOf(operation: Operation, { example }: Route): Pick<OperationObject, 'requestBody'> {
  const body = requestBodies[operation];
  if (!body) return {};
  const examples = { sandbox: { summary: 'A request for the sandbox catalogue', value: example.body } };
  const content = { 'application/json': { schema: { $ref: refTo(body.component) }, examples } };
  return { requestBody: { required: true, content } };
}

function operationObject(operation: Operation, limits: Limits): OperationObject {
  const route: Route = routes[operation];
  return {
    operationId: operation,
    tags: [tagOf(route.scope)],
    summary: route.summary,
    description: `${route.description} The API key needs the scope \`${route.scope}\`.`,
    'x-topup-source': route.source,
    parameters: parametersOf(operation, route, limits),
    ...bodyOf(operation, route),
    responses: responsesOf(operation, limits),
  };
}

function pathsOf(limits: Limits): OpenApiDocument['paths'] {
  const paths: OpenApiDocument['paths'] = {};
  for (const operation of operations) {
    const { path, method }: Route = routes[operation];
    const name = method === 'GET' ? 'get' : 'post';
    paths[path] = { ...paths[path], [name]: operationObject(operation, limits) };
  }
  return paths;
}

function componentsOf(limits: Limits): Record<string, JsonSchema> {
  const responses = responseComponents();
  return { ...requestComponents(limits), ...responses, [errorBodyComponent]: anyErrorBody(responses) };
}

/**
 * Creates the OpenAPI 3.1 document of a service with the base URL `serverUrl`.
 *
 * @example
 * createOpenApi({ serverUrl: 'https://shop.example/api', limits }).paths['/order']?.post?.responses['404'];
 */
export function createOpenApi({ serverUrl, limits }: { serverUrl: string; limits: Limits }): OpenApiDocument {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Game top-up service',
      summary: 'Read the catalogue, create orders and follow them.',
      description: introduction(limits),
      version,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl, description: 'This server' }],
    security: [{ ApiKey: [] }],
    tags,
    paths: pathsOf(limits),
    webhooks,
    components: {
      securitySchemes: {
        ApiKey: {
          type: 'apiKey',
          in: 'header',
          name: headers.apiKey,
          description: 'Keep the key on your server; never put it in a public frontend.',
          'x-topup-source': 'interface 5',
        },
      },
      schemas: componentsOf(limits),
    },
    'x-topup-errors': unmatchedErrors.map((code) => ({ status: errors[code].status, ...errorObject(code) })),
  };
}
