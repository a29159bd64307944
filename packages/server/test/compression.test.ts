import type { PlainResponse } from '@topup-kit/core/app';
import { describe, expect, it, vi } from 'vitest';
import { chooseEncoding, createCompression as createCompressionOfVersions } from '../src/edge/compression.ts';
import { fixtureOrder, startSandbox } from './helpers/sandbox.ts';

/** Compresses a response by the version in its ETag. */
function createCompression() {
  const compress = createCompressionOfVersions();
  return (response: PlainResponse, acceptEncoding: string | undefined) =>
    Promise.resolve(compress(response.headers.ETag ?? '', response, acceptEncoding)).then(
      ({ headers, own, ...rest }) => ({ ...rest, headers: { ...headers, ...own } }),
    );
}

const failsOnce = 'fails once';

/** Tests run at the same time, so only one body fails, and once. */
vi.mock('node:zlib', async (importOriginal) => {
  const zlib = await importOriginal<typeof import('node:zlib')>();
  let failures = 1;
  const gzip = (body: Buffer, done: (error: Error | null, result?: Buffer) => void): void =>
    body.toString().startsWith(failsOnce) && failures-- > 0
      ? done(new Error('no memory'))
      : zlib.gzip(body, done);
  return { ...zlib, gzip };
});

describe('Accept-Encoding', () => {
  it.each([
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=0.5, gzip', 'gzip'],
    ['gzip;q=0.5, br;q=0.4', 'gzip'],
    ['br;q=0, gzip;q=0.1', 'gzip'],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['identity, gzip;q=0.5', undefined],
    ['identity;q=0.5, gzip', 'gzip'],
    ['gzip;q=0', undefined],
    ['*;q=0', undefined],
    ['gzip;q=0, br;q=0', undefined],
    ['identity', undefined],
    ['deflate', undefined],
    ['', undefined],
    ['gzipped', undefined],
  ])('chooses for "%s" the encoding %s', (header, encoding) => {
    expect(chooseEncoding(header)).toBe(encoding);
  });
});

describe('a response with a version', () => {
  const version = (tag: string, length = 2_000) => ({
    status: 200,
    headers: { ETag: tag },
    body: tag.repeat(length),
  });

  it('compresses a version once for each encoding', async () => {
    const compress = createCompression();
    const [one, same, other] = await Promise.all(
      ['gzip', 'gzip', 'br'].map((encoding) => compress(version('a'), encoding)),
    );
    expect(one?.body).toBe(same?.body);
    expect(other?.body).not.toEqual(one?.body);
  });

  it('never sends another version of a response from the cache', async () => {
    const compress = createCompression();
    const [one, other] = await Promise.all([compress(version('a'), 'br'), compress(version('b'), 'br')]);
    expect(one.body).not.toEqual(other.body);
  });

  it("doesn't compress a small response", async () => {
    const small = await createCompression()(version('a', 1_000), 'gzip');
    expect(small).toEqual({ ...version('a', 1_000), headers: { ETag: 'a', Vary: 'Accept-Encoding' } });
  });

  it('sends a response uncompressed if compression fails, and compresses it next time', async () => {
    const compress = createCompression();
    const whole = { ...version(failsOnce), headers: { ETag: failsOnce, Vary: 'Accept-Encoding' } };
    expect(await compress(version(failsOnce), 'gzip')).toEqual(whole);
    expect((await compress(version(failsOnce), 'gzip')).headers['Content-Encoding']).toBe('gzip');
  });

  it("adds the encoding to the response's Vary header", async () => {
    const response = { ...version('a'), headers: { ETag: 'a', Vary: 'Origin' } };
    for (const accepted of ['gzip', undefined])
      expect((await createCompression()(response, accepted)).headers.Vary).toBe('Origin, Accept-Encoding');
  });

  it('drops the oldest compressed responses', async () => {
    const compress = createCompression();
    const first = await compress(version('0'), 'gzip');
    for (let count = 1; count <= 256; count += 1) await compress(version(`${count}`), 'gzip');
    expect((await compress(version('0'), 'gzip')).body).not.toBe(first.body);
  });
});

describe('the catalogue of a server', () => {
  // The first is served by the fast path, the others by the router.
  it.each(['/games', '/games?x', '/games/mobile-legends', '/order/mobile-legends'])(
    'compresses the catalogue as the client asks: %s',
    async (path) => {
      await using server = await startSandbox({ TOPUP_READS_PER_MINUTE: '1000' });
      const get = (headers: Record<string, string>, method = 'GET') =>
        fetch(server.baseUrl + path, {
          method,
          headers: { 'X-API-KEY': server.sandboxKey ?? '', ...headers },
        });
      const whole = await get({ 'Accept-Encoding': 'identity' });
      const text = await whole.text();
      const tag = whole.headers.get('etag') ?? '';
      expect(whole.headers.get('content-encoding')).toBeNull();
      expect(whole.headers.get('vary')).toBe('Accept-Encoding');
      for (const encoding of ['gzip', 'br']) {
        const response = await get({ 'Accept-Encoding': encoding });
        expect(response.headers.get('content-encoding')).toBe(encoding);
        expect(Number(response.headers.get('content-length'))).toBeLessThan(text.length / 2);
        expect(response.headers.get('content-type')).toBe('application/json');
        expect(response.headers.get('vary')).toBe('Accept-Encoding');
        expect(response.headers.get('etag')).toBe(tag);
        expect(response.headers.get('ratelimit')).toMatch(/^"reads";r=\d+/);
        expect(await response.text()).toBe(text);
        const again = await get({ 'Accept-Encoding': encoding, 'If-None-Match': tag });
        expect([again.status, await again.text()]).toEqual([304, '']);
        for (const name of ['content-encoding', 'content-length', 'content-type'])
          expect(again.headers.get(name)).toBeNull();
        expect(again.headers.get('vary')).toBe('Accept-Encoding');
        const head = await get({ 'Accept-Encoding': encoding }, 'HEAD');
        expect([head.status, await head.text(), head.headers.get('etag')]).toEqual([200, '', tag]);
      }
      expect((await get({ 'If-None-Match': tag, 'X-API-KEY': 'wrong' })).status).toBe(401);
      const head = await get({ 'If-None-Match': tag }, 'HEAD');
      expect([head.status, head.headers.get('etag')]).toEqual([304, tag]);
    },
  );

  it("compresses only the catalogue, because other responses may combine a secret with a stranger's text", async () => {
    await using server = await startSandbox();
    const headers = {
      'X-API-KEY': server.sandboxKey ?? '',
      'Accept-Encoding': 'gzip, br',
      'Content-Type': 'application/json',
    };
    const order = await fetch(`${server.baseUrl}/order`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ ...fixtureOrder, nickname: 'x'.repeat(200) }),
    });
    const { orderId, data } = await order.json();
    const responses = [order];
    for (const url of [
      `${server.baseUrl}/invoice/${orderId}`,
      data.payment_url,
      `${server.publicUrl}/docs`,
      `${server.publicUrl}/openapi.json`,
      `${server.baseUrl}/games/nothing`,
    ])
      responses.push(await fetch(url, { headers }));
    for (const { headers, url } of responses)
      expect([url, headers.get('content-encoding'), headers.get('etag')]).toEqual([url, null, null]);
  });
});
