import { endpoints, headers as names, type Operation } from '@topup-kit/core/contract';
import { TopupUsageError } from '../errors/index.ts';
import type { RequestOptions } from '../options.ts';
import { version } from '../version.ts';
import type { Config } from './config.ts';
import { checkHeaders, setAll, setOwnHeaders } from './headers.ts';
import { inBrowser } from './in-browser.ts';
import { type Limits, resolveLimits } from './limits.ts';
import { type PathParams, pathOf } from './path.ts';
import type { RequestFacts } from './request-facts.ts';

/** One call of an operation, as a resource asks for it. */
export interface Call<Name extends Operation> {
  operation: Name;
  params: PathParams<Name>;
  /** Sent as JSON when the operation is a POST. */
  body?: object;
  /** Only a call that makes an order has one. */
  idempotencyKey?: string;
  options: RequestOptions | undefined;
}

/** A call checked and ready to leave. */
export interface PreparedRequest {
  url: string;
  headers: Headers;
  body: string | null;
  limits: Limits;
  signal: AbortSignal | undefined;
  facts: RequestFacts;
}

/** Throws a `TopupUsageError` for whatever cannot be sent. */
export function prepare<Name extends Operation>(call: Call<Name>, config: Config): PreparedRequest {
  const { operation, idempotencyKey } = call;
  const options = call.options ?? {};
  const { method } = endpoints[operation];
  const url = config.baseUrl + pathOf(operation, call.params);
  const { origin, pathname } = new URL(url);
  const headers = new Headers(config.headers);
  // A browser has its own, and one of ours would need the consent of CORS.
  if (!inBrowser() && !headers.has('User-Agent')) headers.set('User-Agent', `topup-kit-sdk/${version}`);
  if (options.headers) setAll(headers, checkHeaders(options.headers, { operation }));
  const body = method === 'POST' ? toJson(call.body, operation) : null;
  const json = 'application/json';
  setOwnHeaders(headers, {
    Accept: json,
    'Content-Type': body === null ? undefined : json,
    [names.apiKey]: config.apiKey,
    [names.idempotencyKey]: idempotencyKey,
  });
  return {
    url,
    headers,
    body,
    limits: resolveLimits(options, config.limits, operation),
    signal: options.signal,
    facts: { operation, method, origin, path: pathname, idempotencyKey, attempts: 0, echoed: false },
  };
}

function toJson(body: object | undefined, operation: Operation): string {
  try {
    if (typeof body === 'object' && body !== null) return JSON.stringify(body);
  } catch {
    // Circular, or a bigint: JSON cannot carry it either.
  }
  throw new TopupUsageError('INVALID_REQUEST', 'the request must be an object that JSON can carry.', {
    operation,
  });
}
