import { createTopupMock, forEachDialect } from '@topup-kit/mock';
import { createTopupClient } from '@topup-kit/sdk';
import { expect, it } from 'vitest';

forEachDialect((createMock, name) => {
  it(`lists the games of a service that uses the dialect ${name}`, async () => {
    const mock = createMock();
    const client = createTopupClient({ baseUrl: mock.baseUrl, apiKey: mock.apiKey, fetch: mock.fetch });
    const { games } = await client.games.list();
    expect(games.length).toBeGreaterThan(0);
    expect(mock.portability().portable).toBe(true);
  });
});

it('reports the extensions that the app uses', async () => {
  const mock = createTopupMock();
  const client = createTopupClient({ baseUrl: mock.baseUrl, apiKey: mock.apiKey, fetch: mock.fetch });
  await client.games.get('mobile-legends');
  expect(mock.portability()).toEqual({
    portable: false,
    calls: 1,
    findings: [{ kind: 'route', name: 'GET /games/{slug}', elsewhere: 'needed', calls: 1 }],
  });
});
