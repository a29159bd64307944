import { interfaceOnlyDialect, sandboxKey } from '@topup-kit/core/contract';
import { expect, it } from 'vitest';
import { startSandbox } from './helpers/sandbox.ts';

const key = { 'X-API-KEY': sandboxKey };
const json = { ...key, Accept: 'application/json' };

it('uses the given dialect, even in the prepared list of games', async () => {
  await using server = await startSandbox({}, { dialect: interfaceOnlyDialect });
  const ask = (path: string, headers: Record<string, string>) => fetch(server.baseUrl + path, { headers });

  const list = await ask('/games', json);
  expect(list.status).toBe(200);
  expect(
    [...list.headers.keys()].filter((name) => /^x-(?!content-type-options)|idempotency|ratelimit/.test(name)),
  ).toEqual([]);
  // Interface 4: Accept is required.
  expect((await ask('/games', { ...key, Accept: '*/*' })).ok).toBe(false);
  expect((await ask('/games/mobile-legends', json)).status).toBe(404);
});

it("uses the kit's dialect by default", async () => {
  await using server = await startSandbox();

  const game = await fetch(`${server.baseUrl}/games/mobile-legends`, { headers: key });

  expect(game.status).toBe(200);
  expect(game.headers.get('X-Request-Id')).toMatch(/^req_/);
});
