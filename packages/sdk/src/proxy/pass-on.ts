import { headers as names } from '@topup-kit/core/contract';
import type { ServiceAnswer } from './ask-service.ts';
import { envelope, Refusal } from './refusal.ts';
import { withoutKey } from './without-key.ts';

/** An answer for the browser; `Content-Type` and what every answer carries are added to it. */
export interface BrowserAnswer {
  status: number;
  headers: Record<string, string>;
  body: string | null;
}

/** What the browser is told of the service's headers. */
const passed = [
  names.errorCode,
  names.requestId,
  names.idempotencyKey,
  names.idempotencyReplayed,
  names.retryAfter,
];

/**
 * The service's answer, as the browser may see it: JSON as it stands, and nothing else, since a page of the service
 * would run on your origin.
 */
export function passOn(
  answer: ServiceAnswer,
  apiKey: string,
  counted: Record<string, string>,
): BrowserAnswer {
  const { status, text } = answer;
  // A key that is refused is this server's fault and not the browser's; nothing was done.
  if (status === 401) throw new Refusal('UNAVAILABLE');
  if (!isPassed(status)) throw new Refusal('BAD_GATEWAY');
  const headers = { ...limitHeaders(answer, counted), ...pick(answer, passed) };
  const plain = rewritten(text);
  if (plain !== undefined) {
    return { status, headers: clean(headers, apiKey), body: withoutKey(text, plain, apiKey) };
  }
  if (status < 400) throw new Refusal('BAD_GATEWAY');
  const code = answer.headers.get(names.errorCode) ?? codeOf(status);
  const body = envelope(code, `The service answered ${status}.`);
  return {
    status,
    headers: clean({ ...headers, [names.errorCode]: code }, apiKey),
    body: withoutKey(body, body, apiKey),
  };
}

/**
 * A redirect (0 where a runtime hides it) leads where nobody was asked to go; a 403 is for this server, or comes from
 * something in front of the service, before or after an order was made.
 */
const isPassed = (status: number): boolean =>
  (status >= 200 && status < 300) || (status >= 400 && status < 600 && status !== 403);

/** The browser is told of the limit that it met: the proxy's, or the service's where that one refused it. */
function limitHeaders(answer: ServiceAnswer, counted: Record<string, string>): Record<string, string> {
  const own = Object.keys(counted).length > 0 && answer.status !== 429;
  return own ? counted : pick(answer, [names.rateLimit, names.rateLimitPolicy]);
}

function pick({ headers }: ServiceAnswer, wanted: readonly string[]): Record<string, string> {
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
function rewritten(text: string): string | undefined {
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
