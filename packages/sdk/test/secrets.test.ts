import { inspect } from 'node:util';
import { createTopupClient, type Fetch, type Hooks, type Logger } from '@topup-kit/sdk';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { answeringInTurn, status } from './attempts.ts';
import { baseUrl, cutBody, orderRequest, rejection, stalledBody, underFakeTimers } from './responses.ts';

/** With what JSON may write in two ways. */
const apiKey = 'tk_live_4f7Qd0/vZkYw2+"=';
const customer = { email: 'budi.canary@example.com', whatsapp: '081298765432', nickname: 'BudiCanary' };
const canaries = [apiKey, JSON.stringify(apiKey).slice(1, -1), ...Object.values(customer)];

const quoting = { message: `The key ${apiKey} is not valid.`, errors: { [apiKey]: [apiKey] } };
const asPhpWritesIt = (body: object): string => JSON.stringify(body).replaceAll('/', '\\/');

const failures: [string, Fetch][] = [
  ['an error answer that quotes the key', async () => Response.json(quoting, { status: 401 })],
  ['one that escapes its slashes', async () => new Response(asPhpWritesIt(quoting), { status: 401 })],
  ['a text that quotes the key', async () => new Response(`no such key: ${apiKey}`, { status: 401 })],
  [
    'a 200 that says that it failed and quotes the key',
    async () => Response.json({ success: false, ...quoting }),
  ],
  ['an unreadable answer that quotes the key', async () => new Response(`<p>${apiKey}</p>`)],
  ['an answer that is no object and quotes the key', async () => Response.json([apiKey])],
  ['a time-out', async () => new Response(stalledBody())],
  ['a cut connection', async () => new Response(cutBody())],
  [
    'a redirect whose target holds a query',
    async () => new Response(null, { status: 302, headers: { Location: `https://a.test/?key=${apiKey}` } }),
  ],
  [
    'a fetch whose error holds the request',
    async (request) => {
      const said = `${await request.clone().text()} failed with ${request.headers.get('X-API-KEY')}`;
      throw Object.assign(new TypeError(said), { request });
    },
  ],
];

/** All that can be printed of a value. */
const shown = (...values: unknown[]): string =>
  values
    .flatMap((value) => [
      String(value),
      JSON.stringify(value),
      inspect(value, { depth: 9, showHidden: true }),
    ])
    .join('\n');

const holdsNoCanary = (text: string): void => {
  for (const canary of canaries) expect(text).not.toContain(canary);
};

describe('no secret is in what an error shows', () => {
  it.each(failures)('%s', async (_case, fetch) => {
    const client = createTopupClient({ baseUrl, apiKey, fetch, timeout: 20, maxRetries: 0 });

    const ordering = await rejection(client.orders.create({ ...orderRequest, ...customer }));
    const reading = await rejection(client.games.list());

    expect(shown(ordering)).toContain('POST /api/order');
    expect(shown(reading)).toContain('GET /api/games');
    holdsNoCanary(shown(ordering, reading));
  });

  it.each(failures.slice(0, 6))('nor in the body that it keeps: %s', async (_case, fetch) => {
    const client = createTopupClient({ baseUrl, apiKey, fetch });

    const error = await rejection(client.games.list());

    expect(error).toHaveProperty('body', expect.anything());
    // safe: the line before has looked
    holdsNoCanary(shown((error as { body: unknown }).body));
  });

  it.each([
    ['a key for the query', { baseUrl: `http://shop.test/api?key=${apiKey}` }],
    ['a key for a password', { baseUrl: `http://me:${encodeURIComponent(apiKey)}@shop.test/api` }],
    ['a broken key', { baseUrl, apiKey: `${apiKey}\n` }],
    ['a header that cannot be sent', { baseUrl, headers: { Authorization: `${apiKey}\nX: y` } }],
  ])('nor of an option: %s', async (_case, options) => {
    const error = await rejection((async () => createTopupClient(options).games.list())());

    expect(error).toHaveProperty('name', 'TopupUsageError');
    expect(shown(error)).not.toContain('tk_live');
  });

  it('nor in what the client shows', () => {
    holdsNoCanary(shown(createTopupClient({ baseUrl, apiKey })));
  });

  it("leaves a server's text alone when a test's key is a word of it", async () => {
    const fetch: Fetch = async () => Response.json({ message: 'Bad key.' }, { status: 401 });

    const error = await rejection(createTopupClient({ baseUrl, apiKey: 'key', fetch }).games.list());

    expect(error).toMatchObject({ serverMessage: 'Bad key.' });
  });
});

describe('no secret is in what watchers are told', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** An order that fails, is tried again and succeeds, and a read of an answer outside the contract. */
  const eventfulCalls = async (watchers: { hooks?: Hooks; logger?: Logger }): Promise<void> => {
    const { fetch } = answeringInTurn(
      status(503, {}, quoting),
      status(201, {}, { success: true, message: apiKey }),
      status(200, {}, { success: true, games: apiKey }),
    );
    const client = createTopupClient({ baseUrl, apiKey, fetch, logLevel: 'debug', ...watchers });
    await underFakeTimers(client.orders.create({ ...orderRequest, ...customer }));
    await underFakeTimers(client.games.list());
  };

  it('the logger, at any level', async () => {
    const written: unknown[] = [];
    const write = (...line: unknown[]): void => {
      written.push(...line);
    };

    await eventfulCalls({ logger: { debug: write, info: write, warn: write, error: write } });

    expect(written.length).toBeGreaterThan(8);
    holdsNoCanary(shown(written));
  });

  it('the hooks, even those that keep what they were told', async () => {
    const told: unknown[] = [];
    const keep = (facts: object): void => {
      told.push(facts);
    };

    await eventfulCalls({ hooks: { onRequest: keep, onResponse: keep, onRetry: keep } });

    expect(told).toHaveLength(7);
    // An error's cause and body are the user's to read, and no watcher prints them.
    const headers = told.flatMap((facts) => [...((facts as { headers?: Headers }).headers ?? [])]);
    expect(headers.length).toBeGreaterThan(3);
    holdsNoCanary(shown(told, headers));
  });
});

describe('what an error shows', () => {
  it('as JSON: name, message and facts', async () => {
    const fetch: Fetch = async () =>
      Response.json({ message: 'Unauthorized' }, { status: 401, headers: { 'X-Request-Id': 'req-7' } });

    const error = await rejection(createTopupClient({ baseUrl, fetch }).games.list());

    expect(JSON.parse(JSON.stringify(error))).toEqual({
      name: 'TopupHttpError',
      message: 'GET /api/games answered 401 UNAUTHORIZED: Unauthorized. Check apiKey.',
      code: 'UNAUTHORIZED',
      operation: 'listGames',
      attempts: 1,
      retryable: false,
      serverMessage: 'Unauthorized',
      status: 401,
      requestId: 'req-7',
    });
  });

  it('in a terminal: its own name, the stack and the facts', async () => {
    const fetch: Fetch = async () => Response.json({}, { status: 401 });

    const error = await rejection(createTopupClient({ baseUrl, fetch }).games.list());

    expect(inspect(error)).toMatch(
      /^TopupHttpError: GET \/api\/games answered 401[\s\S]*\n +at [\s\S]*status: 401/,
    );
  });
});
