import { headers as names, type Operation, routes } from '@topup-kit/core/contract';
import { type Config, checkIdempotencyKey, checkTimeout } from './config.ts';
import { TopupUsageError } from './errors/index.ts';
import type { RequestOptions } from './options.ts';
import { type PathParams, pathOf } from './path.ts';
import type { RequestFacts } from './request-facts.ts';
import { version } from './version.ts';

/** One call of an operation, as a resource asks for it. */
export interface Call<Name extends Operation> {
  operation: Name;
  params: PathParams<Name>;
  /** Sent as JSON when the operation is a POST. */
  body?: object;
  idempotencyKey?: string;
  options: RequestOptions | undefined;
}

/** A call checked and ready to leave. */
export interface PreparedRequest {
  url: string;
  headers: Record<string, string>;
  body: string | null;
  timeout: number;
  signal: AbortSignal | null;
  facts: RequestFacts;
}

/** Throws a `TopupUsageError` for whatever cannot be sent. */
export function prepare<Name extends Operation>(call: Call<Name>, config: Config): PreparedRequest {
  const { operation, idempotencyKey, options } = call;
  if (idempotencyKey !== undefined) checkIdempotencyKey(idempotencyKey, operation);
  const { method } = routes[operation];
  const url = config.baseUrl + pathOf(operation, call.params);
  const { origin, pathname } = new URL(url);
  const body = method === 'POST' ? toJson(call.body, operation) : null;
  return {
    url,
    headers: headersFor(config, body, idempotencyKey),
    body,
    timeout: checkTimeout(options?.timeout ?? config.timeout, operation),
    signal: options?.signal ?? null,
    facts: { operation, method, origin, path: pathname, idempotencyKey },
  };
}

function headersFor(config: Config, body: string | null, key: string | undefined): Record<string, string> {
  return {
    Accept: 'application/json',
    ...(inBrowser() ? {} : { 'User-Agent': `topup-kit-sdk/${version}` }),
    ...(body === null ? {} : { 'Content-Type': 'application/json' }),
    ...(config.apiKey === undefined ? {} : { [names.apiKey]: config.apiKey }),
    ...(key === undefined ? {} : { [names.idempotencyKey]: key }),
  };
}

/** A browser has its own User-Agent, and one of ours would need the consent of CORS. */
const inBrowser = (): boolean => Boolean(globalThis.navigator?.userAgent?.startsWith('Mozilla/'));

function toJson(body: object | undefined, operation: Operation): string {
  try {
    if (typeof body === 'object' && body !== null) return JSON.stringify(body);
  } catch {
    // Circular, or a bigint: JSON cannot carry it either.
  }
  throw new TopupUsageError(
    'INVALID_REQUEST',
    'the request must be an object that JSON can carry.',
    operation,
  );
}
