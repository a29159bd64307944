import { isOfInterface } from '@topup-kit/core/app';
import {
  type Operation,
  operations,
  pathPattern,
  type Route,
  routes,
  servedOperations,
} from '@topup-kit/core/contract';
import type { MockConfig } from './options.ts';

/** A request to the API. */
export interface Call {
  /** Its operation in the route table, whether or not the dialect has it; null for none. */
  operation: Operation | null;
  /** Whether this service has that operation. */
  served: boolean;
  method: string;
  /** Relative to `baseUrl`, without its query. */
  path: string;
  query: string;
}

const patterns = operations.map((operation) => {
  const { method }: Route = routes[operation];
  return { operation, method, pattern: pathPattern(operation) };
});

/** Reads a request as a call to the API, on whatever host; undefined for any other, such as a picture. */
export function callReader({ basePath, dialect }: MockConfig): (request: Request) => Call | undefined {
  const served = servedOperations(dialect);
  return ({ method, url }) => {
    const start = url.indexOf('/', url.indexOf('//') + 2);
    const end = url.search(/[?#]/);
    const whole = end === -1 ? url.slice(start) : url.slice(start, end);
    if (!isOfInterface(whole, basePath)) return undefined;
    const path = whole.slice(basePath.length);
    const asked = method === 'HEAD' ? 'GET' : method;
    const operation =
      patterns.find((one) => one.method === asked && one.pattern.test(path))?.operation ?? null;
    const query = end === -1 ? '' : url.slice(end).replace(/#.*/, '');
    return { operation, served: operation !== null && served.includes(operation), method, path, query };
  };
}

/** A call to the API, as `mock.requests` lists it. */
export interface MockRequest {
  /** Null for what matches no operation. */
  readonly operation: Operation | null;
  readonly method: string;
  /** Relative to `baseUrl`, with its query: `/games/mobile-legends`. */
  readonly path: string;
  /** Null while it waits for its response, and for good when none came. */
  readonly status: number | null;
  /** The body that was sent, as JSON, or as text where it is not JSON. Absent without a body. */
  readonly body?: unknown;
  /** When it came, in unix milliseconds of world time. */
  readonly at: number;
}

/** Only the last calls are kept, because a mock may serve a page for days. */
export const mostRequests = 1_000;

/** Copies of the records, which stay as they are while the calls go on. */
export const copyRequests = <Request extends MockRequest>(requests: readonly Request[]): Request[] =>
  requests.map((one) => ({ ...one }));

/** A body as JSON, or as text where it is not JSON. */
export function readableBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
