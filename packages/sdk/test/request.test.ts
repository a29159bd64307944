import { createTopupClient, type Fetch, version } from '@topup-kit/sdk';
import { afterEach, describe, expect, it, vi } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { baseUrl, orderRequest, recording, rejection } from './responses.ts';

afterEach(() => vi.unstubAllGlobals());

describe('a request', () => {
  it('sends Accept with JSON', async () => {
    const { fetch, requests } = recording();

    await createTopupClient({ baseUrl, fetch }).games.list();

    expect(requests[0]?.headers.get('Accept')).toBe('application/json');
  });

  it('sends the API key if a key is set', async () => {
    const { fetch, requests } = recording();

    await createTopupClient({ baseUrl, fetch, apiKey: 'tk_test_1' }).games.list();

    expect(requests[0]?.headers.get('X-API-KEY')).toBe('tk_test_1');
  });

  it('sends no API key if there is none', async () => {
    const { fetch, requests } = recording();

    await createTopupClient({ baseUrl, fetch, apiKey: undefined }).games.list();

    expect(requests[0]?.headers.has('X-API-KEY')).toBe(false);
  });

  it.each(['', 'tk test', 'tk_test_1\n', 'kunci-é', null, 17])('rejects %j as a key', (given) => {
    const apiKey = given as string; // Safe: a caller without types can pass this value.

    expect(() => createTopupClient({ baseUrl, apiKey })).toThrow(
      expect.objectContaining({ name: 'TopupUsageError', code: 'INVALID_API_KEY' }),
    );
  });

  it('reports that a key has a line break, as if it was read from a file', () => {
    expect(() => createTopupClient({ baseUrl, apiKey: 'tk_test_1\n' })).toThrow('line break');
  });

  it("sends the SDK's name and version", async () => {
    const { fetch, requests } = recording();

    await createTopupClient({ baseUrl, fetch }).games.list();

    expect(requests[0]?.headers.get('User-Agent')).toBe(`topup-kit-sdk/${packageJson.version}`);
    expect(version).toBe(packageJson.version);
  });

  it("keeps a browser's User-Agent", async () => {
    vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0 (X11; Linux x86_64)' });
    const { fetch, requests } = recording();

    await createTopupClient({ baseUrl, fetch }).games.list();

    expect(requests[0]?.headers.has('User-Agent')).toBe(false);
  });

  it('sends an order as JSON', async () => {
    const { fetch, requests } = recording();

    await createTopupClient({ baseUrl, fetch }).orders.create(orderRequest);

    expect(requests[0]?.method).toBe('POST');
    expect(requests[0]?.url).toBe('http://shop.test/api/order');
    expect(requests[0]?.headers.get('Content-Type')).toBe('application/json');
    expect(await requests[0]?.json()).toEqual(orderRequest);
  });

  it('sends no body and no Content-Type with a read', async () => {
    const { fetch, requests } = recording();

    await createTopupClient({ baseUrl, fetch }).games.list();

    expect(requests[0]?.body).toBeNull();
    expect(requests[0]?.headers.has('Content-Type')).toBe(false);
  });

  it("rejects a request that can't be JSON", async () => {
    const { fetch, requests } = recording();
    const circular: Record<string, unknown> = {};
    circular.itself = circular;

    const call = createTopupClient({ baseUrl, fetch }).orders.create({ ...orderRequest, ...circular });

    expect(await rejection(call)).toMatchObject({ name: 'TopupUsageError', code: 'INVALID_REQUEST' });
    expect(requests).toHaveLength(0);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    'rejects the number %d, because JSON would turn it into null, which means a quantity of one',
    async (quantity) => {
      const { fetch, requests } = recording();

      const call = createTopupClient({ baseUrl, fetch }).orders.create({ ...orderRequest, quantity });

      expect(await rejection(call)).toMatchObject({
        ...{ name: 'TopupUsageError', code: 'INVALID_REQUEST', message: expect.stringContaining('NaN') },
      });
      expect(requests).toHaveLength(0);
    },
  );

  it.each([null, 'fetch', {}])('rejects %j as a fetch function', (given) => {
    const fetch = given as Fetch; // Safe: a caller without types can pass this value.

    expect(() => createTopupClient({ baseUrl, fetch })).toThrow(
      expect.objectContaining({
        name: 'TopupUsageError',
        code: 'INVALID_OPTION',
        message: expect.stringContaining('fetch'),
      }),
    );
  });

  it('uses the current global fetch by default', async () => {
    const client = createTopupClient({ baseUrl });
    const { fetch, requests } = recording();
    vi.stubGlobal('fetch', fetch);

    await client.games.list();

    expect(requests).toHaveLength(1);
  });
});
