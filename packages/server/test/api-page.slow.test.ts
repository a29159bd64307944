import { expect, it } from 'vitest';
import { axeViolations, useBrowser } from './helpers/browser.ts';

const { open, startSandbox } = useBrowser();

it.each([360, 1280])(
  'the API page has no accessibility violations at %i pixels, light and dark',
  async (width) => {
    await using server = await startSandbox();
    const { page } = await open(`${server.publicUrl}/docs`, {
      bypassCSP: true,
      viewport: { width, height: 740 },
    });
    expect(await axeViolations(page)).toEqual([]);
  },
);
