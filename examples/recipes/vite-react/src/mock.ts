import { createTopupMock } from '@topup-kit/mock';
import { setupWorker } from 'msw/browser';

const mock = createTopupMock({ baseUrl: '/api', auth: 'off' });

/** Answers the page's requests to `/api` from here on; all others go their way. */
export async function startMock(): Promise<void> {
  await setupWorker(...mock.handlers).start({ quiet: true, onUnhandledFrame: 'bypass' });
}
