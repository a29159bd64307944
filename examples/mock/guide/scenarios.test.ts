import { createTopupMock } from '@topup-kit/mock';
import { createTopupClient } from '@topup-kit/sdk';
import { afterEach, expect, it } from 'vitest';

const mock = createTopupMock();
const client = createTopupClient({
  baseUrl: mock.baseUrl,
  apiKey: mock.apiKey,
  fetch: mock.fetch,
  maxRetries: 0,
});
afterEach(() => mock.reset());

it('is on until it is cleared', async () => {
  mock.scenarios.use('maintenance');
  await expect(client.games.list()).rejects.toMatchObject({ status: 503 });
  mock.scenarios.clear();
  await expect(client.games.list()).resolves.toMatchObject({ success: true });
});

it('is on for one operation, and for the next call alone', async () => {
  mock.scenarios.use('rate-limited', { operation: 'getGame', times: 1 });
  await expect(client.games.list()).resolves.toMatchObject({ success: true });
  await expect(client.games.get('mobile-legends')).rejects.toMatchObject({ status: 429 });
  await expect(client.games.get('mobile-legends')).resolves.toMatchObject({ success: true });
});

it('is asked for by one request', async () => {
  const answer = await mock.fetch(`${mock.baseUrl}/games`, {
    headers: { 'X-API-KEY': mock.apiKey, 'X-Topup-Scenario': 'maintenance' },
  });
  expect(answer.status).toBe(503);
});
