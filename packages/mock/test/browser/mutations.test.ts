import { conformanceCases, runCase } from '@topup-kit/conformance';
import { createTopupMock } from '@topup-kit/mock';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type Exchange, mutations } from '../../../conformance/test/helpers/mutations.ts';
import { mockTarget } from './mock-target.ts';

const mock = createTopupMock({ baseUrl: 'https://shop.test/api' });
const server = setupServer(...mock.handlers);
beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

/** An MSW handler that passes requests to the mock and mutates its responses. */
const mutated = (mutate: (exchange: Exchange) => void) =>
  http.all(`${mock.baseUrl}/*`, async ({ request }) => {
    const { method, url } = request;
    const response = await mock.fetch(request);
    const { status, headers } = response;
    const exchange: Exchange = {
      method,
      path: url.slice(mock.baseUrl.length),
      status,
      body: await response.json(),
    };
    mutate(exchange);
    return HttpResponse.json({ ...exchange.body }, { status: exchange.status, headers });
  });

/** The outcome of the case that must notice a mutation. */
const outcomeOf = async (name: string): Promise<string | undefined> => {
  const one = conformanceCases.find((candidate) => candidate.name === name);
  return (
    one &&
    (
      await runCase(
        one,
        mockTarget(mock, (input, init) => fetch(input, init)),
      )
    ).outcome
  );
};

it('contains at least a dozen mutations', () => {
  expect(mutations.length).toBeGreaterThanOrEqual(12);
});

it.each(mutations)('detects the mutation over MSW: $name', async ({ mutate, caughtBy }) => {
  expect(await outcomeOf(caughtBy)).toBe('passed');

  server.use(mutated(mutate));

  expect(await outcomeOf(caughtBy)).toBe('failed');
});
