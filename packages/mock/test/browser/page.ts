/** What runs in the page: the service behind a service worker, and the suite in front of it. */
import { createTopupMock } from '@topup-kit/mock';
import { setupWorker } from 'msw/browser';
import { mockTarget } from './mock-target.ts';
import { observe } from './observe.ts';

const mock = createTopupMock({ baseUrl: '/api' });
await setupWorker(...mock.handlers).start({ quiet: true, onUnhandledFrame: 'error' });
const target = mockTarget(mock, (input, init) => fetch(input, init));
const observed = await observe(target, { conformance: location.hash === '#conformance' });
Object.assign(globalThis, { observed });
