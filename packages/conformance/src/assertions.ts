import {
  type ErrorBody,
  type ErrorCode,
  errorBody,
  errorShapes,
  errors,
  type FieldFailure,
  fieldMessage,
  kitDialect,
  type Locale,
  locales,
  type MessageParam,
  withheldHeaders,
} from '@topup-kit/core/contract';
import { errorSchemas } from '@topup-kit/core/schemas';
import type * as z from 'zod/mini';
import { ConformanceFailure, ConformanceSkip, type Difference, type SpecReference } from './failure.ts';
import { extraFields, isContainer, jsonPath, sameJson, valueAt } from './json.ts';
import type { Probe, ProbedResponse } from './probe.ts';

const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 200 ? `${text.slice(0, 200)}...` : text;
};

const violation = (
  { request, sent }: ProbedResponse,
  difference: Omit<Difference, 'request'>,
): ConformanceFailure => new ConformanceFailure({ request, ...difference }, sent);

/** Fails unless a condition holds for the value at a path of the body. */
export function expectThat(
  holds: boolean,
  response: ProbedResponse,
  path: string,
  expected: string,
  by: SpecReference,
): asserts holds {
  if (holds) return;
  const received = shown(valueAt(response.body, path));
  throw violation(response, { at: jsonPath(path), expected, received, by });
}

export function expectStatus(response: ProbedResponse, status: number, by: SpecReference): void {
  if (response.status === status) return;
  const received = `${response.status} ${response.text.slice(0, 200)}`;
  throw violation(response, { expected: `status ${status}`, received, by });
}

export const expectAt = (response: ProbedResponse, path: string, value: unknown, by: SpecReference): void =>
  expectThat(sameJson(valueAt(response.body, path), value), response, path, shown(value), by);

export const expectAbsent = (response: ProbedResponse, path: string, by: SpecReference): void =>
  expectThat(valueAt(response.body, path) === undefined, response, path, 'no such field', by);

export function expectText(response: ProbedResponse, path: string, pattern: RegExp, by: SpecReference): void {
  const value = valueAt(response.body, path);
  const holds = typeof value === 'string' && pattern.test(value);
  expectThat(holds, response, path, `text like ${pattern}`, by);
}

export function expectUrl(response: ProbedResponse, path: string, by: SpecReference): void {
  const value = valueAt(response.body, path);
  const holds = typeof value === 'string' && URL.canParse(value) && /^https?:/i.test(value);
  expectThat(holds, response, path, 'a URL', by);
}

/** Expects a header's value; null expects that the header is missing. Headers that the service's dialect doesn't send are not checked. */
export function expectHeader(
  response: ProbedResponse,
  name: string,
  value: string | null,
  by: SpecReference,
): void {
  const received = response.headers.get(name);
  if (received === value || withheldHeaders(response.dialect).includes(name)) return;
  throw violation(response, {
    at: `header ${name}`,
    expected: shown(value),
    received: shown(received),
    by,
  });
}

/** Describes the expectation of a schema, from its issue. */
const expectationOf = ({ message, ...issue }: z.core.$ZodIssue): string =>
  'expected' in issue
    ? String(issue.expected)
    : 'values' in issue
      ? `one of ${shown(issue.values)}`
      : message;

/** Returns the citation for a field of an object. */
type Rows = (field: string) => SpecReference;

/** Creates a function that cites the row of a field in a section of the interface, or `whole` if the object is missing. */
export const rowsOf =
  (section: string, whole: SpecReference): Rows =>
  (field) =>
    field === '' ? whole : `interface ${section}/${field}`;

/**
 * Parses the value at a path with a schema of the contract. A missing field or a field of a wrong type fails and cites
 * the field's row (`rows('')` if the whole value is wrong). An unknown field is only recorded.
 */
export function readAt<Type>(
  probe: Pick<Probe, 'note'>,
  response: ProbedResponse,
  { path = '', schema, rows }: { path?: string; schema: z.ZodMiniType<Type>; rows: Rows },
): Type {
  const value = valueAt(response.body, path);
  const read = schema.safeParse(value);
  if (read.success) {
    for (const extra of extraFields(value, read.data, path))
      probe.note(`${response.request}, ${jsonPath(extra)}: a field that the contract doesn't have`);
    return read.data;
  }
  const [issue] = read.error.issues;
  const inside = issue?.path.map(String) ?? [];
  throw violation(response, {
    at: jsonPath([path, ...inside].filter((part) => part !== '').join('.')),
    expected: issue ? expectationOf(issue) : 'a body of the contract',
    received: shown(valueAt(value, inside.join('.'))),
    by: rows(inside[0] ?? ''),
  });
}

/** Returns the paths of an array's elements. */
export function pathsIn(response: ProbedResponse, path: string, by: SpecReference): string[] {
  const list = valueAt(response.body, path);
  expectThat(Array.isArray(list), response, path, 'an array', by);
  return Object.keys(list).map((index) => `${path}.${index}`);
}

/** Returns the fields of an object, in the order of the JSON text. */
export function fieldsAt(response: ProbedResponse, path: string, by: SpecReference): string[] {
  const value = valueAt(response.body, path);
  expectThat(isContainer(value), response, path, 'an object', by);
  return Object.keys(value);
}

const codeHeader: SpecReference = 'open-points Errors/Every-error-has-its-code-in';

/** An error in `docs/open-points.md`: status, code and the whole body, in each language of the message table. */
interface ExpectedError {
  status: number;
  code: ErrorCode;
  bodies: Record<Locale, ErrorBody>;
}

/** Returns the language of a response's message; Indonesian for an unknown text. */
export const languageOf = (response: ProbedResponse, texts: Record<Locale, string>): Locale =>
  locales.find((locale) => valueAt(response.body, 'message') === texts[locale]) ?? 'id';

/** Parses the body of an error in the shape of the service's dialect. */
export function readError(
  probe: Pick<Probe, 'note'>,
  response: ProbedResponse,
  code: ErrorCode,
  by: SpecReference,
): ErrorBody {
  const schema: z.ZodMiniType<ErrorBody> = errorSchemas[errorShapes(response.dialect)(code)];
  return readAt(probe, response, { schema, rows: () => by });
}

export function expectError(
  response: ProbedResponse,
  { status, code, bodies }: ExpectedError,
  by: SpecReference,
): void {
  expectStatus(response, status, by);
  const body = bodies[languageOf(response, { id: bodies.id.message, en: bodies.en.message })];
  if (errorShapes(response.dialect)(code) === errorShapes(kitDialect)(code)) expectAt(response, '', body, by);
  else {
    readError({ note: () => {} }, response, code, by);
    expectAt(response, 'message', body.message, by);
  }
  expectHeader(response, 'X-Error-Code', code, codeHeader);
}

export const inEachLanguage = <Value>(valueIn: (locale: Locale) => Value): Record<Locale, Value> => ({
  id: valueIn('id'),
  en: valueIn('en'),
});

/** Creates the expectation of an error with the business shape (interface 7.1). */
export const businessError = (
  code: ErrorCode,
  params: Readonly<Record<string, MessageParam>> = {},
): ExpectedError => ({
  status: errors[code].status,
  code,
  bodies: inEachLanguage((locale) => errorBody({ code, params }, 'business', { locale, currency: 'IDR' })),
});

/** Creates the expectation of a validation failure with one message. */
export const invalidField = (
  field: string,
  failure: FieldFailure,
  code: ErrorCode = 'VALIDATION_ERROR',
): ExpectedError => ({
  status: 422,
  code,
  bodies: inEachLanguage((locale) => {
    const message = fieldMessage(field, failure, locale);
    return { message, errors: { [field]: [message] } };
  }),
});

export const unauthorized: ExpectedError = {
  status: 401,
  code: 'UNAUTHORIZED',
  bodies: inEachLanguage(() => ({ message: 'Unauthorized' })),
};
export const gameNotFound = businessError('GAME_NOT_FOUND');
export const productNotFound = businessError('PRODUCT_NOT_FOUND');
export const methodNotFound = businessError('PAYMENT_METHOD_NOT_FOUND');
export const gameClosed = businessError('GAME_CLOSED');
export const productClosed = businessError('PRODUCT_CLOSED');
export const methodClosed = businessError('PAYMENT_METHOD_CLOSED');
export const invoiceNotFound = businessError('INVOICE_NOT_FOUND');
export const productGameMismatch = businessError('PRODUCT_GAME_MISMATCH');
export const promoNotFound = businessError('PROMO_NOT_FOUND');

/** @throws ConformanceSkip if the service accepts every text as a phone number. */
export function requireCheckedPhones({ dialect }: Probe): void {
  if (dialect.phoneNumbers === 'text')
    throw new ConformanceSkip('the dialect accepts any text as a phone number');
}

/** Codes and ids that don't exist in any catalogue. */
export const nonexistent = {
  game: 'no-such-game-at-all',
  productId: 2_000_000_001,
  methodId: 2_000_000_001,
  promoCode: 'NO-SUCH-PROMO',
  orderId: 'INV-20200101000000-AAAAAAAA',
} as const;
