import { createTopupMock } from '@topup-kit/mock';
import { setupServer } from 'msw/node';

/** The whole service. Each test of a file that imports it starts with fresh state. */
export const mock = createTopupMock({ baseUrl: 'https://shop.test/api', auth: 'off' });
export const server = setupServer(...mock.handlers);

// The option has one name in MSW 3, and the other in MSW 2, which npm installs on Node 20.
const strict = { onUnhandledFrame: 'error', onUnhandledRequest: 'error' };
beforeAll(() => server.listen(strict));
afterEach(() => {
  server.resetHandlers();
  mock.reset();
});
afterAll(() => server.close());
