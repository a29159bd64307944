import packagedChromium from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';

/** Keeps the browser from looking for anything outside this machine. */
const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];

/** Real Chromium: the one that TOPUP_TEST_CHROMIUM names, else the one from the npm registry. */
export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.TOPUP_TEST_CHROMIUM ?? (await packagedChromium.executablePath()),
    args: [...packagedChromium.args, ...quiet],
    headless: true,
  });
}
