import { conformanceCases } from '@topup-kit/conformance';
import { expect, it } from 'vitest';
import { useBrowser } from '../../../server/test/helpers/browser.ts';
import { mockGaps } from './gaps.ts';
import { mswInChromium } from './msw-in-chromium.ts';

const browser = useBrowser();

// Which cases fail over the other hosts, the conformance tests of `mock` and `server` show.
it('conforms over MSW in real Chromium except for the known gaps of a mock', {
  timeout: 70_000,
}, async () => {
  const { results } = await mswInChromium(browser, '#conformance');
  const missed = results.filter(({ outcome }) => outcome !== 'passed');
  expect(missed).toEqual(
    Object.keys(mockGaps).map((name) => expect.objectContaining({ name, outcome: 'failed' })),
  );
  expect(results).toHaveLength(conformanceCases.length - 1);
});
