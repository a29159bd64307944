import { createMockService } from '@topup-kit/mock/in-process';
import { createTopupClient } from '@topup-kit/sdk';
import { afterEach, expect, it } from 'vitest';

const mock = createMockService();
const client = createTopupClient({
  baseUrl: mock.baseUrl,
  apiKey: mock.apiKey,
  fetch: mock.fetch,
  maxRetries: 0,
});
afterEach(() => mock.reset());

it('keeps a scenario active until it is cleared', async () => {
  mock.scenarios.use('maintenance');
  await expect(client.games.list()).rejects.toMatchObject({ status: 503 });
  mock.scenarios.clear();
  await expect(client.games.list()).resolves.toMatchObject({ success: true });
});

it('applies a scenario to one operation, and only to its next call', async () => {
  mock.scenarios.use('rate-limited', { operation: 'getGame', times: 1 });
  await expect(client.games.list()).resolves.toMatchObject({ success: true });
  await expect(client.games.get('mobile-legends')).rejects.toMatchObject({ status: 429 });
  await expect(client.games.get('mobile-legends')).resolves.toMatchObject({ success: true });
});

it('applies a scenario to a single request', async () => {
  const response = await mock.fetch(`${mock.baseUrl}/games`, {
    headers: { 'X-API-KEY': mock.apiKey, 'X-Topup-Scenario': 'maintenance' },
  });
  expect(response.status).toBe(503);
});
