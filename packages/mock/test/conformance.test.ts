import { type ConformanceCase, conformanceCases, runCase, type Target } from '@topup-kit/core/conformance';
import { setupServer } from 'msw/node';
import { afterAll, assert, beforeAll, describe, it } from 'vitest';
import { createMockService, createTopupMock } from '../src/index.ts';

/** One test a case, so that a failure has its name; a case among the gaps has to fail. */
function suite(target: Target, gaps: Record<string, string> = {}): void {
  const verify = async (one: ConformanceCase, skip: (reason?: string) => void): Promise<void> => {
    const { outcome, reason } = await runCase(one, target);
    if (outcome === 'skipped') skip(reason);
    assert(outcome !== 'failed', reason);
  };
  for (const one of conformanceCases) {
    const test = Object.hasOwn(gaps, one.name) ? it.fails : it;
    test(one.name, { timeout: 60_000 }, ({ skip }) => verify(one, skip));
  }
}

const page = "a mock shows no page: its payment_url is the app's to choose";

/** Where a mock falls short of a server. */
const mockGaps: Record<string, string> = {
  'keys (extension): the payment page opens without a key, and shows no phone and no e-mail': page,
};

describe('conformance, in-process', () => {
  const { baseUrl, apiKey, fetch } = createMockService();
  suite({ baseUrl, apiKey, fetch }, mockGaps);
});

describe('conformance, MSW in Node', () => {
  const { baseUrl, apiKey, handlers } = createTopupMock({ baseUrl: 'https://shop.test/api' });
  const server = setupServer(...handlers);
  beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
  afterAll(() => server.close());
  suite({ baseUrl, apiKey, fetch: (input, init) => fetch(input, init) }, mockGaps);
});
