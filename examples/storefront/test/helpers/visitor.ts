import { createRequire } from 'node:module';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** Waits until a text is visible on the page. */
export const expectText = (page: Page, text: string | RegExp) =>
  page.getByText(text).filter({ visible: true }).first().waitFor();

/** Finds the heading of the screen. */
export const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

/** Opens all parts that a phone shows folded. */
async function openFolds(page: Page): Promise<void> {
  await page.locator('.checkout').waitFor();
  for (const summary of (await page.locator('.fold:not([open]) > summary').all()).reverse())
    await summary.click();
}

/** Selects a card by its text. */
export const choose = (page: Page, name: string | RegExp) =>
  page
    .locator('label')
    .filter({ has: page.getByRole('radio', { name }) })
    .click();

/** Fills in the checkout of Mobile Legends: 86 Diamond, and QRIS unless `method` names another. */
export async function fillCheckout(page: Page, { method = /^QRIS (Gratis|Free)/ } = {}) {
  await page.getByLabel('User ID').fill('12345678');
  await page.getByLabel('Zone ID').fill('2012');
  await openFolds(page);
  await choose(page, /^86 Diamond/);
  await choose(page, method);
  await page.getByLabel('Nomor WhatsApp').fill('081234567890');
}

export const buy = (page: Page) => page.getByRole('button', { name: 'Beli sekarang' }).click();

/** Returns the id of the order on this screen. */
export const orderIdOf = (page: Page): string => decodeURIComponent(page.url().split('/').at(-1) ?? '');

/** Places the order of {@link fillCheckout}, and returns its id when the payment screen is shown. */
export async function placeOrder(page: Page, shop: { url: string }, options?: { method: RegExp }) {
  await page.goto(`${shop.url}#/games/mobile-legends`);
  await fillCheckout(page, options);
  await buy(page);
  await heading(page, 'Selesaikan pembayaran');
  return orderIdOf(page);
}

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Fails if axe finds a violation, light or dark, or if the screen scrolls horizontally. */
export async function expectAccessible(page: Page): Promise<void> {
  if (!(await page.evaluate('"axe" in window'))) await page.addScriptTag({ path: axePath });
  // The dark page differs from the light one only in its colours.
  for (const [colorScheme, rules] of [
    ['dark', '{ runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] } }'],
    ['light', '{}'],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    const violations: { id: string; nodes: { html: string }[] }[] = await page.evaluate(
      `axe.run(${rules}).then(({ violations }) => violations)`,
    );
    expect(
      violations.map(({ id, nodes }) => `${colorScheme}: ${id} ${nodes.map(({ html }) => html)}`),
    ).toEqual([]);
  }
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
}

/** Reads the text of the QR code in a picture of an element, as a phone would; undefined if it is unreadable. */
export const scanQr = async (page: Page, element: Locator): Promise<string | undefined> => {
  await page.addScriptTag({ path: createRequire(import.meta.url).resolve('jsqr') });
  return inPixels(page, element, 'jsQR(data, width, height)?.data');
};

/**
 * Measures the width of the white margin around a QR code, in modules of the code; ISO 18004 requires 4. The corner pattern at the top left
 * is 7 modules wide, which gives the size of a module. The edge of the picture is ignored, because it may be dark and round.
 */
export const quietZone = async (page: Page, qr: Locator): Promise<number> =>
  Number(
    await inPixels(
      page,
      qr,
      `(() => {
        const corner = 16;
        const isDark = (x, y) => data[(y * width + x) * 4] < 128;
        const row = (y) => Array.from({ length: Math.floor(width / 2) }, (_, x) => isDark(x, y));
        for (let y = corner; y < height; y += 1) {
          const start = row(y).indexOf(true, corner);
          if (start === -1) continue;
          // Two pixels further down, nothing is blurred.
          const end = row(y + 2).indexOf(false, start + 2);
          return Math.min(start, y) / ((end - start) / 7);
        }
        return 0;
      })()`,
    ),
  );

/** Returns the share of an element that is pure white, from 0 to 1. */
export const whitePart = async (page: Page, element: Locator): Promise<number> =>
  Number(
    await inPixels(
      page,
      element,
      '[...new Uint32Array(data.buffer)].filter((pixel) => pixel === 0xffffffff).length / (width * height)',
    ),
  );

/** Evaluates an expression of `data`, `width` and `height`, which are the pixels of an element as it is shown. */
async function inPixels<Value>(page: Page, element: Locator, expression: string): Promise<Value> {
  const screenshot = (await element.screenshot()).toString('base64');
  return page.evaluate(`(async () => {
    const bytes = Uint8Array.from(atob('${screenshot}'), (character) => character.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const canvas = new OffscreenCanvas(picture.width, picture.height).getContext('2d');
    canvas.drawImage(picture, 0, 0);
    const { data, width, height } = canvas.getImageData(0, 0, picture.width, picture.height);
    return ${expression};
  })()`);
}
