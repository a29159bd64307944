import { conformanceCases, runCase } from '@topup-kit/core/conformance';
import { createTopupMock } from '@topup-kit/mock';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type Exchange, mutations } from '../../../core/test/helpers/mutations.ts';
import { mockTarget } from './mock-target.ts';

const mock = createTopupMock({ baseUrl: 'https://shop.test/api' });
const server = setupServer(...mock.handlers);
beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

/** The mock behind MSW, its answers spoiled on the way. */
const spoiled = (spoil: (exchange: Exchange) => void) =>
  http.all(`${mock.baseUrl}/*`, async ({ request }) => {
    const { method, url } = request;
    const answer = await mock.fetch(request);
    const { status, headers } = answer;
    const exchange: Exchange = {
      method,
      path: url.slice(mock.baseUrl.length),
      status,
      body: await answer.json(),
    };
    spoil(exchange);
    return HttpResponse.json({ ...exchange.body }, { status: exchange.status, headers });
  });

/** How the case goes that has to notice a mutation. */
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

it('a dozen services are wrong on purpose, and more', () => {
  expect(mutations.length).toBeGreaterThanOrEqual(12);
});

it.each(mutations)('over MSW too, the suite notices $name', async ({ spoil, caught }) => {
  expect(await outcomeOf(caught)).toBe('passed');

  server.use(spoiled(spoil));

  expect(await outcomeOf(caught)).toBe('failed');
});
