import { type IncomingRequest, passWorld, withRequest } from '@topup-kit/sdk/worlds';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { entries } from './entries.ts';
import { baseUrl, recording, rejection } from './responses.ts';

afterEach(() => void vi.unstubAllGlobals());

const headers = { 'X-Topup-World': 'checkout-7' };

/** The world of a call for this request; null for none. */
async function worldFor(request: IncomingRequest | undefined): Promise<string | null> {
  const { fetch, requests } = recording();
  const [[, create]] = entries;
  await create({ baseUrl, fetch, hooks: { onRequest: passWorld(() => request) } }).games.list();
  return requests[0]?.headers.get('X-Topup-World') ?? null;
}

describe('passWorld', () => {
  it.each<[string, IncomingRequest]>([
    ['a Request', new Request('http://shop.test/', { headers })],
    ['Headers', new Headers(headers)],
    ["Node's request", { headers: { 'x-topup-world': 'checkout-7' } }],
    ["Node's headers", { 'x-topup-world': 'checkout-7' }],
    [
      'a cookie of a Request',
      new Request('http://shop.test/', { headers: { Cookie: 'topup_world=checkout-7' } }),
    ],
    ["a cookie in Node's request", { headers: { cookie: 'session=1; topup_world=checkout-7; theme=dark' } }],
  ])('sends the world of %s', async (_name, request) => {
    expect(await worldFor(request)).toBe('checkout-7');
  });

  it('prefers the header to the cookie, which a console on the same host may have set', async () => {
    const both = { ...headers, Cookie: 'topup_world=other' };
    expect(await worldFor(new Headers(both))).toBe('checkout-7');
  });

  it.each<[string, IncomingRequest | undefined]>([
    ['no request', undefined],
    ['a request that names no world', { headers: {} }],
    ['another cookie', { cookie: 'my_topup_world=1; topup_worlds=2' }],
  ])('sends no world for %s', async (_name, request) => {
    expect(await worldFor(request)).toBeNull();
  });

  it('passes on a name that no world can have, so that the sandbox rejects it', async () => {
    expect(await worldFor({ cookie: 'topup_world=two%20words' })).toBe('two%20words');
    expect(await worldFor({ 'x-topup-world': 'x'.repeat(10_000) })).toBe('x'.repeat(255));
  });

  it.each(entries)('waits for a request that a framework resolves later: %s', async (_entry, create) => {
    const { fetch, requests } = recording();
    const onRequest = passWorld(async () => new Headers(headers));

    await create({ baseUrl, fetch, hooks: { onRequest } }).games.list();

    expect(requests[0]?.headers.get('X-Topup-World')).toBe('checkout-7');
  });
});

describe('withRequest', () => {
  it.each(entries)('keeps the requests of 20 visitors separate: %s', async (_entry, create) => {
    const { fetch, requests } = recording();
    const client = create({ baseUrl, fetch, hooks: { onRequest: passWorld() } });
    const visits = Array.from({ length: 20 }, (_, number) =>
      withRequest({ 'x-topup-world': `visitor-${number}` }, async () => {
        // The first ones go on last.
        for (let turn = number; turn < 20; turn += 1) await Promise.resolve();
        await client.games.get(`game-${number}`);
        return client.games.get(`game-${number}`);
      }),
    );
    await Promise.all(visits);

    const seen = requests.map(({ url, headers }) => [url.split('-').at(-1), headers.get('X-Topup-World')]);
    expect(seen).toHaveLength(40);
    for (const [number, world] of seen) expect(world).toBe(`visitor-${number}`);
  });

  it("returns the function's result, and ends with the function", async () => {
    expect(withRequest(new Headers(headers), () => 7)).toBe(7);

    const { fetch, requests } = recording();
    const [[, create]] = entries;
    await create({ baseUrl, fetch, hooks: { onRequest: passWorld() } }).games.list();
    expect(requests[0]?.headers.has('X-Topup-World')).toBe(false);
  });

  it('shares the request with another copy of the module, because frameworks load several copies', async () => {
    vi.resetModules();
    const copy: typeof import('@topup-kit/sdk/worlds') = await import('@topup-kit/sdk/worlds');
    expect(copy.passWorld).not.toBe(passWorld);
    const sent = new Headers();
    const attempt = { operation: 'listGames', method: 'GET', url: baseUrl, attempt: 1 } as const;

    await withRequest(new Headers(headers), () =>
      copy.passWorld()({ ...attempt, idempotencyKey: undefined, headers: sent }),
    );

    expect(sent.get('X-Topup-World')).toBe('checkout-7');
  });

  it('explains what to do in a runtime without AsyncLocalStorage', async () => {
    vi.resetModules();
    const key = Symbol.for('@topup-kit/sdk/worlds');
    const kept = Reflect.get(globalThis, key);
    Reflect.deleteProperty(globalThis, key);
    vi.stubGlobal('process', { ...process, getBuiltinModule: undefined });
    try {
      const call = async () => withRequest(new Headers(headers), () => undefined);
      expect(await rejection(call())).toMatchObject({
        code: 'UNSUPPORTED_ENVIRONMENT',
        message: expect.stringMatching(/AsyncLocalStorage.*passWorld/),
      });
    } finally {
      Reflect.set(globalThis, key, kept);
    }
  });
});
