import { endpoints, clientHeaders as names, type Operation } from '@topup-kit/core/contract';
import { type CallMetadata, type Method, TopupUsageError } from '../errors/index.ts';
import type { RequestMetadata } from '../errors/topup-error.ts';
import type { CreateOrderOptions, CustomRequestOptions } from '../options.ts';
import { checkCallOptions, type Limits } from '../request/check-options.ts';
import { addHeaders, checkHeaders, type HeaderMap } from '../request/headers.ts';
import { queryText } from '../request/query.ts';
import type { Config } from './config.ts';
import { isSupported, resolveIdempotencyKey } from './idempotency.ts';

export interface Call {
  operation: Operation;
  params?: Readonly<Record<string, string>> | undefined;
  /** Query parameters; undefined ones are left out. */
  query?: object | undefined;
  /** Sent as JSON. */
  body?: object | undefined;
  options: CreateOrderOptions | undefined;
  /** Data from earlier calls of the same wait. */
  earlier?: Partial<Pick<RequestMetadata, 'earlierAttempts' | 'requestId' | 'progress'>>;
}

export interface RouteCall {
  operation: 'request';
  method: Method;
  /** Relative to the base URL; it may have a query. */
  path: string;
  body: object | undefined;
  options: CustomRequestOptions;
}

/** A validated call, ready to be sent. */
export interface PreparedRequest {
  url: string;
  headers: HeaderMap;
  body: string | null;
  apiKey: string | undefined;
  /** True if the caller knows that the service honours the key. */
  keySupported: boolean;
  limits: Limits;
  signal: AbortSignal | undefined;
  metadata: RequestMetadata;
}

const none: CreateOrderOptions = {};

/** Validates a call and prepares its request. Throws a `TopupUsageError` if it can't be sent. */
export function prepare(call: Call | RouteCall, config: Config): PreparedRequest {
  const { operation } = call;
  const about = { operation };
  const options: CreateOrderOptions = call.options ?? none;
  const isOrder = operation === 'createOrder';
  const isRoute = call.operation === 'request';
  const method = isRoute ? call.method : endpoints[call.operation].method;
  const reads = method === 'GET';
  const hasKey = isOrder || (isRoute && !reads);
  const idempotencyKey = hasKey ? resolveIdempotencyKey(options.idempotencyKey, about) : undefined;
  const keySupported = isOrder && isSupported(options.idempotency, about);
  const below = isRoute ? call.path : pathOf(call);
  const limits = options === none ? config.limits : checkCallOptions(options, about, reads, config.limits);
  const { target } = config;
  const { origin, basePath, apiKey, keyAdvice } = typeof target === 'function' ? target(about) : target;
  const headers = new Map(config.headers);
  if (options.headers) addHeaders(headers, checkHeaders(options.headers, config.platform.Headers, about));
  if (apiKey !== undefined) headers.set(names.apiKey, apiKey);
  // Only reads and `client.request` may lack a body.
  const empty = call.body === undefined && (reads || isRoute);
  const body = empty ? null : toJson(call.body, about);
  if (body !== null) headers.set('Content-Type', 'application/json');
  if (idempotencyKey !== undefined) headers.set(names.idempotencyKey, idempotencyKey);
  const path = basePath + below;
  return {
    url: origin + path,
    headers,
    body,
    apiKey,
    keySupported,
    limits,
    signal: options.signal,
    metadata: {
      operation,
      method,
      origin,
      basePath,
      path: path.replace(/\?.*/s, ''),
      keyAdvice,
      idempotencyKey,
      attempts: 0,
      earlierAttempts: 0,
      progress: '',
      echoed: false,
      ...(isRoute ? {} : call.earlier),
    },
  };
}

/** Rejects NaN, because JSON would write it as null, and an order with quantity null is for one unit. */
function rejectNaN(_name: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError();
  return value;
}

function toJson(body: object | undefined, metadata: CallMetadata): string {
  try {
    if (typeof body === 'object' && body !== null && !Array.isArray(body))
      return JSON.stringify(body, rejectNaN);
  } catch {
    // Circular references and bigints can't be written as JSON.
  }
  throw new TopupUsageError(
    'INVALID_REQUEST',
    'the request must be an object that JSON supports: no NaN, bigint or cycle.',
    metadata,
  );
}

/** Returns the path of an operation with its query and its parameters, each encoded as one segment. */
function pathOf({ operation, params = {}, query }: Call): string {
  let path: string = endpoints[operation].path;
  for (const [name, value] of Object.entries(params))
    path = path.replace(`{${name}}`, encodeSegment(operation, name, value));
  return query ? path + queryText(operation, query) : path;
}

/** Encodes a segment. Rejects an empty segment, which would be another route, and `.` and `..`, which URLs resolve even if encoded. */
function encodeSegment(operation: Operation, name: string, value: string): string {
  try {
    if (typeof value === 'string' && !/^\s*$|^\.\.?$/.test(value)) return encodeURIComponent(value);
  } catch {
    // A lone surrogate can't be encoded.
  }
  throw new TopupUsageError(
    'INVALID_PATH_PARAMETER',
    `${name === 'order_id' ? 'orderId' : name} must be a non-empty string other than '.' and '..'.`,
    { operation },
  );
}
