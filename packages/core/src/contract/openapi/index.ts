import { type ErrorCode, errors } from '../errors.ts';
import { headers } from '../headers.ts';
import { operations, type Route, routes } from '../routes.ts';
import { answerComponents } from './components.ts';
import type { OpenApiDocument } from './document.ts';
import { introduction } from './introduction.ts';
import type { OpenApiLimits } from './limits.ts';
import { operationObject, tags } from './operation.ts';
import { requestComponents } from './request-bodies.ts';
import { errorObject } from './responses.ts';

export type * from './document.ts';
export type { OpenApiLimits } from './limits.ts';
export type { JsonSchema } from './schema.ts';

/** The version of the kit whose contract it is. */
const version = '0.1.0';

function pathsOf(limits: OpenApiLimits): OpenApiDocument['paths'] {
  const paths: OpenApiDocument['paths'] = {};
  for (const operation of operations) {
    const { path, method }: Route = routes[operation];
    const name = method === 'GET' ? 'get' : 'post';
    paths[path] = { ...paths[path], [name]: operationObject(operation, limits) };
  }
  return paths;
}

/** What a request that no operation takes is refused for. */
const outside: readonly ErrorCode[] = ['UNAUTHORIZED', 'ROUTE_NOT_FOUND', 'METHOD_NOT_ALLOWED'];

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
    'x-topup-errors': outside.map((code) => ({ status: errors[code].status, ...errorObject(code) })),
  };
}
