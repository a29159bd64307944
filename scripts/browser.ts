import packagedChromium from '@sparticuz/chromium';
import { type BrowserServer, chromium } from 'playwright-core';

/** Flags that keep the browser from requesting anything outside this machine. */
const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];

/**
 * Flags of the packaged browser that a test must not have: a single process for all pages crashes when a page closes, and a test must
 * reject whatever a real browser would reject.
 */
const unwanted = [
  '--single-process',
  '--no-zygote',
  '--disable-web-security',
  '--allow-running-insecure-content',
];

/** Launches real Chromium: the one that TOPUP_TEST_CHROMIUM names, or the one from the npm registry. */
export async function launchBrowser(): Promise<BrowserServer> {
  // Software WebGL needs most of the time, and no page of ours uses it.
  packagedChromium.setGraphicsMode = false;
  return chromium.launchServer({
    executablePath: process.env.TOPUP_TEST_CHROMIUM ?? (await packagedChromium.executablePath()),
    args: [...packagedChromium.args.filter((flag) => !unwanted.includes(flag)), ...quiet],
    headless: true,
    host: '127.0.0.1',
  });
}
