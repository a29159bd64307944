import { type Operation, type Route, routes, type Scope } from '../routes.ts';
import type { OpenApiDocument, OperationObject } from './document.ts';
import type { OpenApiLimits } from './limits.ts';
import { parametersOf } from './parameters.ts';
import { requestBodies } from './request-bodies.ts';
import { responsesOf } from './responses.ts';
import { refTo } from './schema.ts';

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
