import { afterEach, describe, expect, it, vi } from 'vitest';
import { apiKey, games, order, proxyTo } from './proxy-to.ts';

const envelope = (code: string) => ({
  success: false,
  message: expect.any(String),
  error_code: code,
  errors: {},
});

afterEach(() => void vi.unstubAllGlobals());

describe('responses to the browser', () => {
  it('passes on the status, the body and the needed headers from the service', async () => {
    const body = '{"success":true ,"orderId":"INV-1-ABCDEFGH","data":{"total_price":1.0}}';
    const headers = {
      'Content-Type': 'text/html',
      'Content-Encoding': 'identity',
      'X-Error-Code': 'NONE',
      'X-Request-Id': 'req_1',
      'Idempotency-Key': 'key-1',
      'Idempotency-Replayed': 'true',
      'Idempotency-Order-Id': 'INV-1-ABCDEFGH',
      'Retry-After': '3',
      'Set-Cookie': 'session=of-the-service',
      Server: 'nginx',
      'X-Powered-By': 'PHP',
      'Access-Control-Allow-Origin': '*',
      'Cache-Control': 'public, max-age=3600',
      Location: 'https://evil.test',
      Link: '<https://evil.test>; rel=preload',
    };
    const { ask } = proxyTo(() => new Response(body, { status: 201, headers }), { rateLimit: false });
    const response = await ask('/order', order());
    expect(response.status).toBe(201);
    expect(await response.text()).toBe(body);
    expect(Object.fromEntries(response.headers)).toEqual({
      'cache-control': 'no-store',
      'content-type': 'application/json',
      'idempotency-key': 'key-1',
      'idempotency-replayed': 'true',
      'idempotency-order-id': 'INV-1-ABCDEFGH',
      'retry-after': '3',
      'x-content-type-options': 'nosniff',
      'x-error-code': 'NONE',
      'x-request-id': 'req_1',
    });
  });

  it('responds with a 502 to JSON that is nested too deeply', async () => {
    const { ask } = proxyTo(() => new Response('['.repeat(1_000_000) + ']'.repeat(1_000_000)));
    expect((await ask('/games')).status).toBe(502);
  });

  it("responds with a 502 to a status that HTTP doesn't have", async () => {
    const odd = Object.defineProperty(Response.json({}), 'status', { value: 999 });
    expect((await proxyTo(() => odd).ask('/games')).status).toBe(502);
  });

  it.each([404, 409, 422, 429, 500, 503])(
    'passes on an error %i of the service with its body',
    async (status) => {
      const body = { message: 'The id field is required.', errors: { id: ['The id field is required.'] } };
      const { ask } = proxyTo(() => Response.json(body, { status }));
      const response = await ask('/order', order());
      expect([response.status, await response.json()]).toEqual([status, body]);
    },
  );

  it.each([
    [401, 503, 'UNAVAILABLE'],
    // It may come from a proxy in front of the service, after an order was created.
    [403, 502, 'BAD_GATEWAY'],
  ])(
    "turns the service's %i, which the browser did not cause, into a %i without details",
    async (status, answered, code) => {
      const { ask } = proxyTo(() =>
        Response.json(
          { message: `${apiKey} is revoked` },
          { status, headers: { 'X-Error-Code': 'UNAUTHORIZED' } },
        ),
      );
      const response = await ask('/games');
      expect(response.status).toBe(answered);
      expect(response.headers.get('X-Error-Code')).toBe(code);
      expect(response.headers.get('Retry-After')).toBe(answered === 503 ? '1' : null);
      const text = await response.text();
      expect(JSON.parse(text)).toEqual(envelope(code));
      expect(text).not.toMatch(/revoked|tk_live/);
    },
  );

  it.each([301, 302, 307, 308])(
    "responds with a 502 to a redirect %i, and doesn't follow it",
    async (status) => {
      const headers = { Location: 'https://evil.test' };
      const { ask, sent } = proxyTo(() => Response.json({ success: true }, { status, headers }));
      const response = await ask('/games');
      expect([response.status, response.headers.get('Location')]).toEqual([502, null]);
      expect(sent).toHaveLength(1);
    },
  );

  it.each([204, 304])('responds with a 502 to a %i, which is not in the contract', async (status) => {
    const { ask } = proxyTo(() => new Response(null, { status }));
    expect((await ask('/games')).status).toBe(502);
  });

  it.each(['', '<script>alert(1)</script>', '{"success":true'])(
    'responds with a 502 to a 200 with %j',
    async (text) => {
      const { ask } = proxyTo(() => new Response(text));
      const response = await ask('/games');
      expect([response.status, await response.json()]).toEqual([502, envelope('BAD_GATEWAY')]);
    },
  );

  it.each([
    [404, 'NOT_FOUND'],
    [418, 'HTTP_ERROR'],
    [429, 'RATE_LIMITED'],
    [500, 'SERVER_ERROR'],
    [503, 'UNAVAILABLE'],
  ])('keeps status and Retry-After of an error page %i, and drops its HTML', async (status, code) => {
    const { ask } = proxyTo(() => new Response('<h1>Oops</h1>', { status, headers: { 'Retry-After': '7' } }));
    const response = await ask('/order', order());
    expect([response.status, await response.json()]).toEqual([status, envelope(code)]);
    expect(response.headers.get('X-Error-Code')).toBe(code);
    expect(response.headers.get('Retry-After')).toBe('7');
    expect(response.headers.get('Content-Type')).toBe('application/json');
  });

  it.each([
    ['unchanged', `{"message":"bad key ${apiKey}"}`],
    ['as a property name', `{"${apiKey}":true}`],
    ['escaped', `{"message":"\\u0074${apiKey.slice(1)}"}`],
    ['twice, once hidden by a repeated name', `{"a":"${apiKey}","a":"\\n"}`],
  ])('removes a key that the service quotes %s', async (_how, body) => {
    for (const status of [200, 422, 500]) {
      const { ask } = proxyTo(
        () => new Response(body, { status, headers: { 'X-Request-Id': `req-${apiKey}` } }),
      );
      const response = await ask('/order', order());
      const text = await response.text();
      expect(text + JSON.stringify(JSON.parse(text))).not.toContain(apiKey);
      expect(JSON.stringify([...response.headers])).not.toContain(apiKey);
      expect(response.status).toBe(status);
    }
  });

  it('removes a key with quotes and slashes in any escaped form', async () => {
    const odd = '"\\/key/\\"<>';
    const quoted = JSON.stringify(odd).replaceAll('/', '\\/').replaceAll('<', '\\u003c');
    const { ask } = proxyTo(() => new Response(`{"message":${quoted}}`, { status: 500 }), { apiKey: odd });
    expect(await (await ask('/games')).json()).toEqual({ message: '[apiKey]' });
  });

  it('removes a key even from the code of an error page', async () => {
    const { ask } = proxyTo(() => new Response('', { status: 500, headers: { 'X-Error-Code': apiKey } }));
    const response = await ask('/games');
    expect((await response.text()) + JSON.stringify([...response.headers])).not.toContain(apiKey);
  });

  it.each([
    ['cannot be reached', 'ECONNREFUSED', 'the platform', 503, 'UNAVAILABLE'],
    ['breaks off', 'ECONNRESET', 'the platform', 502, 'BAD_GATEWAY'],
    // A custom fetch may have sent the order before it failed to connect.
    ['cannot be reached', 'ECONNREFUSED', 'the user', 502, 'BAD_GATEWAY'],
  ])(
    'handles a service that %s (%s by the fetch of %s) with a %i without a reason, and asks once',
    async (_, code, owner, status, said) => {
      const fetch = vi.fn(async (_request: Request): Promise<Response> => {
        throw Object.assign(new Error(`connect ECONNREFUSED 10.0.0.3 ${apiKey}`), { code });
      });
      vi.stubGlobal('fetch', fetch);
      const { ask } = proxyTo(games, { fetch: owner === 'the user' ? fetch : undefined });
      const response = await ask('/order', order());
      const text = await response.text();
      expect([response.status, JSON.parse(text)]).toEqual([status, envelope(said)]);
      expect(text).not.toMatch(/ECONNREFUSED|10\.0\.0\.3|tk_live/);
      expect(fetch).toHaveBeenCalledOnce();
    },
  );

  it('responds with a 502 when the service cuts its response off', async () => {
    const { ask } = proxyTo(
      () => new Response(new ReadableStream({ pull: (controller) => controller.error(new Error('reset')) })),
    );
    expect((await ask('/games')).status).toBe(502);
  });

  it.each([200, 500])('responds with a 502 to an endless %i, and stops reading', async (status) => {
    const cancel = vi.fn();
    const pull = (controller: ReadableStreamDefaultController) =>
      controller.enqueue(new Uint8Array(1024 * 1024));
    const { ask } = proxyTo(() => new Response(new ReadableStream({ pull, cancel }), { status }));
    expect((await ask('/games')).status).toBe(502);
    expect(cancel).toHaveBeenCalledOnce();
  });

  it('discards a response after the timeout', async () => {
    const cancel = vi.fn();
    const { promise: late, resolve } = Promise.withResolvers<Response>();
    const { ask } = proxyTo(() => late, { timeout: 20 });
    expect((await ask('/games')).status).toBe(504);
    resolve(new Response(new ReadableStream({ cancel })));
    await expect.poll(() => cancel.mock.calls.length).toBe(1);
  });

  it.each([
    ['before its response', () => new Promise<Response>(() => {})],
    ['during its response', () => new Response(new ReadableStream())],
  ])(
    'responds with a 504 to a service that hangs %s after the timeout, and aborts it',
    async (_when, service) => {
      const { ask, sent } = proxyTo(service, { timeout: 20 });
      const response = await ask('/order', order());
      expect([response.status, await response.json()]).toEqual([504, envelope('GATEWAY_TIMEOUT')]);
      expect(sent.map(({ signal }) => signal.aborted)).toEqual([true]);
    },
  );

  it('sends every error as JSON that must not be cached', async () => {
    const { ask } = proxyTo(games, { maxBodyBytes: 1 });
    for (const [path, init] of [['/nowhere'], ['/games', { method: 'PUT' }], ['/order', order()]] as const) {
      const response = await ask(path, init);
      expect(response.headers.get('Content-Type')).toBe('application/json');
      expect(response.headers.get('Cache-Control')).toBe('no-store');
      expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
      expect((await response.json()).error_code).toBe(response.headers.get('X-Error-Code'));
    }
  });
});
