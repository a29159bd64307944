import { type ConformanceCase, conformanceCases, runCase, type Target } from '@topup-kit/core/conformance';
import type { SetupServer } from 'msw/node';
import { afterAll, assert, beforeAll, describe, it, vi } from 'vitest';
import { crowded } from '../../core/test/helpers/crowded.ts';
import { createMockService, createTopupMock, type MockService } from '../src/index.ts';
import { mockGaps } from './browser/gaps.ts';

// The cases ask for what there is not, and the mock says so each time.
vi.spyOn(console, 'warn').mockImplementation(() => {});

/** One test a case, so that a failure has its name; a case among the gaps has to fail. */
function suite(target: Target, cases = conformanceCases): void {
  const verify = async (one: ConformanceCase): Promise<void> => {
    const { outcome, reason } = await runCase(one, target);
    assert(outcome === 'passed', reason);
  };
  for (const one of cases) {
    const test = Object.hasOwn(mockGaps, one.name) ? it.fails : it;
    test(one.name, { timeout: 60_000 }, () => verify(one));
  }
}

const targetOf = ({ baseUrl, apiKey, otherApiKey, orders, clock }: MockService): Omit<Target, 'fetch'> => ({
  baseUrl,
  apiKey,
  otherApiKey,
  sandbox: {
    act: async (orderId, action) => void (await orders[action](orderId)),
    advance: (by) => clock.advance(by),
  },
});

describe('conformance, in-process', () => {
  const mock = createMockService();
  suite({ ...targetOf(mock), fetch: mock.fetch });
});

describe('conformance, MSW in Node', () => {
  const mock = createTopupMock({ baseUrl: 'https://shop.test/api' });
  let server: SetupServer;
  beforeAll(async () => {
    server = await mock.server();
    server.listen({ onUnhandledFrame: 'error' });
  });
  afterAll(() => server.close());
  suite(
    { ...targetOf(mock), fetch: (input, init) => fetch(input, init) },
    conformanceCases.filter(({ name }) => name !== crowded),
  );
});
