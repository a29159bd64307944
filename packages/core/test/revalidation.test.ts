import { describe, expect, it } from 'vitest';
import { defaultLimits } from '../src/app/index.ts';
import { interfaceOnlyDialect, kitDialect, operations, readsCatalog } from '../src/contract/index.ts';
import { createTestService, fixtureOrder } from './helpers/test-service.ts';

const catalogPaths = ['/games', '/games/mobile-legends', '/order/mobile-legends'];

const versionOf = ({ headers }: { headers: Headers }): string => headers.get('ETag') ?? '';

it('gives a version only to the list of games, a game and its checkout', () => {
  expect(operations.filter(readsCatalog)).toEqual(['listGames', 'getGame', 'getCheckout']);
});

describe.each(catalogPaths)('GET %s', (path) => {
  it('sends a version that a client must revalidate', async () => {
    const { get } = await createTestService();
    const { status, headers } = await get(path);
    expect(status).toBe(200);
    expect(headers.get('ETag')).toMatch(/^W\/"[0-9a-f]{32}"$/);
    expect(headers.get('Cache-Control')).toBe('private, no-cache');
  });

  it.each([
    ['the version', (tag: string) => tag],
    ['the version, compared as strong', (tag: string) => tag.slice(2)],
    ['one of several versions', (tag: string) => `"x", ${tag},W/"y"`],
    ['any version', () => ' * '],
  ])('responds with an empty 304 to a client that has %s', async (_name, ifNoneMatch) => {
    const { get } = await createTestService();
    const first = await get(path);
    const again = await get(path, { headers: { 'If-None-Match': ifNoneMatch(versionOf(first)) } });
    expect([again.status, again.text]).toEqual([304, '']);
    expect(again.headers.get('ETag')).toBe(versionOf(first));
    expect(again.headers.get('Cache-Control')).toBe('private, no-cache');
    expect(again.headers.get('X-Request-Id')).toMatch(/./);
    expect(again.headers.has('Content-Type')).toBe(false);
  });

  it('sends the complete response to a client with another version or without a version', async () => {
    const { get } = await createTestService();
    for (const ifNoneMatch of ['"x"', 'W/"x"', '', 'x', versionOf(await get(path)).replace('"', '')])
      expect((await get(path, { headers: { 'If-None-Match': ifNoneMatch } })).status).toBe(200);
  });

  it('checks the key and counts the request before a 304', async () => {
    const limits = { ...defaultLimits, readsPerMinute: 2 };
    const { app, get } = await createTestService({ settings: { limits } });
    const headers = { 'If-None-Match': versionOf(await get(path)) };
    const unknown = await app.fetch(
      new Request(`http://localhost/api${path}`, { headers: { ...headers, 'X-API-KEY': 'wrong' } }),
    );
    expect(unknown.status).toBe(401);
    expect(unknown.headers.has('ETag')).toBe(false);
    const counted = await get(path, { headers });
    expect([counted.status, counted.headers.get('RateLimit')]).toEqual([
      304,
      expect.stringContaining('r=0;'),
    ]);
    expect((await get(path, { headers })).status).toBe(429);
  });

  it('changes the version with the public address of pictures', async () => {
    const [one, other] = await Promise.all(
      ['https://one.example', 'https://other.example'].map(async (publicUrl) =>
        versionOf(await (await createTestService({ settings: { publicUrl } })).get(path)),
      ),
    );
    expect(one).not.toBe(other);
  });
});

it("changes the version with the dialect's bodies", async () => {
  const dialect = { ...kitDialect, emptyFields: 'absent' as const };
  const path = '/order/mobile-legends';
  const own = await (await createTestService()).get(path);
  const other = await (await createTestService({ settings: { dialect } })).get(path);
  expect(other.text).not.toBe(own.text);
  expect(versionOf(other)).not.toBe(versionOf(own));
});

it.each([
  ['without it', { ...kitDialect, headers: { ...kitDialect.headers, etag: false } }, catalogPaths],
  ['interface-only', interfaceOnlyDialect, ['/games']],
])('sends no version and no 304 in a dialect %s', async (_name, dialect, paths) => {
  const { get } = await createTestService({ settings: { dialect } });
  for (const path of paths) {
    const headers = { Accept: 'application/json', 'If-None-Match': '*' };
    const response = await get(path, { headers });
    expect([response.status, response.headers.get('ETag'), response.headers.get('Cache-Control')]).toEqual([
      200,
      null,
      'no-store',
    ]);
  }
});

it('sends no version outside the catalogue, and forbids caching there', async () => {
  const { order, get } = await createTestService();
  const { orderId } = (await order(fixtureOrder)).json;
  for (const path of [`/invoice/${orderId}`, `/invoice/${orderId}/payment-status`, '/games/no-such-game']) {
    const { status, headers } = await get(path, { headers: { 'If-None-Match': '*' } });
    expect(status).not.toBe(304);
    expect([headers.get('ETag'), headers.get('Cache-Control')]).toEqual([null, 'no-store']);
  }
});
