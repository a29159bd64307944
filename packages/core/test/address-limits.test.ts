import { describe, expect, it } from 'vitest';
import { defaultLimits } from '../src/app/index.ts';
import { createTestService } from './helpers/test-service.ts';

const startService = (readsPerMinute: number) =>
  createTestService({ settings: { limits: { ...defaultLimits, readsPerMinute, ordersPerMinute: 0 } } });

type Service = Awaited<ReturnType<typeof startService>>;

const statusOf = async ({ app }: Service, path: string, address = '192.0.2.7', key?: string) => {
  const headers = new Headers(key === undefined ? {} : { 'X-API-KEY': key });
  const response = await app.fetch(new Request(`http://localhost${path}`, { headers }), {
    address,
    direct: false,
  });
  return response.status;
};

const statuses = async (service: Service, path: string, key?: string) => [
  await statusOf(service, path, undefined, key),
  await statusOf(service, path, undefined, key),
  await statusOf(service, path, undefined, key),
];

describe('requests without a valid key', () => {
  it.each([
    ['wrong keys', '/api/games', 401, 'wrong'],
    ['no key', '/api/games', 401, undefined],
    ['wrong keys of unknown routes', '/api/nothing', 401, 'wrong'],
    ['unknown routes outside the interface', '/nothing', 404, undefined],
    ['states of payments', '/pay/nobody/status', 404, undefined],
    ['QR codes', '/pay/nobody/qr.svg', 404, undefined],
    ['pictures', '/assets/games/mobile-legends.svg', 200, undefined],
    ['unknown pictures', '/assets/games/none.svg', 404, undefined],
    ['the OpenAPI document', '/openapi.json', 200, undefined],
  ])('limits %s by address', async (_, path, status, key) => {
    const service = await startService(2);
    expect(await statuses(service, path, key)).toEqual([status, status, 429]);
    expect(await statusOf(service, path, '192.0.2.8', key)).toBe(status);
    service.clock.now += 60_000;
    expect(await statusOf(service, path, undefined, key)).toBe(status);
  });

  it('limits unknown routes with a key by address', async () => {
    const service = await startService(2);
    const key = await service.keyOf('shop');
    expect(await statuses(service, '/api/nothing', key)).toEqual([404, 404, 429]);
  });

  it('limits revoked and expired keys by address, like unknown keys', async () => {
    const service = await startService(2);
    const expired = await service.keyOf('old', undefined, service.clock.now);
    const revoked = await service.keyOf('shop');
    for (const { keyId } of await service.store.listKeys()) await service.store.revokeKey(keyId, 1);
    expect(await statuses(service, '/api/games', expired)).toEqual([401, 401, 429]);
    expect(await statusOf(service, '/api/games', undefined, revoked)).toBe(429);
  });

  it('limits each kind of request separately, and never a valid key', async () => {
    const service = await startService(2);
    const key = await service.keyOf('shop');
    await statuses(service, '/api/games', 'wrong');
    await statuses(service, '/pay/nobody/status');
    expect(await statusOf(service, '/assets/games/mobile-legends.svg')).toBe(200);
    expect(await statusOf(service, '/nothing')).toBe(404);
    expect(await statusOf(service, '/api/games', undefined, key)).toBe(200);
  });

  it('limits all addresses of an IPv6 network together', async () => {
    const service = await startService(2);
    const at = (address: string) => statusOf(service, '/nothing', address);
    expect([await at('2001:db8::1'), await at('2001:db8::2'), await at('2001:db8:0:0:f::3')]).toEqual([
      404, 404, 429,
    ]);
    expect(await at('2001:db8:0:1::1')).toBe(404);
  });

  it('limits all addresses of an IPv6 network together, even for a valid key', async () => {
    const service = await startService(2);
    const key = await service.keyOf('shop');
    const at = (address: string) => statusOf(service, '/api/games', address, key);
    expect([await at('2001:db8::1'), await at('2001:db8::2'), await at('2001:db8:0:0:f::3')]).toEqual([
      200, 200, 429,
    ]);
    expect(await at('2001:db8:0:1::1')).toBe(200);
  });

  it('responds to an exceeded address limit like any other limit', async () => {
    const service = await startService(1);
    await service.get('/games', { key: 'wrong' });
    const { status, json, headers } = await service.get('/games', { key: 'wrong' });
    expect([status, json]).toEqual([429, { message: 'Too Many Attempts.' }]);
    expect(headers.get('Retry-After')).toBe('60');
    expect(headers.get('X-Error-Code')).toBe('RATE_LIMITED');
  });

  it('has no limit by address in a sandbox', async () => {
    const service = await startService(0);
    expect(await statuses(service, '/api/games', 'wrong')).toEqual([401, 401, 401]);
    expect(await statuses(service, '/nothing')).toEqual([404, 404, 404]);
  });

  it('never limits health checks', async () => {
    const service = await startService(1);
    expect(await statuses(service, '/health')).toEqual([200, 200, 200]);
  });
});

describe('headers', () => {
  it('forbids shared caches to store the QR code of a payment', async () => {
    const service = await startService(0);
    const { json } = await service.order();
    const response = await service.app.fetch(new Request(json.data.qr_url));
    expect(response.headers.get('Content-Type')).toBe('image/svg+xml');
    expect(response.headers.get('Cache-Control')).toMatch(/^(private|no-store)\b/);
  });

  it.each([
    '/api/games',
    '/api/games?x=1',
    '/api/games/mobile-legends',
    '/api/nothing',
    '/health',
    '/openapi.json',
    '/sandbox',
    '/nothing',
    '/pay/nobody/status',
  ])('forbids browsers to guess that JSON has another type: %s', async (path) => {
    const { app, keyOf } = await startService(0);
    for (const key of [await keyOf('sandbox'), 'wrong']) {
      const response = await app.fetch(
        new Request(`http://localhost${path}`, { headers: { 'X-API-KEY': key } }),
      );
      expect(response.headers.get('Content-Type')).toBe('application/json');
      expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
    }
  });
});
