import { createTopupMock } from '@topup-kit/mock';
import { setupServer } from 'msw/node';

/** The whole service. Each test of a file that imports it starts with fresh state. */
export const mock = createTopupMock({ baseUrl: 'https://shop.test/api', auth: 'off' });
export const server = setupServer(...mock.handlers);

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => {
  server.resetHandlers();
  mock.reset();
});
afterAll(() => server.close());
