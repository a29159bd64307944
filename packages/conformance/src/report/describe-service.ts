import {
  type CreateOrderRequest,
  completeDialect,
  type DialectOverrides,
  type Operation,
  operations,
  pathPattern,
  routes,
} from '@topup-kit/core/contract';
import { withoutKeys } from '../failure.ts';
import { discoverFixture } from '../learn/discover-fixture.ts';
import { learnDialect } from '../learn/learn-dialect.ts';
import type { ConformanceCase, ConformanceTarget } from '../probe.ts';
import { type ConformanceResult, runConformance } from '../run.ts';
import { differencesOf, fieldDifferences, type ServiceDifference } from './differences.ts';

/** A service's dialect, and its differences from the contract. */
export interface ServiceDescription {
  results: ConformanceResult[];
  /** Differences from the interface come first. */
  differences: ServiceDifference[];
  dialect: DialectOverrides;
  /** Entries of the dialect that could not be learned. */
  unknown: string[];
  orders: number;
  /** True if orders were placed; false without `writes`, or if nothing can be ordered. */
  wrote: boolean;
}

export interface DescribeOptions {
  /** True to allow orders; otherwise, only GET requests are sent. */
  writes?: boolean;
  /** An order that the service accepts; by default, it is built from the catalogue. */
  order?: CreateOrderRequest | undefined;
  /** Selects the cases to run; all if left out. */
  only?: (testCase: ConformanceCase) => boolean;
  /** Maximum duration of a case, in milliseconds. */
  timeoutMs?: number;
  signal?: AbortSignal | undefined;
}

/**
 * Examines an unknown service: learns its dialect, runs the conformance cases in that dialect, and compares the fields of its responses
 * with the contract. Without `writes`, it sends only GET requests.
 *
 * @throws ConformanceFailure if the service can't be reached.
 * @example
 * const { differences, dialect } = await describeService({ baseUrl, apiKey, fetch });
 */
export async function describeService(
  service: ConformanceTarget,
  { writes = false, order, signal = new AbortController().signal, ...options }: DescribeOptions = {},
): Promise<ServiceDescription> {
  const { target, responses, orders } = observe(service);
  const { fixture, orderable } = await discoverFixture(target, { order, signal });
  const wrote = writes && orderable;
  const learned = await learnDialect({ ...target, fixture }, { writes: wrote, signal });
  const dialect = completeDialect(learned.dialect);
  const results = await runConformance({ ...target, fixture, dialect }, { ...options, writes: wrote });
  const fields = withoutKeys(
    [...responses].flatMap(([operation, text]) => fieldDifferences(operation, text, dialect)),
    service,
  );
  return { results, differences: differencesOf(results, fields), ...learned, orders: orders(), wrote };
}

const patterns = operations.map((operation) => {
  const { method, success } = routes[operation];
  return { operation, method, success, pattern: pathPattern(operation) };
});

/** Records the first success response of each operation, and counts the orders. */
function observe(target: ConformanceTarget): {
  target: ConformanceTarget;
  responses: Map<Operation, string>;
  orders: () => number;
} {
  const responses = new Map<Operation, string>();
  let orders = 0;
  return {
    responses,
    orders: () => orders,
    target: {
      ...target,
      async fetch(url, init) {
        const response = await target.fetch(url, init);
        const path = url.slice(target.baseUrl.length).replace(/\?.*$/, '');
        const match = patterns.find(
          ({ method, success, pattern }) =>
            method === (init?.method ?? 'GET') && success === response.status && pattern.test(path),
        );
        if (match?.operation === 'createOrder') orders += 1;
        if (match && !responses.has(match.operation)) {
          // The entry is set before the body is read, so that no concurrent response to the operation is read.
          responses.set(match.operation, '');
          responses.set(match.operation, await response.clone().text());
        }
        return response;
      },
    },
  };
}
