import { createMockService } from '@topup-kit/mock/in-process';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';

const mock = createMockService({ baseUrl: 'https://shop.test/api', auth: 'off' });
const server = setupServer(
  http.all(`${mock.baseUrl}/*`, ({ request }) => mock.fetch(request).catch(() => HttpResponse.error())),
);
beforeAll(() => server.listen());
afterEach(() => mock.reset());
afterAll(() => server.close());

it('responds to the global fetch', async () => {
  const response = await fetch('https://shop.test/api/games');
  expect(await response.json()).toMatchObject({ success: true });
});

it('fails like a broken network in the scenario offline', async () => {
  mock.scenarios.use('offline');
  await expect(fetch('https://shop.test/api/games')).rejects.toThrow(TypeError);
});
