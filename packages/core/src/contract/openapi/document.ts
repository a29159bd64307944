import { errors } from '../errors.ts';
import { headers, idempotencyKeyLength } from '../headers.ts';
import { type Operation, operations, type Route, routes, type Scope, unmatchedErrors } from '../routes.ts';
import { orderIdPattern } from '../types.ts';
import { answerComponents, refTo, requestBodies, requestComponents } from './components.ts';
import { errorObject, responsesOf } from './responses.ts';
import type {
  HeaderObject,
  OpenApiDocument,
  OpenApiLimits,
  OperationObject,
  ParameterObject,
} from './types.ts';

/** The version of the kit whose contract it is. */
const version = '0.1.0';

const perMinute = (limit: number): string => (limit === 0 ? 'without a limit' : `${limit} a minute`);

/** What holds for every operation, in Markdown of paragraphs and `code` alone. */
export const introduction = (limits: OpenApiLimits): string =>
  [
    'Bodies are JSON; send `Accept: application/json` and, below the server address, a key in `X-API-KEY`.',
    'Amounts are integers in the smallest unit of the currency. Times are ISO 8601 with a UTC offset, or unix seconds where a field says so.',
    'Errors have one of the four bodies of interface 7.1. Every error of this service says its code in `X-Error-Code` (an extension); messages are for people, in Indonesian or English, and clients must never parse them.',
    'Everything carries its source as `x-topup-source`: `interface` and a section is what any such service promises; `live` is what the live services are known to do; `laravel` is the wording of their framework; `ours` is the reading that this kit gives to what is not said.',
    `Limits of this server: a body of ${limits.bodyBytes} bytes, reads ${perMinute(limits.readsPerMinute)}, orders ${perMinute(limits.ordersPerMinute)}, for each key and address.`,
  ].join('\n\n');

/** What stands in braces in a path. */
const pathParameters: Record<string, HeaderObject> = {
  slug: {
    description: 'slug of a game',
    schema: { type: 'string' },
    'x-topup-source': 'live',
  },
  order_id: {
    description: 'the `orderId` of a created order',
    schema: { type: 'string', pattern: orderIdPattern.source },
    'x-topup-source': 'live',
  },
};

const idempotencyKey: ParameterObject = {
  name: headers.idempotencyKey,
  in: 'header',
  required: false,
  description:
    'Bare or in quotes. The same key with the same payload is answered with the stored 201 for 24 hours, byte for byte; only a 201 is stored. An answer that carries the key back says that a retry is safe.',
  schema: { type: 'string', minLength: 1, maxLength: idempotencyKeyLength },
  example: 'checkout-7f3a9c',
  'x-topup-source': 'ours',
};

/** The parameters of an operation; the key is a security scheme, and a body has rules of its own. */
export function parametersOf(operation: Operation, { path, example }: Route): ParameterObject[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name = '']): ParameterObject[] => {
    const said = pathParameters[name];
    const sample = example.path?.[name];
    if (!said) return [];
    return [{ name, in: 'path', required: true, ...said, ...(sample !== undefined && { example: sample }) }];
  });
  return operation === 'createOrder' ? [...inPath, idempotencyKey] : inPath;
}

const catalogue = { name: 'Catalogue', description: 'What is for sale, and for how much.' };
const orders = { name: 'Orders', description: 'Buying it, and following what was bought.' };

export const tags: OpenApiDocument['tags'] = [catalogue, orders];

const tagOf = (scope: Scope): string => (scope === 'catalog:read' ? catalogue : orders).name;

function bodyOf(operation: Operation, { example }: Route): Pick<OperationObject, 'requestBody'> {
  const body = requestBodies[operation];
  if (!body) return {};
  const examples = { sandbox: { summary: 'For the sandbox catalogue', value: example.body } };
  const content = { 'application/json': { schema: { $ref: refTo(body.component) }, examples } };
  return { requestBody: { required: true, content } };
}

/** One operation of the route table. */
export function operationObject(operation: Operation, limits: OpenApiLimits): OperationObject {
  const route: Route = routes[operation];
  return {
    operationId: operation,
    tags: [tagOf(route.scope)],
    summary: route.summary,
    description: `${route.description} Needs a key with the scope \`${route.scope}\`.`,
    'x-topup-source': route.source,
    parameters: parametersOf(operation, route),
    ...bodyOf(operation, route),
    responses: responsesOf(operation, limits),
  };
}

function pathsOf(limits: OpenApiLimits): OpenApiDocument['paths'] {
  const paths: OpenApiDocument['paths'] = {};
  for (const operation of operations) {
    const { path, method }: Route = routes[operation];
    const name = method === 'GET' ? 'get' : 'post';
    paths[path] = { ...paths[path], [name]: operationObject(operation, limits) };
  }
  return paths;
}

/**
 * The contract as an OpenAPI 3.1 document, for a service that clients reach at `serverUrl`.
 *
 * @example
 * createOpenApi({ serverUrl: 'https://shop.example/api', limits }).paths['/order']?.post?.responses['404'];
 */
export function createOpenApi({
  serverUrl,
  limits,
}: {
  serverUrl: string;
  limits: OpenApiLimits;
}): OpenApiDocument {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Game top-up service',
      summary: 'Read the catalogue, create an order, follow it.',
      description: introduction(limits),
      version,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl, description: 'This server' }],
    security: [{ ApiKey: [] }],
    tags,
    paths: pathsOf(limits),
    components: {
      securitySchemes: {
        ApiKey: {
          type: 'apiKey',
          in: 'header',
          name: headers.apiKey,
          description: 'A server-side value: keep it out of public frontends.',
          'x-topup-source': 'interface 5',
        },
      },
      schemas: { ...requestComponents(limits), ...answerComponents() },
    },
    'x-topup-errors': unmatchedErrors.map((code) => ({ status: errors[code].status, ...errorObject(code) })),
  };
}
