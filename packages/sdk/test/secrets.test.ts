import { inspect } from 'node:util';
import { createTopupClient, type Fetch, type Hooks, type Logger } from '@topup-kit/sdk';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { respondingInTurn, status } from './attempts.ts';
import { baseUrl, cutBody, orderRequest, rejection, stalledBody, underFakeTimers } from './responses.ts';

/** A key with characters that JSON can write in two ways. */
const apiKey = 'tk_live_4f7Qd0/vZkYw2+"=';
const customer = { email: 'budi.canary@example.com', whatsapp: '081298765432', nickname: 'BudiCanary' };
const canaries = [apiKey, JSON.stringify(apiKey).slice(1, -1), ...Object.values(customer)];

const quoting = { message: `The key ${apiKey} is not valid.`, errors: { [apiKey]: [apiKey] } };
const asPhpWritesIt = (body: object): string => JSON.stringify(body).replaceAll('/', '\\/');

const failures: [string, Fetch][] = [
  ['an error response that quotes the key', async () => Response.json(quoting, { status: 401 })],
  ['one that escapes its slashes', async () => new Response(asPhpWritesIt(quoting), { status: 401 })],
  ['a text that quotes the key', async () => new Response(`no such key: ${apiKey}`, { status: 401 })],
  [
    'a 200 with success: false that quotes the key',
    async () => Response.json({ success: false, ...quoting }),
  ],
  ['an unreadable response that quotes the key', async () => new Response(`<p>${apiKey}</p>`)],
  ['a response that is not an object and quotes the key', async () => Response.json([apiKey])],
  ['a time-out', async () => new Response(stalledBody())],
  ['a cut connection', async () => new Response(cutBody())],
  [
    'a redirect to a URL with a query',
    async () => new Response(null, { status: 302, headers: { Location: `https://a.test/?key=${apiKey}` } }),
  ],
  [
    'a redirect to a path with the key',
    async () => new Response(null, { status: 302, headers: { Location: `https://a.test/${apiKey}/games` } }),
  ],
  [
    'a fetch whose error contains the request',
    async (request) => {
      const said = `${await request.clone().text()} failed with ${request.headers.get('X-API-KEY')}`;
      throw Object.assign(new TypeError(said), { request });
    },
  ],
];

/** All printable forms of a value. */
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

describe('errors show no secret', () => {
  it.each(failures)('shows no secret after %s', async (_case, fetch) => {
    const client = createTopupClient({ baseUrl, apiKey, fetch, timeout: 20, maxRetries: 0 });

    const ordering = await rejection(client.orders.create({ ...orderRequest, ...customer }));
    const reading = await rejection(client.games.list());

    expect(shown(ordering)).toContain('POST /api/order');
    expect(shown(reading)).toContain('GET /api/games');
    holdsNoCanary(shown(ordering, reading));
  });

  it.each(failures.slice(0, 6))('shows no secret in the body: %s', async (_case, fetch) => {
    const client = createTopupClient({ baseUrl, apiKey, fetch });

    const error = await rejection(client.games.list());

    expect(error).toHaveProperty('body', expect.anything());
    // Safe: the statement above checked it.
    holdsNoCanary(shown((error as { body: unknown }).body));
  });

  it.each([
    ['a key for the query', { baseUrl: `http://shop.test/api?key=${apiKey}` }],
    ['a key for a password', { baseUrl: `http://me:${encodeURIComponent(apiKey)}@shop.test/api` }],
    ['a broken key', { baseUrl, apiKey: `${apiKey}\n` }],
    ['a header that cannot be sent', { baseUrl, headers: { Authorization: `${apiKey}\nX: y` } }],
  ])('shows no secret from an option: %s', async (_case, options) => {
    const error = await rejection((async () => createTopupClient(options).games.list())());

    expect(error).toHaveProperty('name', 'TopupUsageError');
    expect(shown(error)).not.toContain('tk_live');
  });

  it('shows no secret in the client', () => {
    holdsNoCanary(shown(createTopupClient({ baseUrl, apiKey })));
  });

  it("keeps a word in a server's text even if it equals a short key", async () => {
    const fetch: Fetch = async () => Response.json({ message: 'Bad key.' }, { status: 401 });

    const error = await rejection(createTopupClient({ baseUrl, apiKey: 'key', fetch }).games.list());

    expect(error).toMatchObject({ serverMessage: 'Bad key.' });
  });
});

describe('hooks and loggers get no secret', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** An order that is retried and succeeds, and a read with an invalid response. */
  const eventfulCalls = async (watchers: { hooks?: Hooks; logger?: Logger }): Promise<void> => {
    const { fetch } = respondingInTurn(
      status(503, {}, quoting),
      status(201, {}, { success: true, message: apiKey }),
      status(200, {}, { success: true, games: apiKey }),
    );
    const client = createTopupClient({ baseUrl, apiKey, fetch, logLevel: 'debug', ...watchers });
    await underFakeTimers(client.orders.create({ ...orderRequest, ...customer }));
    await underFakeTimers(client.games.list());
  };

  it('passes no secret to the logger, at any level', async () => {
    const written: unknown[] = [];
    const write = (...line: unknown[]): void => {
      written.push(...line);
    };

    await eventfulCalls({ logger: { debug: write, info: write, warn: write, error: write } });

    expect(written.length).toBeGreaterThan(8);
    holdsNoCanary(shown(written));
  });

  it('passes no secret to hooks, even if they keep their arguments', async () => {
    const told: unknown[] = [];
    const keep = (facts: object): void => {
      told.push(facts);
    };

    await eventfulCalls({ hooks: { onRequest: keep, onResponse: keep, onRetry: keep } });

    expect(told).toHaveLength(7);
    // Users can read cause and body of an error, but no printed form has them.
    const headers = told.flatMap((facts) => [...((facts as { headers?: Headers }).headers ?? [])]);
    expect(headers.length).toBeGreaterThan(3);
    holdsNoCanary(shown(told, headers));
  });
});

describe('the content of an error', () => {
  it('writes an error as JSON with name, message and data', async () => {
    const fetch: Fetch = async () =>
      Response.json({ message: 'Unauthorized' }, { status: 401, headers: { 'X-Request-Id': 'req-7' } });

    const error = await rejection(createTopupClient({ baseUrl, apiKey, fetch }).games.list());

    expect(JSON.parse(JSON.stringify(error))).toEqual({
      name: 'TopupHttpError',
      message: 'GET /api/games failed with 401 UNAUTHORIZED: Unauthorized. Check apiKey.',
      code: 'UNAUTHORIZED',
      operation: 'listGames',
      attempts: 1,
      retryable: false,
      serverMessage: 'Unauthorized',
      status: 401,
      requestId: 'req-7',
    });
  });

  it('prints an error in a terminal with its own name, the stack and data', async () => {
    const fetch: Fetch = async () => Response.json({}, { status: 401 });

    const error = await rejection(createTopupClient({ baseUrl, fetch }).games.list());

    expect(inspect(error)).toMatch(
      /^TopupHttpError: GET \/api\/games failed with 401[\s\S]*\n +at [\s\S]*status: 401/,
    );
  });
});
