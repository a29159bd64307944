import { createRouter, isInterfacePath } from '@topup-kit/core/app';
import { type Operation, operations, servedOperations } from '@topup-kit/core/contract';
import type { MockConfig } from './options.ts';
import { isPlainGet, type PlainGet } from './plain-get.ts';

/** A request to the API. */
export interface Call {
  /** The matching operation of the route table, even if the dialect lacks it; null if no operation matches. */
  operation: Operation | null;
  /** True if this service has the operation. */
  served: boolean;
  method: string;
  /** The path relative to `baseUrl`, without a query. */
  path: string;
  query: string;
}

/** Creates a function that reads a request as a call to the API, on any host; undefined for other requests, such as pictures. */
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
  /** The operation; null if the call matches none. */
  readonly operation: Operation | null;
  readonly method: string;
  /** The path relative to `baseUrl`, with its query: `/games/mobile-legends`. */
  readonly path: string;
  /** The response status; null until the response is sent, and if there is no response. */
  readonly status: number | null;
  /** The request body, parsed as JSON, or as text if it is not JSON. Left out if there is no body. */
  readonly body?: unknown;
  /** Time of the request on the mock's clock, in unix milliseconds. */
  readonly at: number;
}

/** Maximum number of stored calls. It is limited because a mock may serve a page for days. */
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
