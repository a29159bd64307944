import { describe, expect, it } from 'vitest';
import { isInterfacePath } from '../src/app/index.ts';
import { interfaceOnlyDialect, sandboxKey } from '../src/contract/index.ts';
import { createTestService } from './helpers/test-service.ts';

async function send(basePath: string, path: string): Promise<Response> {
  const { app } = await createTestService({ settings: { basePath, dialect: interfaceOnlyDialect } });
  const headers = { 'X-API-KEY': sandboxKey, Accept: 'application/json' };
  return app.fetch(new Request(`http://localhost${path}`, { headers }));
}

describe('the paths where a dialect applies', () => {
  it.each(['/sandbox', '/pay', '/assets', '/health', '/docs', '/pay/v1'])(
    'applies the dialect to paths below %s',
    async (basePath) => {
      const response = await send(basePath, `${basePath}/games`);
      expect([response.status, response.headers.get('X-Request-Id')]).toEqual([200, null]);
    },
  );

  it("applies the dialect at the root, except to this kit's own routes", async () => {
    expect((await send('', '/games')).headers.has('X-Request-Id')).toBe(false);
    expect((await send('', '/health')).headers.has('X-Request-Id')).toBe(true);
  });

  it.each([
    ['/', false],
    ['/livez', false],
    ['/readyz', false],
    ['/metrics', false],
    ['/docs', false],
    ['/openapi.json', false],
    ['/sandbox/reset', false],
    ['/callback/paygate', false],
    ['/depot/webhook', false],
    ['/games/webhook', true],
    ['/healthy', true],
    ['/nothing', true],
  ])('applies the dialect at the root: %s %s', (path, expected) => {
    expect(isInterfacePath(path, '')).toBe(expected);
  });
});
