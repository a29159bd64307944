import type { useBrowser } from '../../../server/test/helpers/browser.ts';
import type { Observed } from './observe.ts';
import { servePage } from './serve-page.ts';

/** Milliseconds for the whole suite. */
const patience = 60_000;

/** What a page of a browser observes of a mock behind a service worker. */
export async function mswInChromium(
  browser: ReturnType<typeof useBrowser>,
  hash: '' | '#conformance',
): Promise<Observed> {
  await using served = await servePage('./page.ts');
  const { page, complaints } = await browser.open(served.url + hash);
  const ended = page.waitForFunction<Observed>('globalThis.observed', undefined, { timeout: patience });
  const observed = await ended.catch((cause: unknown) => {
    throw new Error(`The page came to no end: ${complaints.join('\n')}`, { cause });
  });
  return observed.jsonValue();
}
