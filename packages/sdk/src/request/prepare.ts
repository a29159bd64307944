import { endpoints, clientHeaders as headerNames, type Operation } from '@topup-kit/core/contract';
import {
  type CallFacts,
  type CallName,
  type Method,
  type RequestFacts,
  TopupUsageError,
} from '../errors/index.ts';
import type { ListEventsQuery, ListOrdersQuery } from '../generated/types.ts';
import type { CreateOrderOptions, RequestOptions } from '../options.ts';
import type { Platform } from '../platform.ts';
import {
  callOptionNames,
  checkNames,
  type Limits,
  type NamesOf,
  rejectOption,
  resolveLimits,
} from './check-options.ts';
import { addHeaders, checkHeaders, type HeaderMap } from './headers.ts';
import type { createTarget } from './target.ts';

/** What requests take from the client's options. */
export interface RequestConfig {
  target: ReturnType<typeof createTarget>;
  Headers: Platform['Headers'];
  headers: HeaderMap;
  limits: Limits;
}

/** What every call has, of a named operation or of `client.request`. */
interface AnyCall {
  /** Sent as JSON. */
  body?: object | undefined;
  /** Of calls that change something. */
  idempotencyKey?: string;
  /** Whether the caller knows that the service honours the key. */
  keySupported?: boolean;
  options: RequestOptions | undefined;
  /** What the same wait knows from before this call. */
  earlier?: Partial<Pick<RequestFacts, 'earlierAttempts' | 'requestId' | 'progress'>>;
}

/** One call of an operation, from a resource method. */
export interface Call<Name extends Operation> extends AnyCall {
  operation: Name;
  params: PathParams<Name>;
  /** A parameter that is undefined is left out. */
  query?: object | undefined;
}

/** One call of any route. */
export interface RouteCall extends AnyCall {
  operation: CallName;
  method: Method;
  /** Relative to the base URL; it may have a query. */
  path: string;
}

/** A validated call, ready to be sent. */
export interface PreparedRequest {
  url: string;
  headers: HeaderMap;
  body: string | null;
  apiKey: string | undefined;
  keySupported: boolean | undefined;
  limits: Limits;
  signal: AbortSignal | undefined;
  facts: RequestFacts;
}

/** Validates a call and prepares its request. Throws a `TopupUsageError` when it can't be sent. */
export function prepare<Name extends Operation>(call: Call<Name>, config: RequestConfig): PreparedRequest {
  const { operation, params, query } = call;
  const { method } = endpoints[operation];
  return prepareRoute(
    { ...call, method, path: pathOf(operation, params) + queryText(operation, query ?? {}) },
    config,
  );
}

const orderQueryNames: NamesOf<ListOrdersQuery> = {
  limit: true,
  cursor: true,
  payment_status: true,
  buy_status: true,
  created_from: true,
  created_before: true,
  idempotency_key: true,
};

const eventQueryNames: NamesOf<ListEventsQuery> = { after: true, limit: true };

const orderOptionNames: NamesOf<CreateOrderOptions> = {
  ...callOptionNames,
  idempotencyKey: true,
  idempotency: true,
};

export function prepareRoute(call: RouteCall, config: RequestConfig): PreparedRequest {
  const { operation, method, idempotencyKey } = call;
  const options = call.options ?? {};
  const names = operation === 'createOrder' ? orderOptionNames : callOptionNames;
  checkNames(options, names, { operation }, method === 'GET');
  const { origin, basePath, apiKey, keyAdvice } = config.target({ operation });
  const headers = new Map(config.headers);
  if (options.headers) addHeaders(headers, checkHeaders(options.headers, config.Headers, { operation }));
  if (apiKey !== undefined) headers.set(headerNames.apiKey, apiKey);
  const body = operation !== 'request' && method === 'GET' ? null : toJson(call.body, { operation });
  if (body !== null) headers.set('Content-Type', 'application/json');
  if (idempotencyKey !== undefined) headers.set(headerNames.idempotencyKey, idempotencyKey);
  const path = basePath + call.path;
  return {
    url: origin + path,
    headers,
    body,
    apiKey,
    keySupported: call.keySupported,
    limits: resolveLimits(options, config.limits, operation),
    signal: options.signal,
    facts: {
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
      ...call.earlier,
    },
  };
}

/** JSON has null instead of NaN, and an order whose quantity is null is one for a single unit. */
function rejectNaN(_name: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError();
  return value;
}

/** Only `client.request` may have no body. */
function toJson(body: object | undefined, facts: CallFacts): string | null {
  if (body === undefined && facts.operation === 'request') return null;
  try {
    if (typeof body === 'object' && body !== null && !Array.isArray(body))
      return JSON.stringify(body, rejectNaN);
  } catch {
    // Circular references and bigints can't be JSON either.
  }
  throw new TopupUsageError(
    'INVALID_REQUEST',
    'the request must be an object that JSON supports: no NaN, bigint or cycle.',
    facts,
  );
}

export type { Operation };

/** The names of all operations. */
// safe: the keys of a const table
export const operations: readonly Operation[] = /* @__PURE__ */ Object.keys(endpoints) as Operation[];

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

/** `?limit=20`, or nothing. A filter that would be left out is rejected, because the response would list what others match. */
function queryText(operation: Operation, query: object): string {
  const facts = { operation };
  checkNames(query, operation === 'listOrders' ? orderQueryNames : eventQueryNames, facts);
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined && name !== 'idempotency_key') continue;
    if (!String(value ?? '').trim()) rejectOption(name, 'a non-empty string', facts);
    search.set(name, value);
  }
  return `${search}` && `?${search}`;
}

/** Rejects an empty segment, which would be another route, and `.` and `..`, which URLs resolve even when encoded. */
function encodeSegment(operation: Operation, name: string, value: string): string {
  try {
    if (typeof value === 'string' && !/^\s*$|^\.\.?$/.test(value)) return encodeURIComponent(value);
  } catch {
    // Half of a surrogate pair can't be encoded.
  }
  throw new TopupUsageError(
    'INVALID_PATH_PARAMETER',
    `${name === 'order_id' ? 'orderId' : name} must be a non-empty string other than '.' and '..'.`,
    { operation },
  );
}
