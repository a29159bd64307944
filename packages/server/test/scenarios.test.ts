import { expect, it } from 'vitest';
import type { RunningServer } from '../src/index.ts';
import { startLiveShop } from './helpers/live-shop.ts';
import { startLogged } from './helpers/log.ts';
import { fixtureOrder, startSandbox } from './helpers/sandbox.ts';

const scenarioHeader = (name: string) => ({ 'X-Topup-Scenario': name });

const ask = (server: RunningServer, headers: Record<string, string> = {}, body?: object) =>
  fetch(`${server.baseUrl}/${body ? 'order' : 'games'}`, {
    headers: { 'X-API-KEY': server.sandboxKey ?? '', 'Content-Type': 'application/json', ...headers },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });

it('offline cuts the connection of a single request', async () => {
  await using server = await startSandbox();
  for (const body of [undefined, fixtureOrder])
    await expect(ask(server, scenarioHeader('offline'), body)).rejects.toMatchObject({
      message: 'fetch failed',
      cause: { code: 'UND_ERR_SOCKET' },
    });
  expect((await ask(server)).status).toBe(200);
});

it('offline is logged as an action of the sandbox', async () => {
  const { server, request } = await startLogged();
  await using _closed = server;
  await ask(server, { ...scenarioHeader('offline'), 'X-Request-Id': 'cut-1' }).catch(() => {});
  expect(await request('cut-1')).toMatchObject({
    operation: 'listGames',
    status: 0,
    msg: 'the sandbox cut the connection',
  });
});

it('maintenance and rate-limited look like normal responses', async () => {
  await using server = await startSandbox();
  const maintenance = await ask(server, scenarioHeader('maintenance'));
  expect([maintenance.status, maintenance.headers.get('Retry-After')]).toEqual([503, '1']);
  const limited = await ask(server, scenarioHeader('rate-limited'));
  expect([limited.status, limited.headers.get('Retry-After')]).toEqual([429, '1']);
});

it('lets a page of another origin send the scenario header to a sandbox', async () => {
  const origin = 'https://shop.example';
  await using server = await startSandbox({ TOPUP_CORS_ORIGINS: origin });
  const preflight = await fetch(`${server.baseUrl}/games`, {
    method: 'OPTIONS',
    headers: { Origin: origin, 'Access-Control-Request-Method': 'GET' },
  });
  expect(preflight.headers.get('Access-Control-Allow-Headers')).toContain('X-Topup-Scenario');
});

it.each(['maintenance', 'offline', 'rain'])('ignores the scenario header in live mode: %s', async (name) => {
  await using shop = await startLiveShop();
  const response = await fetch(`${shop.server.baseUrl}/games`, {
    headers: { 'X-API-KEY': shop.key, ...scenarioHeader(name) },
  });
  expect(response.status).toBe(200);
});
