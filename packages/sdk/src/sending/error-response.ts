import { clientHeaders as names } from '@topup-kit/core/contract';
import { type HttpErrorCode, TopupHttpError, TopupResponseError } from '../errors/index.ts';
import type { ResponseErrorDetails } from '../errors/response-error.ts';
import type { RequestMetadata } from '../errors/topup-error.ts';
import type { Platform } from '../platform.ts';
import { isObject, isSuccess, orderIdOf, parse, withoutKey } from './json.ts';
import { requestedDelay } from './retry-delay.ts';

/** Creates the error for an unsuccessful response. `body` is the JSON of its text. */
export function errorOf(
  response: Response,
  text: string,
  body: unknown,
  metadata: RequestMetadata,
  apiKey: string | undefined,
): TopupHttpError | TopupResponseError {
  // A server may quote the API key when it rejects it.
  const shown = redact(body === undefined ? text : body, apiKey);
  if (response.ok && !isObject(body)) return unreadable(response, text, shown, metadata);
  const rejected = !isSuccess(response, body);
  const orderId = response.ok && metadata.operation === 'createOrder' ? orderIdOf(body) : undefined;
  if (rejected && orderId === undefined) return readError(response, shown, metadata, apiKey);
  // For an error with an order id, or a success without an order id, it is unknown whether the order exists.
  return responseError(
    response,
    metadata,
    rejected ? 'an error that has an orderId' : 'no orderId',
    'See error.body.',
    { code: 'INVALID_RESPONSE', path: '$.orderId', body: shown },
  );
}

/** Creates the error for a body that is not a JSON object. */
function unreadable(
  response: Response,
  text: string,
  body: unknown,
  metadata: RequestMetadata,
): TopupResponseError {
  const code = text.trim() === '' ? 'EMPTY_BODY' : parse(text) === undefined ? 'NOT_JSON' : 'NOT_AN_OBJECT';
  const contentType = contentTypeOf(response) ?? 'no Content-Type';
  return responseError(
    response,
    metadata,
    `a body that is not a JSON object, or was cut off (${contentType})`,
    `Check that baseUrl is the URL of the API${metadata.basePath ? '' : ', which often has a path, such as /api'}.`,
    {
      code,
      // A JSON response that starts like JSON was probably cut off, so a retry may help. An HTML page would stay the same.
      retryable: /^\s*(\{|$)/.test(text) && /json/.test(contentType),
      body,
    },
  );
}

/** Creates the error for a response with a 2xx status that can't be used. `fault` describes the problem, `advice` the next step. */
export const responseError = (
  response: Response,
  metadata: RequestMetadata,
  fault: string,
  advice: string,
  { code, ...details }: Partial<ResponseErrorDetails> & Pick<ResponseErrorDetails, 'code'>,
): TopupResponseError =>
  new TopupResponseError(metadata, fault, advice, {
    code,
    retryable: false,
    status: response.status,
    contentType: contentTypeOf(response),
    path: undefined,
    body: undefined,
    ...details,
  });

/** Creates the error for an error response with any shape of interface 7.1, or with any other body. */
function readError(
  response: Response,
  body: unknown,
  metadata: RequestMetadata,
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
    metadata,
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
    withoutKey(headers.get('Location')?.replace(/[?#].*/s, '') ?? '', apiKey),
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

/** Returns error messages by field. An empty `errors`, which PHP writes as `[]`, is not a validation error. */
function fieldsOf(errors: unknown): Record<string, string[]> | undefined {
  const fields = isObject(errors) ? Object.entries(errors) : [];
  if (fields.length === 0) return undefined;
  const isText = (message: unknown): message is string => typeof message === 'string';
  return Object.fromEntries(fields.map(([field, messages]) => [field, [messages].flat().filter(isText)]));
}

/** The headers of a response, without the API key. */
export function headersOf({ headers }: Response, apiKey: string | undefined, { Headers }: Platform): Headers {
  const shown = new Headers();
  headers.forEach((value, name) => {
    shown.append(name, withoutKey(value, apiKey));
  });
  return shown;
}

const contentTypeOf = ({ headers }: Response): string | undefined => headers.get('Content-Type') ?? undefined;

/** Maximum depth, which exceeds that of any documented response. Deeper values are omitted. */
const maxDepth = 32;

/** Removes the API key from all strings of a value. */
function redact(value: unknown, apiKey: string | undefined, depth = 0): unknown {
  if (typeof value === 'string') return withoutKey(value, apiKey);
  if (depth === maxDepth) return undefined;
  const clean = (inner: unknown): unknown => redact(inner, apiKey, depth + 1);
  if (Array.isArray(value)) return value.map(clean);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [clean(name), clean(inner)]));
}
