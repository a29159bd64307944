import { createTopupClient, type TopupClientOptions } from '@topup-kit/sdk';
import { afterEach, expect, it, vi } from 'vitest';
import { baseUrl, responding } from './responses.ts';
import { createSamples } from './validation/samples.ts';

const { listGames } = createSamples();
// The examples of RFC 9745 (2.1) and RFC 8594 (3).
const deprecation = { Deprecation: '@1688169599' };
const sunset = { Sunset: 'Sat, 31 Dec 2018 23:59:59 GMT' };

const warnings = () => vi.spyOn(console, 'warn').mockImplementation(() => {});

afterEach(() => vi.restoreAllMocks());

const clientOf = (headers: Record<string, string>, options: TopupClientOptions = {}) =>
  createTopupClient({ baseUrl, fetch: responding(200, listGames, headers), ...options });

it.each(['warn', 'strict'] as const)(
  'warns once about an operation that is announced to end (%s)',
  async (validation) => {
    const warn = warnings();
    const client = clientOf({ ...deprecation, ...sunset }, { validation });

    await client.games.list();
    await client.games.list();

    expect(warn.mock.calls).toEqual([
      ['topup-sdk: listGames is deprecated and ends on Sat, 31 Dec 2018 23:59:59 GMT.'],
    ]);
  },
);

it.each([
  [deprecation, 'topup-sdk: listGames is deprecated.'],
  [sunset, 'topup-sdk: listGames is deprecated and ends on Sat, 31 Dec 2018 23:59:59 GMT.'],
])('warns if a response has either of the two headers: %o', async (headers, text) => {
  const warn = warnings();

  await clientOf({ ...headers }).games.list();

  expect(warn.mock.calls).toEqual([[text]]);
});

it('sends the warning to a logger instead of the console', async () => {
  const warn = warnings();
  const logger = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };

  await clientOf(sunset, { logger }).games.list();

  expect(logger.warn.mock.calls).toEqual([
    [expect.stringMatching(/listGames is deprecated/), { operation: 'listGames', sunset: sunset.Sunset }],
  ]);
  expect(warn).not.toHaveBeenCalled();
});

it.each<[TopupClientOptions]>([[{ validation: 'off' }], [{ logLevel: 'error' }]])(
  "doesn't warn with %o",
  async (options) => {
    const warn = warnings();

    await clientOf({ ...deprecation, ...sunset }, options).games.list();

    expect(warn).not.toHaveBeenCalled();
  },
);

it("doesn't warn without the headers", async () => {
  const warn = warnings();

  await clientOf({}).games.list();

  expect(warn).not.toHaveBeenCalled();
});

it("doesn't warn again in a client from withOptions", async () => {
  const warn = warnings();
  const client = clientOf(sunset);

  await client.games.list();
  await client.withOptions({ timeout: 5_000 }).games.list();

  expect(warn).toHaveBeenCalledTimes(1);
});
