import { createTopupMock } from '@topup-kit/mock';
import { setupServer } from 'msw/node';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { useBrowser } from '../../../server/test/helpers/browser.ts';
import { startHttpTarget } from '../../../server/test/helpers/http-target.ts';
import { mockGaps } from './gaps.ts';
import { mockTarget } from './mock-target.ts';
import { normalise } from './normalise.ts';
import { type Observed, observe } from './observe.ts';
import { servePage } from './serve-page.ts';

const browser = useBrowser();

/** Milliseconds for the whole suite; one of its cases places a thousand orders. */
const timeoutMs = 60_000;

async function inProcess(): Promise<Observed> {
  const mock = createTopupMock();
  return observe(mockTarget(mock, mock.fetch));
}

async function mswInNode(): Promise<Observed> {
  const mock = createTopupMock({ baseUrl: 'https://shop.test/api' });
  const server = setupServer(...mock.handlers);
  server.listen({ onUnhandledFrame: 'error' });
  try {
    return await observe(mockTarget(mock, (input, init) => fetch(input, init)));
  } finally {
    server.close();
  }
}

async function mswInChromium(): Promise<Observed> {
  await using served = await servePage('./page.ts');
  const { page, complaints } = await browser.open(served.url);
  const ended = page.waitForFunction<Observed>('globalThis.observed', undefined, { timeout: timeoutMs });
  const observed = await ended.catch((cause: unknown) => {
    throw new Error(`The page did not finish: ${complaints.join('\n')}`, { cause });
  });
  return observed.jsonValue();
}

async function nodeHttp(): Promise<Observed> {
  await using http = await startHttpTarget();
  return await observe(http.target);
}

const failed = ({ results }: Observed): Record<string, string | undefined> =>
  Object.fromEntries(
    results.filter(({ outcome }) => outcome === 'failed').map(({ name, reason }) => [name, reason]),
  );
const outcomes = ({ results }: Observed) => results.map(({ name, outcome }) => `${outcome}: ${name}`);
const responses = (observed: Observed) => normalise(observed.responses, observed.baseUrl);

describe('parity with in-process', () => {
  let reference: Observed;
  beforeAll(async () => {
    // Some cases request paths that don't exist, and a mock logs a warning for each.
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    reference = await inProcess();
  }, timeoutMs);

  it('in-process itself fails only the known gaps', () => {
    expect(Object.keys(failed(reference))).toEqual(Object.keys(mockGaps));
  });

  describe.each([
    { host: 'MSW in Node', run: mswInNode, gaps: mockGaps },
    { host: 'MSW in real Chromium', run: mswInChromium, gaps: mockGaps },
    { host: 'Node HTTP', run: nodeHttp, gaps: {} },
  ])('$host', ({ run, gaps }) => {
    let observed: Observed;
    beforeAll(async () => {
      observed = await run();
    }, timeoutMs);

    it('fails only its known gaps', () => {
      expect(Object.keys(failed(observed)), JSON.stringify(failed(observed))).toEqual(Object.keys(gaps));
    });

    it('has the same outcome of every case as in-process, except the gaps', () => {
      const without = (all: string[]) =>
        all.filter((line) => !Object.keys(mockGaps).some((gap) => line.endsWith(gap)));
      expect(without(outcomes(observed))).toEqual(without(outcomes(reference)));
    });

    it('has the same responses in a whole journey as in-process, except ids and times', () => {
      expect(responses(observed)).toEqual(responses(reference));
    });
  });
});
