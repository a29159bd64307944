import { describe, expect, it } from 'vitest';
import { interfaceOnly } from '../src/contract/index.ts';
import { sandboxKey } from '../src/engine/index.ts';
import { createTestService } from './helpers/test-service.ts';

async function ask(basePath: string, path: string): Promise<Response> {
  const { app } = await createTestService({ settings: { basePath, dialect: interfaceOnly } });
  const headers = { 'X-API-KEY': sandboxKey, Accept: 'application/json' };
  return app.fetch(new Request(`http://localhost${path}`, { headers }));
}

describe('where a dialect is spoken', () => {
  it.each(['/sandbox', '/pay', '/assets', '/health', '/docs', '/pay/v1'])('is below %s', async (basePath) => {
    const response = await ask(basePath, `${basePath}/games`);
    expect([response.status, response.headers.get('X-Request-Id')]).toEqual([200, null]);
  });

  it('is at the root, but for what this kit serves beside the interface', async () => {
    expect((await ask('', '/games')).headers.has('X-Request-Id')).toBe(false);
    expect((await ask('', '/health')).headers.has('X-Request-Id')).toBe(true);
  });
});
