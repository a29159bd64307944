import { defaultLimits, ownPaths } from '@topup-kit/core/app';
import { headers, sandboxKey } from '@topup-kit/core/contract';
import { createOpenApi, type OpenApiDocument, type OperationObject } from '@topup-kit/core/openapi';

const origin = 'http://127.0.0.1:4000';

/** Variables of both collections, for a sandbox started with `pnpm start`. */
export const variables = {
  baseUrl: `${origin}/api`,
  sandboxUrl: origin + ownPaths.sandbox,
  apiKey: sandboxKey,
};

/** Variable that the first order sets, and that all later requests use. */
export const orderVariable = 'order_id';

export const collectionName = 'Topup Kit';

export const collectionDescription =
  'Every request of the service, with the errors it can get. The requests run in their order against a sandbox: they place an order, pay it and read its invoice. For another service, change `baseUrl` and `apiKey`, and leave out what uses `sandboxUrl`.';

/** Response that the service documents. */
export interface ExampleResponse {
  /** Error code, or `sandbox`. */
  name: string;
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

/** Value that a request sends. An optional value is listed, but disabled. */
export interface RequestValue {
  name: string;
  value: string;
  optional: boolean;
}

export interface CollectionRequest {
  name: string;
  description: string;
  method: 'GET' | 'POST';
  /** Variable with the start of the request's address. */
  base: keyof typeof variables;
  /** Path below `base`; a parameter is `:name`. */
  path: string;
  pathValues: RequestValue[];
  query: RequestValue[];
  headers: RequestValue[];
  body?: unknown;
  /** Status of a successful response. */
  status: number;
  /** Fields that the response must contain. */
  expected: { path: string; equals?: string | boolean }[];
  /** True if the `orderId` in the response is the order for the requests after it. */
  placesOrder: boolean;
  examples: ExampleResponse[];
}

export interface RequestFolder {
  name: string;
  description: string;
  requests: CollectionRequest[];
}

/** Request that pays the order of the sequence, so that later requests show a paid order. */
const payOrder: CollectionRequest = {
  name: 'payOrder',
  description: 'Pays the order as its customer would. Only a sandbox has this route.',
  method: 'POST',
  base: 'sandboxUrl',
  path: `/orders/:${orderVariable}/pay`,
  pathValues: [{ name: orderVariable, value: `{{${orderVariable}}}`, optional: false }],
  query: [],
  headers: [],
  status: 200,
  expected: [{ path: 'data.payment_status', equals: 'PAID' }],
  placesOrder: false,
  examples: [],
};

/** Values that describe the order in the requests after `payOrder`. */
const paid: Partial<Record<OperationObject['operationId'], string>> = {
  getInvoice: 'order.payment_status',
  getPaymentStatus: 'data.payment_status',
};

function examplesOf(operation: OperationObject): ExampleResponse[] {
  return Object.entries(operation.responses).flatMap(([status, { content }]) =>
    Object.entries(content?.['application/json'].examples ?? {}).map(([name, { value }]) => ({
      name,
      status: Number(status),
      headers: {
        'Content-Type': 'application/json',
        ...(name !== 'sandbox' && { [headers.errorCode]: name }),
      },
      body: value,
    })),
  );
}

/** Returns the status of a success, and the fields that its body always contains. */
function successOf({ responses }: OperationObject, { components }: OpenApiDocument) {
  const [status = '', response] = Object.entries(responses).find(([key]) => key.startsWith('2')) ?? [];
  const component = response?.content?.['application/json'].schema.$ref?.replace(/.*\//, '') ?? '';
  return { status: Number(status), fields: components.schemas[component]?.required ?? [] };
}

function sampleOf(name: string, example: string | number | undefined): string {
  if (name === headers.idempotencyKey) return '{{$guid}}';
  return name === orderVariable ? `{{${orderVariable}}}` : String(example ?? '');
}

function valuesIn(operation: OperationObject, place: 'path' | 'query' | 'header'): RequestValue[] {
  return operation.parameters
    .filter((parameter) => parameter.in === place)
    .map(({ name, example }) => ({
      name,
      value: sampleOf(name, example),
      optional: example === undefined || name === headers.ifNoneMatch,
    }));
}

function requestOf(
  document: OpenApiDocument,
  path: string,
  method: 'GET' | 'POST',
  operation: OperationObject,
): CollectionRequest {
  const { operationId, summary, description, requestBody } = operation;
  const { status, fields } = successOf(operation, document);
  const paidField = paid[operationId];
  return {
    name: operationId,
    description: `${summary}.\n\n${description}`,
    method,
    base: 'baseUrl',
    path: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    pathValues: valuesIn(operation, 'path'),
    query: valuesIn(operation, 'query'),
    headers: valuesIn(operation, 'header'),
    ...(requestBody && { body: requestBody.content['application/json'].examples.sandbox?.value }),
    status,
    expected: [
      ...fields.map((field) => (field === 'success' ? { path: field, equals: true } : { path: field })),
      ...(paidField === undefined ? [] : [{ path: paidField, equals: 'PAID' }]),
    ],
    placesOrder: operationId === 'createOrder',
    examples: examplesOf(operation),
  };
}

/** Returns every operation of the OpenAPI document as a request, by tag, in an order in which they can run. */
export function requestFolders(): RequestFolder[] {
  const document = createOpenApi({ serverUrl: variables.baseUrl, limits: defaultLimits });
  const operations = Object.entries(document.paths).flatMap(([path, { get, post }]) => [
    ...(get ? [{ tag: get.tags[0], request: requestOf(document, path, 'GET', get) }] : []),
    ...(post ? [{ tag: post.tags[0], request: requestOf(document, path, 'POST', post) }] : []),
  ]);
  return document.tags
    .map(({ name, description }) => ({
      name,
      description,
      requests: operations
        .filter(({ tag }) => tag === name)
        .flatMap(({ request }) => (request.placesOrder ? [request, payOrder] : [request])),
    }))
    .filter(({ requests }) => requests.length > 0);
}
