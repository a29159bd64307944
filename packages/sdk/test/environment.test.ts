import { createTopupClient, type Fetch, type TopupClientOptions } from '@topup-kit/sdk';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { entries } from './entries.ts';
import { baseUrl, recording, rejection, responding } from './responses.ts';

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

const keyOf = (requests: Request[]): string | null | undefined => requests[0]?.headers.get('X-API-KEY');
const unauthorized: Fetch = responding(401, { message: 'Unauthorized' });

describe.each(entries)('%s without options', (_entry, create) => {
  it('uses TOPUP_BASE_URL and TOPUP_API_KEY', async () => {
    vi.stubEnv('TOPUP_BASE_URL', 'http://from-env.test/api/');
    vi.stubEnv('TOPUP_API_KEY', 'tk_test_env');
    const { fetch, requests } = recording();
    vi.stubGlobal('fetch', fetch);

    await create().games.list();

    expect(requests[0]?.url).toBe('http://from-env.test/api/games');
    expect(keyOf(requests)).toBe('tk_test_env');
  });

  it('reads the variables when it is called, so that they may be set after the client was created', async () => {
    const { fetch, requests } = recording();
    const client = create({ fetch });
    vi.stubEnv('TOPUP_BASE_URL', 'http://from-env.test/api');

    await client.games.list();

    expect(requests[0]?.url).toBe('http://from-env.test/api/games');
  });

  it.each(['127.0.0.1:4000/api', '/api'])('names the variable with an invalid URL: %s', async (baseUrl) => {
    vi.stubEnv('TOPUP_BASE_URL', baseUrl);

    expect(await rejection(create().games.list())).toMatchObject({
      code: 'INVALID_BASE_URL',
      message: expect.stringMatching(new RegExp(`TOPUP_BASE_URL .*${baseUrl}`)),
    });
  });

  it('reports that an empty key is empty', () => {
    expect(() => create({ baseUrl, apiKey: '' })).toThrow('apiKey is empty');
  });

  it('names the variable if neither it nor the option is set', async () => {
    vi.stubEnv('TOPUP_BASE_URL', undefined);

    expect(await rejection(create().games.list())).toMatchObject({
      name: 'TopupUsageError',
      code: 'INVALID_BASE_URL',
      message: expect.stringMatching(/baseUrl.*TOPUP_BASE_URL/),
    });
  });
});

describe('the environment', () => {
  it('prefers options to the environment', async () => {
    vi.stubEnv('TOPUP_BASE_URL', 'http://from-env.test/api');
    vi.stubEnv('TOPUP_API_KEY', 'tk_test_env');
    const { fetch, requests } = recording();

    await createTopupClient({ baseUrl, apiKey: 'tk_test_given', fetch }).games.list();

    expect(requests[0]?.url).toBe(`${baseUrl}/games`);
    expect(keyOf(requests)).toBe('tk_test_given');
  });

  it('uses no key from the environment if apiKey is undefined, because the caller meant another variable', async () => {
    vi.stubEnv('TOPUP_API_KEY', 'tk_test_env');
    const { fetch, requests } = recording();

    await createTopupClient({ baseUrl, apiKey: undefined, fetch }).games.list();

    expect(keyOf(requests)).toBeNull();
  });

  it("uses no key from the environment for a relative baseUrl, which is the page's own proxy", async () => {
    vi.stubEnv('TOPUP_API_KEY', 'tk_test_env');
    vi.stubGlobal('location', { href: 'http://localhost:3000/' });
    const { fetch, requests } = recording();

    await createTopupClient({ baseUrl: '/api/topup', fetch }).games.list();

    expect(keyOf(requests)).toBeNull();
  });

  it('ignores the environment in browsers', async () => {
    vi.stubEnv('TOPUP_BASE_URL', 'http://from-env.test/api');
    vi.stubEnv('TOPUP_API_KEY', 'tk_test_env');
    vi.stubGlobal('navigator', { userAgent: firefox });
    const { fetch, requests } = recording();

    expect(await rejection(createTopupClient({ fetch }).games.list())).toMatchObject({
      code: 'INVALID_BASE_URL',
    });
    await createTopupClient({ baseUrl, fetch }).games.list();
    expect(keyOf(requests)).toBeNull();
  });

  it.each([
    ['there is no process', undefined],
    ['the process has no environment', {}],
    [
      'reading it is forbidden',
      {
        get env(): never {
          throw new Error('Requires env access');
        },
      },
    ],
  ])('works without an environment: %s', async (_case, process) => {
    const { fetch, requests } = recording();
    vi.stubGlobal('process', process);
    const list = createTopupClient({ baseUrl, fetch }).games.list();
    vi.unstubAllGlobals();

    await list;
    expect(keyOf(requests)).toBeNull();
  });

  it('names the variable in the error of an unsendable key, without the key', async () => {
    vi.stubEnv('TOPUP_API_KEY', 'tk_test_canary\n');

    expect(await rejection(createTopupClient({ baseUrl }).games.list())).toMatchObject({
      code: 'INVALID_API_KEY',
      message: expect.stringMatching(/^(?!.*canary).*TOPUP_API_KEY/),
    });
  });
});

describe('TOPUP_LOG', () => {
  const levels = ['debug', 'info', 'warn', 'error'] as const;

  /** The levels that a successful call writes to the console. */
  async function written(options: TopupClientOptions = {}): Promise<string[]> {
    const seen: string[] = [];
    for (const level of levels) vi.spyOn(console, level).mockImplementation(() => void seen.push(level));
    await createTopupClient({ baseUrl, fetch: responding(200, list), ...options }).games.list();
    return seen;
  }
  const list = { success: true, games: [], populerGames: [] };

  it('writes to the console from the level that TOPUP_LOG sets', async () => {
    vi.stubEnv('TOPUP_LOG', 'debug');
    expect(await written()).toEqual(['debug', 'debug']);
    vi.stubEnv('TOPUP_LOG', 'info');
    expect(await written()).toEqual([]);
  });

  it.each([
    ['error', []],
    ['warn', ['warn']],
  ])('reports differences from the contract at level %s', async (level, seen) => {
    vi.stubEnv('TOPUP_LOG', level);

    expect(await written({ fetch: responding(200, { ...list, games: 1 }) })).toEqual(seen);
  });

  it('sets the level of a logger', async () => {
    vi.stubEnv('TOPUP_LOG', 'debug');
    const debug = vi.fn();

    expect(await written({ logger: { debug, info() {}, warn() {}, error() {} } })).toEqual([]);
    expect(debug).toHaveBeenCalledTimes(2);
  });

  it('prefers logLevel to TOPUP_LOG', async () => {
    vi.stubEnv('TOPUP_LOG', 'debug');

    expect(await written({ logger: console, logLevel: 'warn' })).toEqual([]);
    expect(await written({ logLevel: 'debug' })).toEqual([]);
  });

  it('treats an empty TOPUP_LOG as not set', async () => {
    vi.stubEnv('TOPUP_LOG', '');

    expect(await written()).toEqual([]);
  });

  it('ignores TOPUP_LOG in browsers', async () => {
    vi.stubEnv('TOPUP_LOG', 'debug');
    vi.stubGlobal('navigator', { userAgent: firefox });

    expect(await written()).toEqual([]);
  });

  it('ignores an invalid TOPUP_LOG, and warns once for all clients', async () => {
    vi.stubEnv('TOPUP_LOG', 'verbose');

    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});

    for (let clients = 0; clients < 2; clients++)
      await createTopupClient({ baseUrl, fetch: responding(200, list) }).games.list();

    expect(warn.mock.calls).toEqual([['topup-sdk: TOPUP_LOG must be one of debug, info, warn, error.']]);
  });
});

describe('the message of a 401', () => {
  it('explains in a 401 that the variable is not set, if apiKey is undefined', async () => {
    const client = createTopupClient({ baseUrl, apiKey: process.env.NO_SUCH_KEY, fetch: unauthorized });

    expect(await rejection(client.games.list())).toMatchObject({
      message: expect.stringContaining('apiKey is undefined: its environment variable is not set'),
    });
  });

  it('explains in a 401 that no key was sent, if apiKey was left out', async () => {
    vi.stubEnv('TOPUP_API_KEY', undefined);

    expect(await rejection(createTopupClient({ baseUrl, fetch: unauthorized }).games.list())).toMatchObject({
      message: expect.stringMatching(/No key was sent.*TOPUP_API_KEY/),
    });
  });

  it('advises in a 401 to check the sent key', async () => {
    const client = createTopupClient({ baseUrl, apiKey: 'tk_test_1', fetch: unauthorized });

    expect(await rejection(client.games.list())).toMatchObject({
      message: expect.stringMatching(/Check apiKey\.$/),
    });
  });
});
