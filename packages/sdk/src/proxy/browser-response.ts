import { headers as names } from '@topup-kit/core/contract';
import { envelope, ProxyError } from '../errors/proxy-error.ts';
import type { ServiceResponse } from './call-service.ts';

/** A response for the browser. `Content-Type` and the headers of every response are added later. */
export interface BrowserResponse {
  status: number;
  headers: Record<string, string>;
  body: string | null;
}

/** Headers that are passed on from the service to the browser. */
export const forwardedHeaders = [
  names.errorCode,
  names.requestId,
  names.idempotencyKey,
  names.idempotencyReplayed,
  names.idempotencyOrder,
  names.idempotencySupported,
  names.retryAfter,
  names.contentLanguage,
];

/**
 * Converts the service's response for the browser. Only JSON is passed on, because an HTML page of the service would run on your origin.
 */
export function toBrowserResponse(
  response: ServiceResponse,
  apiKey: string,
  limits: Record<string, string>,
): BrowserResponse {
  const { status, text } = response;
  const plain = normalizedJson(text);
  // A rejected key is this server's fault, not the browser's; the service did nothing.
  if (status === 401) throw new ProxyError('UNAVAILABLE', { reason: reasonOf(status, plain) });
  if (!isForwarded(status)) throw new ProxyError('BAD_GATEWAY', { reason: reasonOf(status, plain) });
  const headers = {
    ...limitHeaders(response, limits),
    ...pick(response, forwardedHeaders),
    ...(response.headers.has(names.contentLanguage) && { [names.vary]: names.acceptLanguage }),
  };
  if (plain !== undefined) {
    return { status, headers: clean(headers, apiKey), body: redactKey(text, plain, apiKey) };
  }
  if (status < 400) throw new ProxyError('BAD_GATEWAY', { reason: reasonOf(status, plain) });
  const code = response.headers.get(names.errorCode) ?? codeOf(status);
  const body = envelope(code, `The service answered ${status}.`);
  return {
    status,
    headers: clean({ ...headers, [names.errorCode]: code }, apiKey),
    body: redactKey(body, body, apiKey),
  };
}

/**
 * Tells whether a status is passed on. Redirects are not passed on; their status is 0 if the runtime hides them. A 403 is not passed on
 * either, because it concerns this server, or comes from a proxy in front of the service, before or after an order was created.
 */
const isForwarded = (status: number): boolean =>
  (status >= 200 && status < 300) || (status >= 400 && status < 600 && status !== 403);

/** Explains why a response is not passed on, and what to check. */
function reasonOf(status: number, plain: string | undefined): string {
  if (status === 0 || (status >= 300 && status < 400)) return 'it redirects: check baseUrl';
  if (plain === undefined)
    return `${status} with a body that is not JSON, perhaps from a proxy: check baseUrl`;
  return `${status}: check the key, its scopes, and whether this server's address is allowed`;
}

/** Returns the rate-limit headers of the proxy, or of the service if the service rejected the request. */
function limitHeaders(response: ServiceResponse, limits: Record<string, string>): Record<string, string> {
  const own = Object.keys(limits).length > 0 && response.status !== 429;
  return own ? limits : pick(response, [names.rateLimit, names.rateLimitPolicy]);
}

function pick({ headers }: ServiceResponse, wanted: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    wanted.flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}

const clean = (headers: Record<string, string>, apiKey: string): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([, value]) => !value.includes(apiKey)));

/** Parses JSON and writes it again. Undefined if the text is not JSON, or is nested too deeply. */
function normalizedJson(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Returns the code for a response without a code, like the SDK. */
function codeOf(status: number): string {
  const codes: Record<number, string> = { 404: 'NOT_FOUND', 429: 'RATE_LIMITED', 503: 'UNAVAILABLE' };
  return codes[status] ?? (status >= 500 ? 'SERVER_ERROR' : 'HTTP_ERROR');
}

/**
 * Removes the API key from JSON text, including its escaped form, because a service may quote its request. `plain` is the same JSON as
 * written by `JSON.stringify`.
 */
function redactKey(text: string, plain: string, apiKey: string): string {
  const quoted = JSON.stringify(apiKey).slice(1, -1);
  return text.includes(apiKey) || plain.includes(quoted) ? plain.replaceAll(quoted, '[apiKey]') : text;
}
