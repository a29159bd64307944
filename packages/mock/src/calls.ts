import { createRouter, isInterfacePath } from '@topup-kit/core/app';
import { type Operation, operations, servedOperations } from '@topup-kit/core/contract';
import type { MockConfig } from './options.ts';
import { isPlainGet, type PlainGet } from './plain-get.ts';

/** A request to the API. */
export interface Call {
  /** The matching operation of the route table, even if the dialect doesn't have it; null if there is none. */
  operation: Operation | null;
  /** Whether this service has the operation. */
  served: boolean;
  method: string;
  /** Relative to `baseUrl`, without its query. */
  path: string;
  query: string;
}

/** Reads requests as calls to the API, on any host; undefined for other requests, such as pictures. */
export function callReader({
  baseUrl,
  basePath,
  dialect,
}: MockConfig): (request: Request | PlainGet) => Call | undefined {
  const served = servedOperations(dialect);
  const { match } = createRouter(basePath, operations);
  return (request) => {
    const { method, url } = request;
    if (isPlainGet(request)) {
      const { operation } = request.matched;
      return { operation, served: true, method, path: url.slice(baseUrl.length), query: '' };
    }
    const start = url.indexOf('/', url.indexOf('//') + 2);
    const end = url.search(/[?#]/);
    const pathname = end === -1 ? url.slice(start) : url.slice(start, end);
    if (!isInterfacePath(pathname, basePath)) return undefined;
    const path = pathname.slice(basePath.length);
    const operation = match(method, pathname)?.operation ?? null;
    const query = end === -1 ? '' : url.slice(end).replace(/#.*/, '');
    return { operation, served: operation !== null && served.includes(operation), method, path, query };
  };
}

/** A call to the API in `mock.requests`. */
export interface MockRequest {
  /** Null if the call matches no operation. */
  readonly operation: Operation | null;
  readonly method: string;
  /** Relative to `baseUrl`, with its query: `/games/mobile-legends`. */
  readonly path: string;
  /** Null until the response is sent, and if there is none. */
  readonly status: number | null;
  /** The request body, parsed as JSON, or as text if it is not JSON. Absent without a body. */
  readonly body?: unknown;
  /** Time of the request on the mock's clock, in unix milliseconds. */
  readonly at: number;
}

/** Maximum number of stored calls, because a mock may serve a page for days. */
export const maxRequests = 1_000;

/** Copies the records, so that later calls don't change them. */
export const copyRequests = <Request extends MockRequest>(requests: readonly Request[]): Request[] =>
  requests.map((request) => ({ ...request }));

/** Parses a body as JSON; returns the text if it is not JSON. */
export function readableBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
