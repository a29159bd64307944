import { expect, it } from 'vitest';
import { axeViolations, useBrowser } from './helpers/browser.ts';

const { open, startSandbox } = useBrowser();

it.each([
  [360, 'contents'],
  [360, 'createOrder'],
  [1280, 'order.failed'],
  [1280, 'sandbox-scenario'],
])(
  'the API page has no accessibility violations at %i pixels, light and dark, with all of %s unfolded',
  async (width, id) => {
    await using server = await startSandbox();
    const { page } = await open(`${server.publicUrl}/docs#${id}`, {
      bypassCSP: true,
      viewport: { width, height: 740 },
    });
    await page.locator(':target details, nav details').evaluateAll((all) => {
      for (const one of all) one.setAttribute('open', '');
    });
    expect(await axeViolations(page)).toEqual([]);
  },
);
