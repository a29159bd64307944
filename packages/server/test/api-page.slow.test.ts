import { expect, it } from 'vitest';
import { axeViolations, useBrowser } from './helpers/browser.ts';
import { startSandbox } from './helpers/sandbox.ts';

const { open } = useBrowser();

// The phone width is checked by `pnpm test`.
it('the API page has no accessibility violations on a desktop screen, light and dark', async () => {
  await using server = await startSandbox();
  const { page } = await open(`${server.publicUrl}/docs`, {
    bypassCSP: true,
    viewport: { width: 1280, height: 740 },
  });
  expect(await axeViolations(page)).toEqual([]);
});
