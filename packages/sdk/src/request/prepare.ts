import { endpoints, headers as names, type Operation } from '@topup-kit/core/contract';
import { type RequestFacts, TopupUsageError } from '../errors/index.ts';
import type { RequestOptions } from '../options.ts';
import { type Limits, resolveLimits } from './check-options.ts';
import type { Config } from './config.ts';
import { checkHeaders, keepOwnHeaders, setAll } from './headers.ts';

/** One call of an operation, from a resource method. */
export interface Call<Name extends Operation> {
  operation: Name;
  params: PathParams<Name>;
  /** Sent as JSON by a POST. */
  body?: object;
  /** Only for `createOrder`. */
  idempotencyKey?: string;
  options: RequestOptions | undefined;
}

/** A validated call, ready to be sent. */
export interface PreparedRequest {
  url: string;
  headers: Headers;
  body: string | null;
  limits: Limits;
  signal: AbortSignal | undefined;
  facts: RequestFacts;
}

/** Validates a call and prepares its request. Throws a `TopupUsageError` when it can't be sent. */
export function prepare<Name extends Operation>(call: Call<Name>, config: Config): PreparedRequest {
  const { operation, idempotencyKey } = call;
  const options = call.options ?? {};
  const { method } = endpoints[operation];
  const { origin, basePath } = config;
  const path = basePath + pathOf(operation, call.params);
  const headers = new Headers(config.headers);
  if (options.headers) {
    setAll(headers, checkHeaders(options.headers, { operation }));
    keepOwnHeaders(headers, config.headers);
  }
  const body = method === 'POST' ? toJson(call.body, operation) : null;
  if (body !== null) headers.set('Content-Type', 'application/json');
  if (idempotencyKey !== undefined) headers.set(names.idempotencyKey, idempotencyKey);
  return {
    url: origin + path,
    headers,
    body,
    limits: resolveLimits(options, config.limits, operation),
    signal: options.signal,
    facts: { operation, method, origin, path, idempotencyKey, attempts: 0, echoed: false },
  };
}

function toJson(body: object | undefined, operation: Operation): string {
  try {
    if (typeof body === 'object' && body !== null) return JSON.stringify(body);
  } catch {
    // Circular references and bigints can't be JSON.
  }
  throw new TopupUsageError('INVALID_REQUEST', 'the request must be an object that JSON supports.', {
    operation,
  });
}

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** The path parameters of an operation: `{ slug: string }` for `/games/{slug}`. */
export type PathParams<Name extends Operation> = Record<NamesIn<(typeof endpoints)[Name]['path']>, string>;

/** The path of an operation with its parameters, each encoded as one segment. */
export function pathOf<Name extends Operation>(operation: Name, params: PathParams<Name>): string {
  let path: string = endpoints[operation].path;
  for (const [name, value] of Object.entries<string>(params)) {
    path = path.replace(`{${name}}`, encodeSegment(operation, name, value));
  }
  return path;
}

/** Rejects an empty segment, which would be another route, and `.` and `..`, which URLs resolve even when encoded. */
function encodeSegment(operation: Operation, name: string, value: string): string {
  const usable = typeof value === 'string' && value.isWellFormed() && !/^\s*$|^\.\.?$/.test(value);
  if (usable) return encodeURIComponent(value);
  throw new TopupUsageError(
    'INVALID_PATH_PARAMETER',
    `${name} must be a non-empty string other than '.' and '..'.`,
    { operation },
  );
}
