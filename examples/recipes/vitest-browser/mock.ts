import { createTopupMock } from '@topup-kit/mock';
import { setupWorker } from 'msw/browser';
import { afterAll, afterEach, beforeAll } from 'vitest';

/** The whole service, in the page of the tests. Each test of a file that imports it starts with fresh state. */
export const mock = createTopupMock({ baseUrl: '/api', auth: 'off' });
export const worker = setupWorker(...mock.handlers);

// Vitest's own requests go to the network.
beforeAll(() => worker.start({ quiet: true, onUnhandledFrame: 'bypass' }));
afterEach(() => {
  worker.resetHandlers();
  mock.reset();
});
afterAll(() => worker.stop());
