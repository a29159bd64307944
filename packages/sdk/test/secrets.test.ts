import { inspect } from 'node:util';
import { createTopupClient, type Fetch } from '@topup-kit/sdk';
import { describe, expect, it } from 'vitest';
import { baseUrl, cutBody, orderRequest, rejection, stalledBody } from './answers.ts';

const apiKey = 'tk_live_4f7Qd0vZkYw2';
const quoting = { message: `The key ${apiKey} is not valid.`, errors: { key: [apiKey] } };

const failures: [string, Fetch][] = [
  ['an error answer that quotes the key', async () => Response.json(quoting, { status: 401 })],
  ['an unreadable answer that quotes the key', async () => new Response(`<p>${apiKey}</p>`)],
  ['a time-out', async () => new Response(stalledBody())],
  ['a cut connection', async () => new Response(cutBody())],
  [
    'a fetch whose error holds the request',
    async (request) => {
      throw Object.assign(new TypeError(`failed with ${request.headers.get('X-API-KEY')}`), { request });
    },
  ],
];

describe('no secret is in what an error shows', () => {
  it.each(failures)('%s', async (_case, fetch) => {
    const client = createTopupClient({ baseUrl, apiKey, fetch, timeout: 20 });

    const error = await rejection(client.orders.create(orderRequest));

    const shown = [String(error), JSON.stringify(error), inspect(error, { depth: 9, showHidden: true })];
    expect(shown.join()).toContain('POST /api/order');
    expect(shown.join()).not.toContain(apiKey);
  });

  it('nor in what the client shows', () => {
    const client = createTopupClient({ baseUrl, apiKey });

    expect(inspect(client, { depth: 9, showHidden: true }) + JSON.stringify(client)).not.toContain(apiKey);
  });

  it("leaves a server's text alone when a test's key is a word of it", async () => {
    const fetch: Fetch = async () => Response.json({ message: 'Bad key.' }, { status: 401 });

    const error = await rejection(createTopupClient({ baseUrl, apiKey: 'key', fetch }).games.list());

    expect(error).toMatchObject({ serverMessage: 'Bad key.' });
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
