import { headers as names } from '@topup-kit/core/contract';
import type { ServiceResponse } from './call-service.ts';
import { envelope, ProxyError } from './proxy-error.ts';

/** An answer for the browser; `Content-Type` and what every answer carries are added to it. */
export interface BrowserResponse {
  status: number;
  headers: Record<string, string>;
  body: string | null;
}

/** What the browser is told of the service's headers. */
const forwardedHeaders = [
  names.errorCode,
  names.requestId,
  names.idempotencyKey,
  names.idempotencyReplayed,
  names.retryAfter,
];

/**
 * The service's response, as the browser may see it: JSON as it stands, and nothing else, since a page of the service
 * would run on your origin.
 */
export function toBrowserResponse(
  response: ServiceResponse,
  apiKey: string,
  counted: Record<string, string>,
): BrowserResponse {
  const { status, text } = response;
  // A key that is refused is this server's fault and not the browser's; nothing was done.
  if (status === 401) throw new ProxyError('UNAVAILABLE');
  if (!isForwarded(status)) throw new ProxyError('BAD_GATEWAY');
  const headers = { ...limitHeaders(response, counted), ...pick(response, forwardedHeaders) };
  const plain = normalizedJson(text);
  if (plain !== undefined) {
    return { status, headers: clean(headers, apiKey), body: redactKey(text, plain, apiKey) };
  }
  if (status < 400) throw new ProxyError('BAD_GATEWAY');
  const code = response.headers.get(names.errorCode) ?? codeOf(status);
  const body = envelope(code, `The service answered ${status}.`);
  return {
    status,
    headers: clean({ ...headers, [names.errorCode]: code }, apiKey),
    body: redactKey(body, body, apiKey),
  };
}

/**
 * A redirect (0 where a runtime hides it) leads where nobody was asked to go; a 403 is for this server, or comes from
 * something in front of the service, before or after an order was made.
 */
const isForwarded = (status: number): boolean =>
  (status >= 200 && status < 300) || (status >= 400 && status < 600 && status !== 403);

/** The browser is told of the limit that it met: the proxy's, or the service's where that one refused it. */
function limitHeaders(response: ServiceResponse, counted: Record<string, string>): Record<string, string> {
  const own = Object.keys(counted).length > 0 && response.status !== 429;
  return own ? counted : pick(response, [names.rateLimit, names.rateLimitPolicy]);
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

/** The JSON that a text holds, written anew; undefined when it holds none, or one nested too deep to be written. */
function normalizedJson(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** As the SDK names what has no code of its own. */
function codeOf(status: number): string {
  const codes: Record<number, string> = { 404: 'NOT_FOUND', 429: 'RATE_LIMITED', 503: 'UNAVAILABLE' };
  return codes[status] ?? (status >= 500 ? 'SERVER_ERROR' : 'HTTP_ERROR');
}

/**
 * JSON text in which the key stands nowhere, neither as it is nor escaped: a service may quote what it was sent.
 * `plain` is the same JSON, written as `JSON.stringify` does.
 */
function redactKey(text: string, plain: string, apiKey: string): string {
  const quoted = JSON.stringify(apiKey).slice(1, -1);
  return text.includes(apiKey) || plain.includes(quoted) ? plain.replaceAll(quoted, '[apiKey]') : text;
}
