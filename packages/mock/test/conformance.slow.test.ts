import type { SetupServer } from 'msw/node';
import { afterAll, beforeAll, describe } from 'vitest';
import { createTopupMock } from '../src/index.ts';
import { mockTarget } from './browser/mock-target.ts';
import { conformanceSuite } from './helpers/conformance-suite.ts';

describe('conformance, MSW in Node', () => {
  const mock = createTopupMock({ baseUrl: 'https://shop.test/api' });
  let server: SetupServer;
  beforeAll(async () => {
    server = await mock.server();
    server.listen({ onUnhandledFrame: 'error' });
  });
  afterAll(() => server.close());
  conformanceSuite(mockTarget(mock, (input, init) => fetch(input, init)));
});
