/** What runs in the page: a mock that survives a reload, behind a service worker. */
import { createTopupMock } from '@topup-kit/mock';

const mock = createTopupMock({ baseUrl: '/api', persist: 'session' });
const worker = await mock.worker();
await worker.start({ quiet: true, onUnhandledFrame: 'bypass' });
Object.assign(globalThis, { mock });
