import type { ConformanceTarget } from '@topup-kit/conformance';
import { createTopupMock } from '@topup-kit/mock';
import { setupServer } from 'msw/node';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { useBrowser } from '../../../server/test/helpers/browser.ts';
import { startHttpTarget } from '../../../server/test/helpers/http-target.ts';
import { type Recorded, recordJourney } from './journey.ts';
import { mockTarget } from './mock-target.ts';
import { mswInChromium } from './msw-in-chromium.ts';
import { normalise } from './normalise.ts';

const browser = useBrowser();

/** The answers to the journey, without what differs from run to run. */
const journeyOver = async (target: ConformanceTarget): Promise<Recorded[]> =>
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

describe('a whole journey gets the same responses as in-process, except ids and times', () => {
  let reference: Recorded[];
  beforeAll(async () => {
    // The journey asks for what isn't there, of which a mock warns its developer.
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    reference = await inProcess();
  });

  it.each([
    { host: 'MSW in Node', run: mswInNode },
    { host: 'Node HTTP', run: nodeHttp },
  ])('responds to a whole journey through $host as in-process, except ids and times', async ({ run }) => {
    expect(await run()).toEqual(reference);
  });

  // parity.slow.test.ts runs the conformance suite there.
  it('responds to a whole journey through MSW in real Chromium as in-process, except ids and times', async () => {
    const { answers, baseUrl } = await mswInChromium(browser, '');
    expect(normalise(answers, baseUrl)).toEqual(reference);
  });
});
