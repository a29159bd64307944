import { createRouter, type MatchedOperation } from '@topup-kit/core/app';
import { servedOperations } from '@topup-kit/core/contract';
import type { MockConfig } from './options.ts';

/** The parts of a GET request that its operation reads. They replace a Request, because creating it takes as long as handling it. */
export interface PlainGet {
  readonly method: 'GET';
  readonly url: string;
  /** Path of the request. */
  readonly target: string;
  readonly headers: Headers;
  readonly body: null;
  readonly signal: null;
  readonly matched: MatchedOperation;
}

export const isPlainGet = (request: Request | PlainGet): request is PlainGet => 'matched' in request;

/** Matches a path that a URL would not change. */
const normalPath = /^(?:\/[\w~-][\w.~-]*)+$/;

const isPlainObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** Tells whether an argument of fetch is only `{ headers: { ... } }`. */
const hasOnlyHeaders = (init: RequestInit | undefined): init is RequestInit =>
  isPlainObject(init) &&
  Object.getOwnPropertyNames(init).every((name) => name === 'headers') &&
  isPlainObject(init?.headers);

/**
 * Creates a function that reads the arguments of fetch. Only the most frequent arguments are read without a Request. For all others, the
 * constructor of Request handles their meaning and errors.
 */
export function plainGetReader({
  origin,
  basePath,
  dialect,
}: MockConfig): (input: string | URL | Request, init?: RequestInit) => PlainGet | undefined {
  const { match } = createRouter(basePath, servedOperations(dialect));
  return (input, init) => {
    if (typeof input !== 'string' || !input.startsWith(origin) || !hasOnlyHeaders(init)) return undefined;
    const target = input.slice(origin.length);
    const matched = normalPath.test(target) ? match('GET', target) : null;
    if (!matched) return undefined;
    try {
      const headers = new Headers(init.headers);
      return { method: 'GET', url: input, target, headers, body: null, signal: null, matched };
    } catch {
      return undefined;
    }
  };
}
