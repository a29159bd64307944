import { createTopupClient } from '@topup-kit/sdk';
import { describe, expect, it } from 'vitest';
import { recording } from './responses.ts';

describe('baseUrl', () => {
  it.each([
    ['without a slash at its end', 'http://shop.test/api', 'http://shop.test/api/games'],
    ['with a slash at its end', 'http://shop.test/api/', 'http://shop.test/api/games'],
    ['with several slashes at its end', 'http://shop.test/api//', 'http://shop.test/api/games'],
    ['without a path', 'http://shop.test', 'http://shop.test/games'],
    ['with a path of several segments', 'https://shop.test/v1/topup', 'https://shop.test/v1/topup/games'],
    ['with a port', 'http://127.0.0.1:4000/api', 'http://127.0.0.1:4000/api/games'],
  ])('accepts a baseUrl %s', async (_case, baseUrl, url) => {
    const { fetch, requests } = recording();

    await createTopupClient({ baseUrl, fetch }).games.list();

    expect(requests[0]?.url).toBe(url);
  });

  it.each([
    ['127.0.0.1:4000/api', 'http://127.0.0.1:4000/api'],
    ['localhost:4000', 'http://localhost:4000'],
    ['shop.example/api', 'http://shop.example/api'],
  ])('shows a baseUrl without a scheme, with a suggestion: %s', (baseUrl, meant) => {
    expect(() => createTopupClient({ baseUrl })).toThrow(`not '${baseUrl}'. Did you mean ${meant}?`);
  });

  it("doesn't treat a name without a dot as a host, because a path begins with a slash", () => {
    expect(() => createTopupClient({ baseUrl: 'api/topup' })).toThrow(/not 'api\/topup'\.$/);
  });

  it('hides an API key that is given as baseUrl', () => {
    expect(() => createTopupClient({ baseUrl: 'tk_live_hunter22' })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('hunter22') }),
    );
  });

  it.each([
    ['empty', ''],
    ['a URL of another scheme', 'ftp://shop.test/api'],
    ['only a host', 'shop.test:4000'],
    ['with credentials', 'http://me:hunter22@shop.test/api'],
    ['with a query', 'http://shop.test/api?key=hunter22'],
    ['with a fragment', 'http://shop.test/api#top'],
  ])('rejects the baseUrl %s', (_case, baseUrl) => {
    expect(() => createTopupClient({ baseUrl })).toThrow(
      expect.objectContaining({
        name: 'TopupUsageError',
        code: 'INVALID_BASE_URL',
        message: expect.not.stringContaining('hunter22'),
      }),
    );
  });
});
