import type { Page } from 'playwright-core';

/**
 * Gives a page a clipboard of its own until it is left: a browser has one for all pages, which tests share. Returns what
 * reads the text that the page wrote last.
 */
export async function ownClipboard(page: Page): Promise<() => Promise<string | null>> {
  await page.evaluate(`
    window.copied = null;
    navigator.clipboard.writeText = async (text) => { window.copied = text; };`);
  return () => page.evaluate<string | null>('window.copied');
}
