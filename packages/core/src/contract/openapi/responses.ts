import { type ErrorCode, type ErrorDefinition, type ErrorShape, errors, locales } from '../errors.ts';
import { commonErrors, type Operation, type Route, routes } from '../routes.ts';
import { type ComponentName, descriptions } from './descriptions/index.ts';
import type { ErrorObject, ResponseObject } from './document.ts';
import { errorExample } from './error-examples.ts';
import { answerExamples } from './examples/index.ts';
import type { OpenApiLimits } from './limits.ts';
import { requestBodies } from './request-bodies.ts';
import { errorHeaders, successHeaders } from './response-headers.ts';
import { refTo } from './schema.ts';

const answerComponent: Record<Operation, ComponentName> = {
  listGames: 'GameListAnswer',
  getGame: 'GameAnswer',
  getCheckout: 'CheckoutAnswer',
  createOrder: 'OrderCreatedAnswer',
  getInvoice: 'InvoiceAnswer',
  getPaymentStatus: 'PaymentStatusAnswer',
  validatePromo: 'PromoValidationAnswer',
};

const errorComponent: Record<ErrorShape, ComponentName> = {
  message: 'MessageBody',
  business: 'BusinessBody',
  validation: 'ValidationBody',
  envelope: 'EnvelopeBody',
};

/** An error as the table of errors has it. */
export function errorObject(code: ErrorCode): ErrorObject {
  const { shape, message, source }: ErrorDefinition = errors[code];
  return { code, shape, message, 'x-topup-source': source };
}

/** A validation failure makes its message from its fields. */
const summary = 'the first of `errors`, and how many more there are';

/** The errors of a response for people, in both languages. */
function errorTable(codes: readonly ErrorCode[]): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const rows = codes.map((code) => {
    const { shape, message, source }: ErrorDefinition = errors[code];
    const texts = locales.map((locale) => (shape === 'validation' ? summary : message[locale]));
    return row([`\`${code}\``, ...texts, errorComponent[shape], source]);
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

function errorResponse(
  operation: Operation,
  { status, codes }: { status: ErrorDefinition['status']; codes: readonly ErrorCode[] },
  limits: OpenApiLimits,
): ResponseObject {
  const components = new Set(codes.map((code) => errorComponent[errors[code].shape]));
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
      value: errorExample(code, circumstances),
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
  return {
    description: descriptions[answerComponent[operation]].description,
    headers: successHeaders(operation),
    content: {
      'application/json': {
        schema: { $ref: refTo(answerComponent[operation]) },
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
