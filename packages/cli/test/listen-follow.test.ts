import type { ListEventsResponse, RequestOptions, TopupClient } from '@topup-kit/sdk';
import { createTopupClient } from '@topup-kit/sdk';
import { describe, expect, it } from 'vitest';
import { followEvents } from '../src/commands/listen/follow.ts';
import { CliError, exitCodes } from '../src/errors/cli-error.ts';
import type { Service } from '../src/service/client.ts';
import { orderEvent } from './helpers/order-event.ts';

type Page = [orders: string[], cursor: string];

const networkError = new CliError('No response from the service.', {
  code: 'NETWORK_ERROR',
  exitCode: exitCodes.network,
});

/** The error of a response, as the client throws it. */
async function errorOf(status: number, headers: Record<string, string> = {}): Promise<CliError> {
  const client = createTopupClient({
    baseUrl: 'http://shop.test/api',
    apiKey: 'tk_test_x',
    maxRetries: 0,
    fetch: async () => Response.json({ message: 'No.' }, { status, headers }),
  });
  const cause: unknown = await client.games.list().catch((error: unknown) => error);
  return new CliError(`Status ${status}.`, { code: 'HTTP_ERROR', exitCode: exitCodes.failure, cause });
}

/** Follows a service that responds so, and stops after the last response; what is seen in order, with the requests. */
async function follow(
  responses: readonly (Page | Error)[],
  { baseUrl = 'http://127.0.0.1:4000/api', intervalMs = 5 as number | 'usual' } = {},
) {
  const seen: string[] = [];
  const askedAt: number[] = [];
  const stop = new AbortController();
  const list = async (query: object): Promise<ListEventsResponse> => {
    seen.push(`GET ${JSON.stringify(query)}`);
    askedAt.push(performance.now());
    const response = responses[askedAt.length - 1];
    if (askedAt.length >= responses.length) queueMicrotask(() => stop.abort());
    if (!response || response instanceof Error) throw response;
    const [orders, cursor] = response;
    return { success: true, data: orders.map((order) => orderEvent(order)), next_cursor: cursor };
  };
  const service = {
    connection: { baseUrl },
    ask: <Value>(request: (client: TopupClient, options: RequestOptions) => Promise<Value>) =>
      request({ events: { list } } as unknown as TopupClient, {}),
  } as Service; // Safe: following requests only events.
  const run = async (): Promise<void> => {
    const notices = {
      onStart: () => seen.push('started'),
      onLost: ({ message }: CliError) => seen.push(`lost: ${message}`),
      onBack: () => seen.push('back'),
      onOtherStore: () => seen.push('other store'),
    };
    const events = followEvents(
      service,
      stop.signal,
      notices,
      intervalMs === 'usual' ? undefined : intervalMs,
    );
    for await (const page of events) seen.push(page.map(({ data }) => data.order.order_id).join());
  };
  const failure = await run().catch((error: unknown) => error);
  /** Between one request and the next, in milliseconds. */
  const pauses = askedAt.slice(1).map((at, index) => at - (askedAt[index] ?? 0));
  return { seen, failure, pauses };
}

const after = (cursor: string): string => `GET {"after":"${cursor}","limit":100}`;

describe.concurrent('following events', () => {
  it('begins with new events, and reads pages without a pause until no more events exist', async () => {
    const { seen } = await follow([
      [[], '1'],
      [['INV-1', 'INV-2'], '2'],
      [['INV-3'], '3'],
    ]);
    expect(seen).toEqual(['GET {}', 'started', after('1'), 'INV-1,INV-2', after('2'), 'INV-3']);
  });

  it('pauses only after a page of events that is not full', async () => {
    const { pauses } = await follow(
      [
        [[], '1'],
        [['INV-1'], '2'],
        [[], '2'],
        [[], '2'],
      ],
      { intervalMs: 80 },
    );
    expect(pauses.map((pause) => pause > 70)).toEqual([true, false, true]);
  });

  it.each<[string, string, [number, number]]>([
    ['every half second if the service is on this machine', 'http://127.0.0.1:4000/api', [480, 950]],
    ['once a second elsewhere', 'http://192.0.2.1/api', [950, 10_000]],
  ])('requests events %s', async (_case, baseUrl, [atLeast, below]) => {
    const { pauses } = await follow(
      [
        [[], '1'],
        [[], '1'],
      ],
      { baseUrl, intervalMs: 'usual' },
    );
    expect(pauses[0]).toBeGreaterThan(atLeast);
    expect(pauses[0]).toBeLessThan(below);
  });

  it('waits as long as a busy service requires', async () => {
    const { pauses } = await follow([[[], '1'], await errorOf(429, { 'Retry-After': '1' }), [[], '1']]);
    expect(pauses[1]).toBeGreaterThan(950);
  });

  it.each([
    ['without a response', async () => networkError, 'No response from the service.'],
    ['with an error of the service', () => errorOf(500), 'Status 500.'],
    ['because the service is overloaded', () => errorOf(429), 'Status 429.'],
  ])(
    'reports once that the service is unavailable, %s, and once that it is available again',
    async (_case, error, message) => {
      const { seen } = await follow([[['INV-1'], '1'], await error(), [['INV-2'], '2']]);
      expect(seen).toEqual([
        ...['GET {}', 'started', 'INV-1', after('1'), `lost: ${message}`],
        ...[after('1'), 'back', 'INV-2'],
      ]);
    },
  );

  it('reports an unavailable service only once', async () => {
    const { seen } = await follow([[[], '1'], networkError, networkError, [[], '1']]);
    expect(seen.filter((one) => !one.startsWith('GET'))).toEqual([
      ...['started', 'lost: No response from the service.', 'back'],
    ]);
  });

  it('restarts if the service lost its orders', async () => {
    const { seen } = await follow([[['INV-1'], '9'], await errorOf(422), [['INV-2'], '1']]);
    expect(seen).toEqual(['GET {}', 'started', 'INV-1', after('9'), 'other store', 'GET {}', 'INV-2']);
  });

  it.each([
    ['of the first request', [networkError], 'No response from the service.'],
    ['of this program', [[[], '1'], new TypeError('a bug')], 'a bug'],
  ] as const)('fails with the error %s while following events', async (_case, responses, message) => {
    const { failure } = await follow([...responses, [[], '2']] as (Page | Error)[]);
    expect(failure).toMatchObject({ message });
  });

  it.each([401, 404, 422, 499])('fails with the permanent status %i', async (status) => {
    const isCursorRejected = status === 422;
    const error = await errorOf(status);
    // The place in the events was given up before.
    const { failure } = await follow(
      isCursorRejected ? [[[], '1'], error, error, [[], '2']] : [[[], '1'], error, [[], '2']],
    );
    expect(failure).toMatchObject({ message: `Status ${status}.` });
  });

  it('stops during a request without an error', async () => {
    const { seen, failure } = await follow([[['INV-1'], '1'], networkError]);
    expect(failure).toBeUndefined();
    expect(seen.at(-1)).toBe(after('1'));
  });
});
