import { Session } from 'node:inspector/promises';
import { createTopupClient, type Hooks } from '@topup-kit/sdk';
import { expect, it } from 'vitest';
import { baseUrl, orderRequest } from './responses.ts';
import { createSamples } from './validation/samples.ts';

/** The files of the client whose functions run for one order, by their place in `src`. */
async function filesOfOrder(hooks?: Hooks): Promise<string[]> {
  const { createOrder } = createSamples();
  const fetch = async (): Promise<Response> => Response.json(createOrder);
  const client = createTopupClient({ baseUrl, apiKey: 'tk_test_1', fetch, hooks, validation: 'strict' });
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await session.post('Profiler.takePreciseCoverage');
  await client.orders.create(orderRequest);
  const { result } = await session.post('Profiler.takePreciseCoverage');
  await session.post('Profiler.stopPreciseCoverage');
  session.disconnect();
  return result
    .filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0))
    .flatMap(({ url }) => /sdk\/src\/(.*)\.ts/.exec(url)?.[1] ?? [])
    .sort();
}

/** What an order doesn't need that has no hooks, no logger and no options, and succeeds. */
const beside = [
  'request/check-options',
  'request/headers',
  'request/query',
  'request/target',
  'sending/config',
  'sending/error-response',
  'sending/failures',
  'sending/http',
  'sending/observe',
  'sending/retry',
  'validation/report-mismatch',
];

it('runs no extra code if there are no hooks, logs, options or failures', async () => {
  expect((await filesOfOrder()).filter((name) => beside.includes(name))).toEqual([]);
});

it("runs the hooks' code for an order with a hook", async () => {
  expect(await filesOfOrder({ onResponse: () => {} })).toContain('sending/observe');
});
