import { createTopupMock } from '@topup-kit/mock';
import { setupWorker } from 'msw/browser';

const mock = createTopupMock({ baseUrl: '/api', auth: 'off' });

/** Starts the mock, which then responds to the page's requests to `/api`. All other requests go to the network. */
export async function startMock(): Promise<void> {
  await setupWorker(...mock.handlers).start({ quiet: true, onUnhandledFrame: 'bypass' });
}
