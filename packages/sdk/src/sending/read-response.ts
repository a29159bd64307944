import { headers as names } from '@topup-kit/core/contract';
import {
  type HttpErrorCode,
  type RequestFacts,
  TopupHttpError,
  TopupResponseError,
} from '../errors/index.ts';
import type { RawResponse } from './http.ts';
import { requestedDelay } from './retry-delay.ts';

export type JsonObject = Record<string, unknown>;

/** The JSON object of a successful answer; any other answer is thrown as the error that it is. */
export function readResponse(raw: RawResponse, facts: RequestFacts, apiKey: string | undefined): JsonObject {
  const { response, text = '' } = raw;
  const body = parse(text);
  // A server may quote the key as it refuses it.
  const shown = (): unknown => redact(body === undefined ? text : body, apiKey);
  if (response.ok && !isObject(body)) throw unreadable(response, text, shown(), facts);
  const rejected = !response.ok || (isObject(body) && failureFlags.has(body.success));
  const orderId = response.ok && facts.idempotencyKey !== undefined ? orderIdOf(body) : undefined;
  if (rejected && orderId === undefined) throw readError(response, shown(), facts, apiKey);
  if (isObject(body) && !rejected) {
    if (orderId !== undefined) return { ...body, orderId };
    if (facts.idempotencyKey === undefined) return body;
  }
  // A refusal that names an order, or a success that names none: nobody knows whether there is one.
  throw new TopupResponseError(
    facts,
    rejected ? 'a refusal that has an orderId' : 'no orderId',
    'See error.body.',
    {
      code: 'INVALID_RESPONSE',
      retryable: false,
      ...responseFacts(response),
      path: '$.orderId',
      body: shown(),
    },
  );
}

/** How services say in a 2xx that they did not do it (interface 7.1: `success` is `false`). */
const failureFlags = new Set<unknown>([false, 0, '', '0', 'false']);

function orderIdOf(body: unknown): string | undefined {
  const { orderId, data }: JsonObject = Object(body);
  return [orderId, isObject(data) && data.order_id].find(
    (id): id is string => typeof id === 'string' && id !== '',
  );
}

/** What is no JSON object. */
function unreadable(
  response: Response,
  text: string,
  body: unknown,
  facts: RequestFacts,
): TopupResponseError {
  const code = text.trim() === '' ? 'EMPTY_BODY' : parse(text) === undefined ? 'NOT_JSON' : 'NOT_AN_OBJECT';
  const { contentType = 'no Content-Type' } = responseFacts(response);
  return new TopupResponseError(
    facts,
    `a body that is no JSON object, or was cut off (${contentType})`,
    'Check that baseUrl leads to the API.',
    {
      code,
      // What is JSON by its type and its beginning was cut off on the way; a page will be there again.
      retryable: /^\s*(\{|$)/.test(text) && /json/.test(contentType),
      ...responseFacts(response),
      path: undefined,
      body,
    },
  );
}

/** Takes any shape of interface 7.1, and a body that has none of them. */
function readError(
  response: Response,
  body: unknown,
  facts: RequestFacts,
  apiKey: string | undefined,
): TopupHttpError {
  const { status, headers } = response;
  const said = isObject(body) ? body : {};
  const fields = fieldsOf(said.errors);
  const code =
    codeOf(redact(headers.get(names.errorCode), apiKey)) ??
    codeOf(said.error_code) ??
    codeByStatus(status, fields);
  const { requestId } = responseFacts(response);
  // safe: a text without the key is a text
  const clean = (text: string | undefined) => redact(text, apiKey) as string | undefined;
  return new TopupHttpError(
    facts,
    {
      status,
      code,
      retryable: status === 408 || status === 429 || status >= 500 || code === 'IDEMPOTENCY_IN_FLIGHT',
      serverMessage: typeof said.message === 'string' && said.message ? said.message : undefined,
      fields,
      body: body === '' ? undefined : body,
      requestId: clean(requestId),
      retryAfter: requestedDelay(headers),
    },
    clean(headers.get('Location')?.replace(/[?#].*/s, '')),
  );
}

function codeByStatus(status: number, fields: object | undefined): HttpErrorCode {
  if (status === 401) return 'UNAUTHORIZED';
  if (status === 403) return 'FORBIDDEN';
  if (status === 404) return 'NOT_FOUND';
  if (status === 422 || (status >= 200 && status < 300)) return fields ? 'VALIDATION_ERROR' : 'REJECTED';
  if (status === 429) return 'RATE_LIMITED';
  if (status === 503) return 'UNAVAILABLE';
  return status >= 500 ? 'SERVER_ERROR' : 'HTTP_ERROR';
}

const codeOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[\w.-]{1,64}$/.test(value) ? value : undefined;

/** Messages by field; an empty `errors`, which PHP writes as `[]`, is no validation failure. */
function fieldsOf(errors: unknown): Record<string, string[]> | undefined {
  const fields = isObject(errors) ? Object.entries(errors) : [];
  if (fields.length === 0) return undefined;
  const isText = (message: unknown): message is string => typeof message === 'string';
  return Object.fromEntries(fields.map(([field, messages]) => [field, [messages].flat().filter(isText)]));
}

/** What errors tell of an answer. */
export const responseFacts = ({ status, headers }: Response) => ({
  status,
  contentType: headers.get('Content-Type') ?? undefined,
  requestId: headers.get(names.requestId) ?? undefined,
});

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Deeper than any answer of the contract; what is deeper is left out. */
const maxDepth = 32;

/** The value without the secret in any of its texts; one as short as a word would blot out honest text. */
function redact(value: unknown, secret: string | undefined, depth = 0): unknown {
  if (typeof value === 'string')
    return secret !== undefined && secret.length >= 8 ? value.replaceAll(secret, '[apiKey]') : value;
  if (depth === maxDepth) return undefined;
  const clean = (inner: unknown): unknown => redact(inner, secret, depth + 1);
  if (Array.isArray(value)) return value.map(clean);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [clean(name), clean(inner)]));
}

/** Whether JSON holds an object here, and neither an array nor null. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
