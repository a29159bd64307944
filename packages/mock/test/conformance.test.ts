import { type ConformanceCase, conformanceCases, runCase, type Target } from '@topup-kit/core/conformance';
import type { SetupServer } from 'msw/node';
import { afterAll, assert, beforeAll, describe, it, vi } from 'vitest';
import { createMockService, createTopupMock, type MockService } from '../src/index.ts';
import { mockGaps } from './browser/gaps.ts';

// Some cases request paths that don't exist, and the mock logs a warning for each.
vi.spyOn(console, 'warn').mockImplementation(() => {});

/** Registers one test for each case, with its name. A case among the gaps must fail. */
function suite(target: Target, gaps: Record<string, string> = {}): void {
  const verify = async (one: ConformanceCase): Promise<void> => {
    const { outcome, reason } = await runCase(one, target);
    assert(outcome === 'passed', reason);
  };
  for (const one of conformanceCases) {
    const test = Object.hasOwn(gaps, one.name) ? it.fails : it;
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
  suite({ ...targetOf(mock), fetch: mock.fetch }, mockGaps);
});

describe('conformance, MSW in Node', () => {
  const mock = createTopupMock({ baseUrl: 'https://shop.test/api' });
  let server: SetupServer;
  beforeAll(async () => {
    server = await mock.server();
    server.listen({ onUnhandledFrame: 'error' });
  });
  afterAll(() => server.close());
  suite({ ...targetOf(mock), fetch: (input, init) => fetch(input, init) }, mockGaps);
});
