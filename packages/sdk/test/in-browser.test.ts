import { createTopupClient } from '@topup-kit/sdk';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { entries } from './entries.ts';
import { baseUrl, orderRequest, recording, rejection } from './responses.ts';

const browsers = [
  [
    'Chrome',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  ],
  ['Firefox', 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'],
  [
    'Safari on a phone',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
  ],
];

const servers = [
  ['Node', 'Node.js/24'],
  ['Bun', 'Bun/1.3.0'],
  ['Deno', 'Deno/2.5.0'],
  ['Cloudflare Workers', 'Cloudflare-Workers'],
  ['jsdom, a simulated browser', 'Mozilla/5.0 (linux) AppleWebKit/537.36 (KHTML, like Gecko) jsdom/26.1.0'],
  [
    'Happy DOM, a simulated browser',
    'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) HappyDOM/20.0.0',
  ],
];

const beAt = (userAgent: string | undefined, href?: string): void => {
  vi.stubGlobal('navigator', userAgent === undefined ? undefined : { userAgent });
  vi.stubGlobal('location', href === undefined ? undefined : { href });
};

afterEach(() => void vi.unstubAllGlobals());

it('asks for baseUrl in a browser, but not for a variable, which pages lack', async () => {
  beAt(browsers[0]?.[1], 'https://shop.example/checkout');
  const message = String(await rejection(createTopupClient().games.list()));
  expect(message).toContain('Set baseUrl to the path of @topup-kit/sdk/proxy');
  expect(message).not.toContain('TOPUP_BASE_URL');
});

describe('a key in a browser', () => {
  it.each(browsers)('rejects a key in a browser: %s', (_name, userAgent) => {
    beAt(userAgent, 'https://shop.example/checkout');

    expect(() => createTopupClient({ baseUrl, apiKey: 'tk_live_1' })).toThrow(
      expect.objectContaining({ name: 'TopupUsageError', code: 'API_KEY_IN_BROWSER' }),
    );
  });

  it('explains the rejection of a key without quoting it', () => {
    beAt(browsers[0]?.[1], 'https://shop.example/checkout');
    let message = '';
    try {
      createTopupClient({ baseUrl, apiKey: 'tk_live_canary' });
    } catch (error) {
      message = String(error);
    }

    expect(message).toMatch(/anyone can read apiKey/);
    expect(message).toMatch(/@topup-kit\/sdk\/proxy/);
    expect(message).toMatch(/baseUrl/);
    expect(message).not.toContain('canary');
  });

  it('rejects a key in a browser worker, which has no document', () => {
    beAt(browsers[0]?.[1], 'https://shop.example/worker.js');

    expect(() => createTopupClient({ baseUrl, apiKey: 'tk_live_1' })).toThrow(/browser/);
  });

  it.each(entries)(
    'rejects a key in an app of React Native, whose navigator has no user agent: %s',
    async (_entry, create) => {
      vi.stubGlobal('navigator', { product: 'ReactNative' });

      expect(() => create({ baseUrl, apiKey: 'tk_live_1' })).toThrow(
        expect.objectContaining({ code: 'API_KEY_IN_BROWSER', message: expect.stringMatching(/or app/) }),
      );
      const { fetch, requests } = recording();
      await create({ baseUrl, fetch }).games.list();
      expect(requests).toHaveLength(1);
    },
  );

  it.each(servers)('accepts a key elsewhere: %s', (_name, userAgent) => {
    beAt(userAgent);

    expect(() => createTopupClient({ baseUrl, apiKey: 'tk_live_1' })).not.toThrow();
  });

  it('accepts a key without a navigator', () => {
    beAt(undefined);

    expect(() => createTopupClient({ baseUrl, apiKey: 'tk_live_1' })).not.toThrow();
  });
});

describe('a client without a key in a browser', () => {
  beforeEach(() => beAt(browsers[0]?.[1], 'https://shop.example/checkout/cart?step=2#pay'));

  it.each([
    ['a path of the page', '/topup', 'https://shop.example/topup/games'],
    ['a path with a slash at its end', '/topup/', 'https://shop.example/topup/games'],
    ['the root', '/', 'https://shop.example/games'],
    ['an absolute URL', 'https://mock.example/api', 'https://mock.example/api/games'],
  ])('reaches %s without a key', async (_case, path, url) => {
    const { fetch, requests } = recording();

    await createTopupClient({ baseUrl: path, fetch }).games.list();

    expect(requests[0]?.url).toBe(url);
  });

  it("sends requests to the page's origin after the page navigates", async () => {
    const { fetch, requests } = recording();
    const client = createTopupClient({ baseUrl: '/topup', fetch });
    beAt(browsers[0]?.[1], 'https://shop.example/elsewhere/');

    await client.games.list();

    expect(requests[0]?.url).toBe('https://shop.example/topup/games');
  });

  it('orders with an idempotency key and without an API key', async () => {
    const { fetch, requests } = recording();

    await createTopupClient({ baseUrl: '/topup', fetch }).orders.create(orderRequest);

    expect(requests[0]?.headers.get('Idempotency-Key')).toMatch(/^[0-9a-f]{32}$/);
    expect(requests[0]?.headers.has('X-API-KEY')).toBe(false);
  });

  it('orders on an insecure page, where crypto has few functions', async () => {
    vi.stubGlobal('crypto', {
      getRandomValues: <Bytes extends Uint8Array>(bytes: Bytes) => bytes.fill(7),
    });
    const { fetch, requests } = recording();

    await createTopupClient({ baseUrl: '/topup', fetch }).orders.create(orderRequest);

    expect(requests[0]?.headers.get('Idempotency-Key')).toBe('07'.repeat(16));
  });

  it.each(['blob:https://shop.example/0', 'about:blank'])(
    'rejects a call to a relative URL on %s',
    async (href) => {
      beAt(browsers[0]?.[1], href);

      expect(await rejection(createTopupClient({ baseUrl: '/topup' }).games.list())).toMatchObject({
        code: 'INVALID_BASE_URL',
      });
    },
  );
});

describe('a relative baseUrl on a server', () => {
  it.each(servers.slice(0, 4))(
    'accepts a relative baseUrl in a module that is only loaded on a server: %s',
    (_name, userAgent) => {
      beAt(userAgent);

      expect(() => createTopupClient({ baseUrl: '/topup' })).not.toThrow();
    },
  );

  it.each(entries)(
    'rejects a call on a server, with URL, reason and next step: %s',
    async (_name, create) => {
      beAt('Node.js/24');
      const { fetch, requests } = recording();

      const error = await rejection(create({ baseUrl: '/api/topup', fetch }).games.list());

      expect(error).toMatchObject({
        name: 'TopupUsageError',
        code: 'INVALID_BASE_URL',
        operation: 'listGames',
        attempts: 0,
        message: expect.stringMatching(
          /^baseUrl \/api\/topup is relative.*no page.*only in the browser.*absolute.*Nothing was sent/,
        ),
      });
      expect(requests).toEqual([]);
    },
  );

  it("uses the browser's page once the page runs there", async () => {
    beAt('Node.js/24');
    const { fetch, requests } = recording();
    const client = createTopupClient({ baseUrl: '/topup', fetch });
    beAt(browsers[0]?.[1], 'https://shop.example/checkout');

    await client.games.list();

    expect(requests[0]?.url).toBe('https://shop.example/topup/games');
  });
});
