import { isOfInterface } from '@topup-kit/core/app';
import { type Operation, operations, type Route, routes, servedOperations } from '@topup-kit/core/contract';
import type { MockConfig } from './config.ts';

/** A request to the API. */
export interface Call {
  /** What it is by the kit's route table, whether or not the dialect has it; null for nothing of it. */
  operation: Operation | null;
  /** Whether this service has that operation. */
  served: boolean;
  method: string;
  /** Relative to `baseUrl`, without its query. */
  path: string;
  query: string;
}

const patterns = operations.map((operation) => {
  const { method, path }: Route = routes[operation];
  return { operation, method, pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`) };
});

/** A request as a call to the API, on whatever host; undefined for one that is none: a picture, a page. */
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
