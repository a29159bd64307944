import { afterEach, describe, expect, it, vi } from 'vitest';
import { apiKey, games, proxyTo } from './proxy-to.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const failing = (code: string) => (): never => {
  throw Object.assign(new TypeError(`fetch failed with ${apiKey}`), { code });
};
const page = () => new Response('<!doctype html>', { headers: { 'Content-Type': 'text/html' } });

describe("the proxy's warnings to its operator", () => {
  it.each([
    [
      'of a rejected key',
      () => Response.json({ message: 'Unauthorized' }, { status: 401 }),
      /401: check the key/,
    ],
    [
      'of a missing scope',
      () => Response.json({ message: 'Forbidden' }, { status: 403 }),
      /403: check the key, its scopes/,
    ],
    ['of a page', page, /200 with a body that is not JSON, perhaps from a proxy: check baseUrl/],
    [
      'of a page instead of a 401',
      () => new Response('<p>', { status: 401 }),
      /401 with a body that is not JSON/,
    ],
    ['of a redirect', () => Response.redirect('https://elsewhere.test', 302), /redirects: check baseUrl/],
    ['of a refused connection', failing('ECONNREFUSED'), /ECONNREFUSED.*check baseUrl/],
    ['of https for http', failing('ERR_SSL_WRONG_VERSION_NUMBER'), /check the scheme of baseUrl/],
  ])('warns about %s once on the console', async (_case, respond, warning) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { ask } = proxyTo(respond);

    await ask('/games');
    await ask('/games');

    expect(warn.mock.calls).toEqual([[expect.stringMatching(warning)]]);
    expect(warn.mock.calls[0]?.[0]).toMatch(/^topup-proxy: https:\/\/shop\.example\/v1\/api: /);
    expect(String(warn.mock.calls)).not.toContain(apiKey);
  });

  it('does not suspect the base URL when a connection breaks after a response', async () => {
    const warn = vi.fn();
    const responses = [games, failing('ECONNRESET')];
    const { ask } = proxyTo(() => (responses.shift() ?? games)(), { logger: { warn } });
    await ask('/games');
    expect((await ask('/games')).status).toBe(502);
    expect(warn.mock.calls[0]?.[0]).toMatch(/ECONNRESET\), although the service responded before/);
  });

  it("warns each time in the proxy's logger, whose errors change no response", async () => {
    const console_ = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const warn = vi.fn(() => {
      throw new Error('no log');
    });
    const { ask } = proxyTo(failing('ECONNREFUSED'), { logger: { warn } });

    expect((await ask('/games')).status).toBe(502);
    await ask('/games');

    expect(warn).toHaveBeenCalledTimes(2);
    expect(console_).not.toHaveBeenCalled();
  });

  it("doesn't warn about requests that any browser can send", async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { ask } = proxyTo(games);

    await ask('/games');
    await ask('/orders');
    await ask('/games', { headers: { Origin: 'https://evil.test' } });

    expect(warn).not.toHaveBeenCalled();
  });
});

it('names both paths in the 404 of a proxy whose basePath differs from its mount', async () => {
  const { proxy } = proxyTo(games);
  const response = await proxy(new Request('https://site.example/games'), { address: '203.0.113.7' });

  expect(await response.json()).toMatchObject({
    message: 'The proxy does not allow this route. /games is not below its basePath /api/topup.',
  });
});

it('sends nothing over https to an http port, so the browser gets a 503', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  vi.stubGlobal('fetch', failing('ERR_SSL_WRONG_VERSION_NUMBER'));
  const { ask } = proxyTo(games, { fetch: undefined });

  expect((await ask('/games')).status).toBe(503);
});
