import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { freePort } from '../../test/free-port.ts';
import { launchBrowser } from '../browser.ts';
import { picturesFolder } from '../pictures.ts';

/** Starts the example shop on the mock, and returns its address. */
async function startShop(port: number) {
  const vite = join('node_modules', 'vite', 'bin', 'vite.js');
  const child = spawn(
    process.execPath,
    [
      '--conditions=@topup-kit/source',
      vite,
      '--configLoader',
      'native',
      '--host',
      '127.0.0.1',
      '--port',
      `${port}`,
    ],
    { cwd: join(import.meta.dirname, '../../examples/storefront'), stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await once(child.stdout, 'data');
  return {
    address: `http://127.0.0.1:${port}/`,
    async [Symbol.asyncDispose]() {
      child.kill();
      await once(child, 'exit');
    },
  };
}

/** Takes the picture of the shop for README: an order that waits for its payment, with the drawer of the sandbox open. */
export async function takeShopPicture(): Promise<void> {
  await using shop = await startShop(await freePort());
  const launched = await launchBrowser();
  try {
    const browser = await chromium.connect(launched.wsEndpoint());
    const context = await browser.newContext({
      viewport: { width: 1200, height: 900 },
      colorScheme: 'light',
      locale: 'en',
    });
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(`${shop.address}#/games/mobile-legends`);
    await page.getByLabel('User ID').fill('12345678');
    await page.getByLabel('Zone ID').fill('2012');
    await page.getByText('86 Diamond').click();
    await page
      .locator('label')
      .filter({ has: page.getByRole('radio', { name: /^QRIS Free/ }) })
      .click();
    await page.getByLabel('WhatsApp number').fill('081234567890');
    await page.getByRole('button', { name: 'Buy now' }).click();
    await page.getByRole('heading', { name: 'Complete your payment' }).waitFor();
    await page.getByAltText('QR code').evaluate((code: HTMLImageElement) => code.decode());
    await page.getByRole('button', { name: 'Sandbox' }).click();
    await page.screenshot({ path: join(picturesFolder, 'shop.png') });
    await browser.close();
  } finally {
    await launched.close();
  }
}
