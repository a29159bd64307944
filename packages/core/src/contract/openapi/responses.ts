import { errorShapes, kitDialect } from '../dialect/dialect.ts';
import { type ErrorCode, type ErrorDefinition, errors, locales } from '../errors.ts';
import { headers } from '../headers.ts';
import { errorBody, exampleError } from '../raised-error.ts';
import { commonErrors, type Operation, type Route, routes } from '../routes.ts';
import { answerSchemas, errorSchemas } from '../schemas.ts';
import { docsOf, refTo, requestBodies } from './components.ts';
import { answerExamples } from './examples.ts';
import type { ErrorObject, HeaderObject, OpenApiLimits, ResponseObject } from './types.ts';

const shapeOf = errorShapes(kitDialect);

/** An error as the table of errors has it. */
export function errorObject(code: ErrorCode): ErrorObject {
  const { message, source }: ErrorDefinition = errors[code];
  return { code, shape: shapeOf(code), message, 'x-topup-source': source };
}

/** A validation failure makes its message from its fields. */
const summary = 'the first of `errors`, and how many more there are';

/** The errors of a response for people, in both languages. */
function errorTable(codes: readonly ErrorCode[]): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const rows = codes.map((code) => {
    const { message, source }: ErrorDefinition = errors[code];
    const shape = shapeOf(code);
    const texts = locales.map((locale) => (shape === 'validation' ? summary : message[locale]));
    return row([`\`${code}\``, ...texts, docsOf(errorSchemas[shape]).id, source]);
  });
  const columns = ['code', ...locales.map((locale) => `message (${locale})`), 'body', 'source'];
  return [row(columns), row(columns.map(() => '---')), ...rows].join('\n');
}

const titles: Record<ErrorDefinition['status'], string> = {
  401: 'The key is missing or not valid.',
  403: 'The key may not do this.',
  404: 'Something that the request names does not exist.',
  405: 'The path does not take this method.',
  409: 'The `Idempotency-Key` is in the way.',
  413: 'The body is too large.',
  415: 'The body is not declared to be JSON.',
  422: 'The request can not be carried out as it is.',
  429: 'Too many requests.',
  500: 'The service failed; nothing is half done.',
  503: 'The service is unavailable.',
};

type Headers = Record<string, HeaderObject>;

const header = (
  description: string,
  schema: HeaderObject['schema'],
  source: HeaderObject['x-topup-source'] = 'ours',
): HeaderObject => ({ description, schema, 'x-topup-source': source });

const text = { type: 'string' };

/** Every answer has it. */
const requestId = { [headers.requestId]: header('names the request in the logs of the service', text) };

const idempotencyKey = {
  [headers.idempotencyKey]: header('the key of the request, when it had one: a retry is safe', text),
};

const replayed = {
  [headers.idempotencyReplayed]: header('there when an earlier answer is repeated', {
    type: 'string',
    const: 'true',
  }),
};

const rateLimit = {
  [headers.rateLimitPolicy]: header('the rate limit, when there is one: `"reads";q=120;w=60`', text),
  [headers.rateLimit]: header('what is left of it: `"reads";r=119;t=60`', text),
};

const retryAfter = {
  [headers.retryAfter]: header('seconds after which to try again', { type: 'integer', minimum: 0 }),
};

const echo = (operation: Operation): Headers => (operation === 'createOrder' ? idempotencyKey : {});

export const successHeaders = (operation: Operation): Headers => ({
  ...requestId,
  ...echo(operation),
  ...(operation === 'createOrder' && replayed),
  ...rateLimit,
});

const waits = (code: ErrorCode): boolean => {
  const { status, retryAfter }: ErrorDefinition = errors[code];
  return status === 429 || retryAfter !== undefined;
};

/** The headers of the answer that carries one of these errors. */
export const errorHeaders = (operation: Operation, codes: readonly ErrorCode[]): Headers => ({
  ...requestId,
  [headers.errorCode]: header('what went wrong, for programs', { type: 'string', enum: codes }),
  ...echo(operation),
  ...(codes.some(waits) && retryAfter),
  ...(codes.includes('RATE_LIMITED') && rateLimit),
});

/** How the examples are written: as a service does unless told otherwise. */
const settings = { locale: 'id', currency: 'IDR' } as const;

function errorResponse(
  operation: Operation,
  { status, codes }: { status: ErrorDefinition['status']; codes: readonly ErrorCode[] },
  limits: OpenApiLimits,
): ResponseObject {
  const components = new Set(codes.map((code) => docsOf(errorSchemas[shapeOf(code)]).id));
  const [first, ...others] = [...components].map((name) => ({ $ref: refTo(name) }));
  const circumstances = {
    scope: routes[operation].scope,
    fields: requestBodies[operation]?.fields ?? [],
    limits,
  };
  const examples = codes.map((code) => [
    code,
    {
      summary: code,
      value: errorBody(exampleError(code, circumstances), shapeOf(code), settings),
      'x-topup-source': errors[code].source,
    },
  ]);
  return {
    description: `${titles[status]}\n\n${errorTable(codes)}`,
    headers: errorHeaders(operation, codes),
    content: {
      'application/json': {
        schema: first && others.length === 0 ? first : { anyOf: first ? [first, ...others] : [] },
        examples: Object.fromEntries(examples),
      },
    },
    'x-topup-errors': codes.map(errorObject),
  };
}

function successResponse(operation: Operation, { answerSource }: Route): ResponseObject {
  const schema = answerSchemas[operation];
  return {
    description: docsOf(schema).description,
    headers: successHeaders(operation),
    content: {
      'application/json': {
        schema: { $ref: refTo(docsOf(schema).id) },
        examples: { sandbox: { summary: 'From the sandbox catalogue', value: answerExamples[operation] } },
      },
    },
    'x-topup-source': answerSource,
  };
}

/** All answers of an operation by their status. */
export function responsesOf(operation: Operation, limits: OpenApiLimits): Record<string, ResponseObject> {
  const route: Route = routes[operation];
  const codes: readonly ErrorCode[] = [...commonErrors, ...route.errors];
  const statuses = [...new Set(codes.map((code) => errors[code].status))].sort((one, other) => one - other);
  const refusals = statuses.map((status): [string, ResponseObject] => [
    String(status),
    errorResponse(
      operation,
      { status, codes: codes.filter((code) => errors[code].status === status) },
      limits,
    ),
  ]);
  return { [route.success]: successResponse(operation, route), ...Object.fromEntries(refusals) };
}
