import { clientHeaders as names } from '@topup-kit/core/contract';
import {
  type HttpErrorCode,
  type RequestFacts,
  type ResponseErrorDetails,
  TopupHttpError,
  TopupResponseError,
} from '../errors/index.ts';
import type { Platform } from '../platform.ts';
import { inBrowser } from '../request/check-options.ts';
import type { RawResponse } from './http.ts';
import { requestedDelay } from './retry-delay.ts';

/** Maximum size of a response, in bytes: 16 MiB, many times the list of all games of a large service. */
const maxResponseBytes = 2 ** 24;

/**
 * Reads the body of a response. It stops at the maximum size, because an endless response would fill the memory. There is
 * no such limit in plain Jest with jsdom, and in browsers: Chromium shows a body that was read in parts as a cancelled
 * request.
 */
export async function readText(response: Response, facts: RequestFacts): Promise<string> {
  const { body } = response;
  // Plain Jest with jsdom has no TextDecoder.
  if (!body || typeof TextDecoder === 'undefined' || inBrowser()) return response.text();
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for (;;) {
    const { value } = await reader.read();
    if (!value) return text + decoder.decode();
    size += value.length;
    if (size > maxResponseBytes) break;
    text += decoder.decode(value, { stream: true });
  }
  void reader.cancel().catch(() => undefined);
  throw responseError(
    response,
    facts,
    `a body of more than ${maxResponseBytes} bytes`,
    'Check that baseUrl is the URL of the API.',
    { code: 'RESPONSE_TOO_LARGE' },
  );
}

export type JsonObject = Record<string, unknown>;

/** Returns the JSON of a successful response: an object, or any value for `client.request`. Throws the error for any other response. */
export function readResponse(raw: RawResponse, facts: RequestFacts, apiKey: string | undefined): unknown {
  const { response, text = '' } = raw;
  const body = parse(text);
  // A server may quote the API key when it rejects it.
  const shown = (): unknown => redact(body === undefined ? text : body, apiKey);
  if (response.ok && !isObject(body)) {
    const empty = text === '' && !contentTypeOf(response);
    if (facts.operation === 'request' && (body !== undefined || empty)) return body;
    throw unreadable(response, text, shown(), facts);
  }
  const ordered = facts.operation === 'createOrder';
  const rejected = !response.ok || (isObject(body) && failureFlags.has(body.success));
  const orderId = response.ok && ordered ? orderIdOf(body) : undefined;
  if (rejected && orderId === undefined) throw readError(response, shown(), facts, apiKey);
  if (isObject(body) && !rejected) {
    if (orderId !== undefined) return { ...body, orderId };
    if (!ordered) return body;
  }
  // An error with an order id, or a success without one: it is unknown whether the order exists.
  throw responseError(
    response,
    facts,
    rejected ? 'an error that has an orderId' : 'no orderId',
    'See error.body.',
    { code: 'INVALID_RESPONSE', path: '$.orderId', body: shown() },
  );
}

/** Values of `success` that mean failure in a 2xx response (interface 7.1: `success` is `false`). */
const failureFlags = new Set<unknown>([false, 0, '', '0', 'false']);

function orderIdOf(body: unknown): string | undefined {
  const { orderId, data }: JsonObject = Object(body);
  return [orderId, isObject(data) && data.order_id].find(
    (id): id is string => typeof id === 'string' && id !== '',
  );
}

/** Creates the error for a body that is not a JSON object. */
function unreadable(
  response: Response,
  text: string,
  body: unknown,
  facts: RequestFacts,
): TopupResponseError {
  const code = text.trim() === '' ? 'EMPTY_BODY' : parse(text) === undefined ? 'NOT_JSON' : 'NOT_AN_OBJECT';
  const contentType = contentTypeOf(response) ?? 'no Content-Type';
  return responseError(
    response,
    facts,
    `a body that is not a JSON object, or was cut off (${contentType})`,
    `Check that baseUrl is the URL of the API${facts.basePath ? '' : ', which often has a path, such as /api'}.`,
    {
      code,
      // JSON by its type and its first characters was probably cut off, so a retry may help. An HTML page would come again.
      retryable: /^\s*(\{|$)/.test(text) && /json/.test(contentType),
      body,
    },
  );
}

/** Creates the error for a response with a 2xx status that can't be used. `fault` describes what is wrong, `advice` what to do next. */
export const responseError = (
  response: Response,
  facts: RequestFacts,
  fault: string,
  advice: string,
  { code, ...details }: Partial<ResponseErrorDetails> & Pick<ResponseErrorDetails, 'code'>,
): TopupResponseError =>
  new TopupResponseError(facts, fault, advice, {
    code,
    retryable: false,
    status: response.status,
    contentType: contentTypeOf(response),
    path: undefined,
    body: undefined,
    ...details,
  });

/** Creates the error for an error response: any shape of interface 7.1, or any other body. */
function readError(
  response: Response,
  body: unknown,
  facts: RequestFacts,
  apiKey: string | undefined,
): TopupHttpError {
  const { status, headers } = response;
  const details = isObject(body) ? body : {};
  const fields = fieldsOf(details.errors);
  const code =
    codeOf(redact(headers.get(names.errorCode), apiKey)) ??
    codeOf(details.error_code) ??
    codeByStatus(status, fields);
  return new TopupHttpError(
    facts,
    {
      status,
      code,
      retryable: status === 408 || status === 429 || status >= 500 || code === 'IDEMPOTENCY_IN_FLIGHT',
      serverMessage: typeof details.message === 'string' && details.message ? details.message : undefined,
      orderId: orderIdOf(body),
      fields,
      body: body === '' ? undefined : body,
      retryAfter: requestedDelay(headers),
    },
    redactText(headers.get('Location')?.replace(/[?#].*/s, ''), apiKey),
  );
}

const codes: Readonly<Record<number, HttpErrorCode>> = {
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  429: 'RATE_LIMITED',
  503: 'UNAVAILABLE',
};

function codeByStatus(status: number, fields: object | undefined): HttpErrorCode {
  if (status === 422 || (status >= 200 && status < 300)) return fields ? 'VALIDATION_ERROR' : 'REJECTED';
  return codes[status] ?? (status >= 500 ? 'SERVER_ERROR' : 'HTTP_ERROR');
}

const codeOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[\w.-]{1,64}$/.test(value) ? value : undefined;

/** Error messages by field. An empty `errors`, which PHP writes as `[]`, is not a validation error. */
function fieldsOf(errors: unknown): Record<string, string[]> | undefined {
  const fields = isObject(errors) ? Object.entries(errors) : [];
  if (fields.length === 0) return undefined;
  const isText = (message: unknown): message is string => typeof message === 'string';
  return Object.fromEntries(fields.map(([field, messages]) => [field, [messages].flat().filter(isText)]));
}

/** The service's id of a request. */
export const requestIdOf = ({ headers }: Response, apiKey: string | undefined): string | undefined =>
  redactText(headers.get(names.requestId) ?? undefined, apiKey);

/** The headers of a response, without the API key. */
export function headersOf(
  { headers }: Response,
  apiKey: string | undefined,
  Headers: Platform['Headers'],
): Headers {
  const shown = new Headers();
  headers.forEach((value, name) => {
    shown.append(name, `${redactText(value, apiKey)}`);
  });
  return shown;
}

const contentTypeOf = ({ headers }: Response): string | undefined => headers.get('Content-Type') ?? undefined;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Deeper than any documented response. Deeper values are omitted. */
const maxDepth = 32;

/** Replaces a secret in all strings of a value. A short secret is not replaced, because it could be an ordinary word. */
function redact(value: unknown, secret: string | undefined, depth = 0): unknown {
  if (typeof value === 'string')
    return secret !== undefined && secret.length >= 8 ? value.replaceAll(secret, '[apiKey]') : value;
  if (depth === maxDepth) return undefined;
  const clean = (inner: unknown): unknown => redact(inner, secret, depth + 1);
  if (Array.isArray(value)) return value.map(clean);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [clean(name), clean(inner)]));
}

const redactText = (text: string | undefined, secret: string | undefined): string | undefined =>
  // safe: redacting a string returns a string
  redact(text, secret) as string | undefined;

/** Whether a JSON value is an object, not an array or null. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
