import { conformanceCases, type Target } from '@topup-kit/core/conformance';
import { createTopupMock } from '@topup-kit/mock';
import { setupServer } from 'msw/node';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { useBrowser } from '../../../server/test/helpers/browser.ts';
import { startHttpTarget } from '../../../server/test/helpers/http-target.ts';
import { mockGaps } from './gaps.ts';
import { type Recorded, recordJourney } from './journey.ts';
import { mockTarget } from './mock-target.ts';
import { normalise } from './normalise.ts';
import type { Observed } from './observe.ts';
import { servePage } from './serve-page.ts';

const browser = useBrowser();

/** Milliseconds for the whole suite. */
const patience = 60_000;

/** The answers to the journey, without what differs from run to run. */
const journeyOver = async (target: Target): Promise<Recorded[]> =>
  normalise(await recordJourney(target), target.baseUrl);

async function inProcess(): Promise<Recorded[]> {
  const mock = createTopupMock();
  return journeyOver(mockTarget(mock, mock.fetch));
}

async function mswInNode(): Promise<Recorded[]> {
  const mock = createTopupMock({ baseUrl: 'https://shop.test/api' });
  const server = setupServer(...mock.handlers);
  server.listen({ onUnhandledFrame: 'error' });
  try {
    return await journeyOver(mockTarget(mock, (input, init) => fetch(input, init)));
  } finally {
    server.close();
  }
}

async function nodeHttp(): Promise<Recorded[]> {
  await using http = await startHttpTarget();
  return await journeyOver(http.target);
}

async function mswInChromium(): Promise<Observed> {
  await using served = await servePage('./page.ts');
  const { page, complaints } = await browser.open(served.url);
  const ended = page.waitForFunction<Observed>('globalThis.observed', undefined, { timeout: patience });
  const observed = await ended.catch((cause: unknown) => {
    throw new Error(`The page came to no end: ${complaints.join('\n')}`, { cause });
  });
  return observed.jsonValue();
}

describe('a whole journey is answered as in-process, ids and times aside', () => {
  let reference: Recorded[];
  beforeAll(async () => {
    // The journey asks for what isn't there, of which a mock warns its developer.
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    reference = await inProcess();
  });

  it.each([
    { host: 'MSW in Node', run: mswInNode },
    { host: 'Node HTTP', run: nodeHttp },
  ])('by $host', async ({ run }) => {
    expect(await run()).toEqual(reference);
  });

  // Which cases fail over the other hosts, the conformance tests of `mock` and `server` show.
  describe('by MSW in real Chromium,', () => {
    let observed: Observed;
    beforeAll(async () => {
      observed = await mswInChromium();
    }, patience);

    it('whose conformance has the gaps of a mock and no other', () => {
      const { results } = observed;
      const missed = results.filter(({ outcome }) => outcome !== 'passed');
      expect(missed).toEqual(
        Object.keys(mockGaps).map((name) => expect.objectContaining({ name, outcome: 'failed' })),
      );
      expect(results).toHaveLength(conformanceCases.length - 1);
    });

    it('too', () => {
      expect(normalise(observed.answers, observed.baseUrl)).toEqual(reference);
    });
  });
});
