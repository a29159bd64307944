import { describe, expect, it, vi } from 'vitest';
import { createMockService, type MockService } from '../src/index.ts';
import { shopOf } from './helpers/shop.ts';

const baseUrl = 'http://localhost:4000/api';
const games = `${baseUrl}/games`;

const newMock = (): MockService => createMockService({ baseUrl, seed: 1 });

const { apiKey } = newMock();
const headers = { Accept: 'application/json', 'X-API-KEY': apiKey };

/** What a caller sees of a call, and what the mock notes of it. */
async function outcome(call: (mock: MockService) => Promise<Response>): Promise<object> {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  const mock = newMock();
  const seen = await call(mock).then(
    async (response) => ({
      status: response.status,
      headers: [...response.headers],
      body: await response.text(),
    }),
    (error: Error) => ({ name: error.name, message: error.message }),
  );
  return { seen, requests: mock.requests.map(({ at, ...noted }) => noted), used: mock.portability() };
}

/** A URL for fetch, and its init. Called for each use, because some can be read only once. */
type FetchArguments = () => [input: unknown, init?: unknown];

const withHeaders =
  (input: unknown): FetchArguments =>
  () => [input, { headers }];

const withInit =
  (init: () => unknown): FetchArguments =>
  () => [games, init()];

class PostInit {
  headers = headers;
  get method(): string {
    return 'POST';
  }
}

const argumentsOf: Record<string, FetchArguments> = {
  'an operation': withHeaders(games),
  'a parameter': withHeaders(`${baseUrl}/games/mobile-legends`),
  'two segments': withHeaders(`${baseUrl}/invoice/INV-20260329093000-ABCDEFGH/payment-status`),
  'an operation of another method': withHeaders(`${baseUrl}/order`),
  'an unknown path': withHeaders(`${baseUrl}/nothing`),
  'a path outside': withHeaders('http://localhost:4000/games'),
  'a path that begins like the base URL': withHeaders('http://localhost:4000/apigames'),
  'a host that begins like the base URL': withHeaders('http://localhost:4000.test/api/games'),
  'another origin': withHeaders('http://localhost:4001/api/games'),
  'credentials in the URL': withHeaders('http://user:secret@localhost:4000/api/games'),
  'a query': withHeaders(`${games}?page=2`),
  'an empty query': withHeaders(`${games}?`),
  'a fragment': withHeaders(`${games}#top`),
  'a slash at the end': withHeaders(`${games}/`),
  'dot segments': withHeaders(`${baseUrl}/games/../games`),
  'a dot as parameter': withHeaders(`${baseUrl}/games/.`),
  'an encoded parameter': withHeaders(`${baseUrl}/games/mobile%2Dlegends`),
  'a parameter to encode': withHeaders(`${baseUrl}/games/mobile legends`),
  'spaces around the URL': withHeaders(` ${games}\n`),
  'a tab in the URL': withHeaders(`${baseUrl}/ga\tmes`),
  'a host in capital letters': withHeaders('HTTP://LOCALHOST:4000/api/games'),
  'a relative URL': withHeaders('/api/games'),
  'an empty URL': withHeaders(''),
  'a URL object': withHeaders(new URL(games)),
  'an object with a URL as its text': withHeaders({ toString: () => games }),
  'no init': () => [games],
  'an init of null': withInit(() => null),
  'an init that is no object': withInit(() => 'GET'),
  'an empty init': withInit(() => ({})),
  'a method': withInit(() => ({ headers, method: 'GET' })),
  'a method in small letters': withInit(() => ({ headers, method: 'get' })),
  'another method': withInit(() => ({ headers, method: 'POST' })),
  'a method without a body in its response': withInit(() => ({ headers, method: 'HEAD' })),
  'a forbidden method': withInit(() => ({ headers, method: 'TRACE' })),
  'an invalid method': withInit(() => ({ headers, method: 'G E T' })),
  'an inherited method': withInit(() => Object.assign(Object.create({ method: 'POST' }), { headers })),
  'a method of a class': withInit(() => new PostInit()),
  'a hidden method': withInit(() => Object.defineProperty({ headers }, 'method', { value: 'POST' })),
  'a GET with a body': withInit(() => ({ headers, body: 'page=2' })),
  'a signal of null': withInit(() => ({ headers, signal: null })),
  'an invalid signal': withInit(() => ({ headers, signal: 'stop' })),
  'an aborted signal': withInit(() => ({ headers, signal: AbortSignal.abort(new Error('enough')) })),
  'an invalid mode': withInit(() => ({ headers, mode: 'fast' })),
  'undefined headers': withInit(() => ({ headers: undefined })),
  'headers of null': withInit(() => ({ headers: null })),
  'headers that are a text': withInit(() => ({ headers: 'Accept: application/json' })),
  'an invalid name of a header': withInit(() => ({ headers: { ...headers, 'X API': '1' } })),
  'an invalid value of a header': withInit(() => ({ headers: { ...headers, 'X-Shop': 'a\nb' } })),
  'a value that is not Latin-1': withInit(() => ({ headers: { ...headers, 'X-Shop': '€' } })),
  'a symbol as a name': withInit(() => ({ headers: { ...headers, [Symbol('name')]: '1' } })),
  'a value with spaces around it': withInit(() => ({ headers: { ...headers, 'X-API-KEY': ` ${apiKey} ` } })),
  'a header twice': withInit(() => ({ headers: { ...headers, 'x-api-key': apiKey } })),
  'an unknown scenario': withInit(() => ({ headers: { ...headers, 'X-Topup-Scenario': 'snow' } })),
  Headers: withInit(() => ({ headers: new Headers(headers) })),
  'pairs of headers': withInit(() => ({ headers: Object.entries(headers) })),
  'headers that can be read once': withInit(() => ({ headers: Object.entries(headers).values() })),
  'headers that can be read once, with an invalid one': withInit(() => ({
    headers: [...Object.entries(headers), ['X API', '1']].values(),
  })),
};

describe('fetch handles its arguments as a Request', () => {
  it.each(Object.entries(argumentsOf))('handles arguments with %s like a Request', async (_name, get) => {
    // Safe: the constructor of Request rejects invalid values.
    const read = get as () => Parameters<MockService['fetch']>;
    expect(await outcome((mock) => mock.fetch(...read()))).toEqual(
      await outcome(async (mock) => mock.fetch(new Request(...read()))),
    );
  });
});

it('creates no Request for the most frequent arguments', async () => {
  const created = vi.spyOn(globalThis, 'Request');
  expect((await newMock().fetch(games, { headers })).status).toBe(200);
  expect(created).not.toHaveBeenCalled();
  created.mockRestore();
});

it('reads the headers when it is called', async () => {
  const sent = { ...headers };
  const response = newMock().fetch(games, { headers: sent });
  sent['X-API-KEY'] = 'tk_test_none';
  expect((await response).status).toBe(200);
});

describe('a response has all properties of a Response:', () => {
  const getState = async (): Promise<Response> => {
    const shop = shopOf(newMock());
    const { orderId } = await shop.order();
    return shop.ask(`/invoice/${orderId}/payment-status`);
  };

  it('returns a response with type, status and changeable headers', async () => {
    const response = await getState();
    expect(response).toBeInstanceOf(Response);
    expect(response).toMatchObject({ ok: true, status: 200, type: 'default', redirected: false, url: '' });
    expect(response.headers.get('content-type')).toBe('application/json');
    response.headers.set('Content-Type', 'text/plain');
    expect(response.headers.get('Content-Type')).toBe('text/plain');
  });

  it.each(['text', 'json', 'blob', 'arrayBuffer', 'bytes'] as const)('reads %s() once', async (read) => {
    const response = await getState();
    expect(response.bodyUsed).toBe(false);
    await response[read]();
    expect(response.bodyUsed).toBe(true);
    await expect(response[read]()).rejects.toThrow(TypeError);
  });

  it('can be cloned with clone()', async () => {
    const response = await getState();
    const copy = response.clone();
    expect(await copy.text()).toBe(await response.text());
    expect([...copy.headers]).toEqual([...response.headers]);
    expect(() => response.clone()).toThrow(TypeError);
  });

  it('has a body that can be read in bytes, and passed to another Response', async () => {
    const reader = (await getState()).body?.getReader({ mode: 'byob' });
    const { value } = (await reader?.read(new Uint8Array(9))) ?? {};
    expect(new TextDecoder().decode(value)).toBe('{"success');
    const response = await getState();
    expect(await new Response(response.body, response).json()).toMatchObject({ success: true });
  });
});
