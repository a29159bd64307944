import { errorShapes, kitDialect } from '../dialect/dialect.ts';
import { dependsOnLanguage, type ErrorCode, type ErrorDefinition, errors } from '../errors.ts';
import type { Limits } from '../fields.ts';
import { headers } from '../headers.ts';
import { locales } from '../locale.ts';
import { errorBody, exampleError } from '../raised-error.ts';
import { errorsOf, type Operation, type Route, readsCatalog, routes } from '../routes.ts';
import { errorSchemas, responseSchemas } from '../schemas.ts';
import { errorBodyComponent, queries, refTo, requestBodies, requireDocs } from './components.ts';
import { responseExamples } from './examples.ts';
import type { ErrorObject, HeaderObject, ResponseObject } from './types.ts';

const shapeOf = errorShapes(kitDialect);

export function errorObject(code: ErrorCode): ErrorObject {
  const { message, source }: ErrorDefinition = errors[code];
  return { code, shape: shapeOf(code), message, 'x-topup-source': source };
}

/** Placeholder for the message of a validation error, which depends on the fields. */
const summary = 'the first message of `errors`, and the number of further ones';

/** Writes the errors of a response as a Markdown table, in both languages. */
function errorTable(codes: readonly ErrorCode[]): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const rows = codes.map((code) => {
    const { message, source }: ErrorDefinition = errors[code];
    const shape = shapeOf(code);
    const texts = locales.map((locale) => (shape === 'validation' ? summary : message[locale]));
    return row([`\`${code}\``, ...texts, requireDocs(errorSchemas[shape]).id, source]);
  });
  const columns = ['code', ...locales.map((locale) => `message (${locale})`), 'body', 'source'];
  return [row(columns), row(columns.map(() => '---')), ...rows].join('\n');
}

const titles: Record<ErrorDefinition['status'], string> = {
  401: 'The API key is missing or invalid.',
  403: 'The API key does not have the required scope.',
  404: 'The game, product, payment method or invoice was not found.',
  405: 'The path does not support this method.',
  409: 'The `Idempotency-Key` belongs to another request, or to an order whose response is no longer replayed.',
  413: 'The request body is too large.',
  415: 'The `Content-Type` is not JSON.',
  422: 'The request is invalid, or a rule of the shop rejects it.',
  429: 'Too many requests.',
  500: 'An internal error. No order was created.',
  503: 'The service is unavailable.',
};

type Headers = Record<string, HeaderObject>;

const header = (
  description: string,
  schema: HeaderObject['schema'],
  source: HeaderObject['x-topup-source'] = 'ours',
): HeaderObject => ({ description, schema, 'x-topup-source': source });

const text = { type: 'string' };

/** The headers of every response. */
const common = {
  [headers.requestId]: header('identifies the request in the logs of the service', text),
  [headers.idempotencySupported]: header('an order may be sent again with its key', {
    type: 'string',
    const: 'true',
  }),
};

const idempotencyKey = {
  [headers.idempotencyKey]: header(
    'the key of the request, when it had one; it confirms that a retry is safe',
    text,
  ),
};

const replayed = {
  [headers.idempotencyReplayed]: header('present when the response is a repeated earlier one', {
    type: 'string',
    const: 'true',
  }),
};

const rateLimit = {
  [headers.rateLimitPolicy]: header(
    'the rate limit, when there is one: `"reads";q=120;w=60` means 120 requests in 60 seconds',
    text,
  ),
  [headers.rateLimit]: header(
    'the rest of the rate limit: `"reads";r=119;t=60` means 119 more requests in the next 60 seconds',
    text,
  ),
};

const language = {
  [headers.contentLanguage]: header('the language of the message', { type: 'string', enum: [...locales] }),
  [headers.vary]: header('the message is in the language of the request', {
    type: 'string',
    const: headers.acceptLanguage,
  }),
};

const retryAfter = {
  [headers.retryAfter]: header('seconds to wait before trying again', { type: 'integer', minimum: 0 }),
};

const version = {
  [headers.etag]: header('the version of the response; send it in `If-None-Match` the next time', text),
};

const named = {
  [headers.idempotencyOrder]: header('the order of the key, with `IDEMPOTENCY_KEY_USED`', text),
};

const echo = (operation: Operation): Headers => (operation === 'createOrder' ? idempotencyKey : {});

const successHeaders = (operation: Operation): Headers => ({
  ...common,
  ...('message' in responseSchemas[operation].shape && language),
  ...echo(operation),
  ...(operation === 'createOrder' && replayed),
  ...(readsCatalog(operation) && version),
  ...rateLimit,
});

const hasRetryAfter = (code: ErrorCode): boolean => {
  const { status, retryAfter }: ErrorDefinition = errors[code];
  return status === 429 || status === 503 || retryAfter !== undefined;
};

/** Returns the headers of a response with these errors. */
const errorHeaders = (operation: Operation, codes: readonly ErrorCode[]): Headers => ({
  ...common,
  [headers.errorCode]: header('the error code', { type: 'string', enum: codes }),
  ...(codes.some(dependsOnLanguage) && language),
  ...echo(operation),
  ...(codes.some(hasRetryAfter) && retryAfter),
  ...(codes.includes('RATE_LIMITED') && rateLimit),
  ...(codes.includes('IDEMPOTENCY_KEY_USED') && named),
});

/** The default settings of a service. */
const settings = { locale: 'id', currency: 'IDR' } as const;

function errorResponse(
  operation: Operation,
  { status, codes }: { status: ErrorDefinition['status']; codes: readonly ErrorCode[] },
  limits: Limits,
): ResponseObject {
  const components = new Set(codes.map((code) => requireDocs(errorSchemas[shapeOf(code)]).id));
  const [only = errorBodyComponent] = components.size === 1 ? components : [];
  const context = {
    scope: routes[operation].scope,
    fields: (requestBodies[operation] ?? queries[operation])?.fields ?? [],
    limits,
  };
  const examples = codes.map((code) => [
    code,
    {
      summary: code,
      value: errorBody(exampleError(code, context), shapeOf(code), settings),
      'x-topup-source': errors[code].source,
    },
  ]);
  return {
    description: `${titles[status]}\n\n${errorTable(codes)}`,
    headers: errorHeaders(operation, codes),
    content: {
      'application/json': {
        schema: { $ref: refTo(only) },
        examples: Object.fromEntries(examples),
      },
    },
    'x-topup-errors': codes.map(errorObject),
  };
}

function successResponse(operation: Operation, { responseSource }: Route): ResponseObject {
  const schema = responseSchemas[operation];
  return {
    description: requireDocs(schema).description,
    headers: successHeaders(operation),
    content: {
      'application/json': {
        schema: { $ref: refTo(requireDocs(schema).id) },
        examples: { sandbox: { summary: 'A response of the sandbox', value: responseExamples[operation] } },
      },
    },
    'x-topup-source': responseSource,
  };
}

/** The response to a client that has the same version. */
const notModified: ResponseObject = {
  description: 'The response is still the one with the version in `If-None-Match`. There is no body.',
  headers: { ...common, ...version, ...rateLimit },
  'x-topup-source': 'ours',
};

export function responsesOf(operation: Operation, limits: Limits): Record<string, ResponseObject> {
  const route: Route = routes[operation];
  const codes = errorsOf(operation);
  const statuses = [...new Set(codes.map((code) => errors[code].status))];
  const errorResponses = statuses.map((status): [string, ResponseObject] => [
    String(status),
    errorResponse(
      operation,
      { status, codes: codes.filter((code) => errors[code].status === status) },
      limits,
    ),
  ]);
  return {
    [route.success]: successResponse(operation, route),
    ...(readsCatalog(operation) && { 304: notModified }),
    ...Object.fromEntries(errorResponses),
  };
}
