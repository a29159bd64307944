import packagedChromium from '@sparticuz/chromium';
import { type BrowserServer, chromium } from 'playwright-core';

/** Keeps the browser from looking for anything outside this machine. */
const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];

/**
 * Flags of the packaged browser that a test must not have: one process for all pages makes it fall over when a page
 * closes, and what a real browser would refuse must be refused.
 */
const unwanted = [
  '--single-process',
  '--no-zygote',
  '--disable-web-security',
  '--allow-running-insecure-content',
];

/** Real Chromium: the one that TOPUP_TEST_CHROMIUM names, else the one from the npm registry. */
export async function launchBrowser(): Promise<BrowserServer> {
  // Software WebGL, which no page of ours has, costs most of the time.
  packagedChromium.setGraphicsMode = false;
  return chromium.launchServer({
    executablePath: process.env.TOPUP_TEST_CHROMIUM ?? (await packagedChromium.executablePath()),
    args: [...packagedChromium.args.filter((flag) => !unwanted.includes(flag)), ...quiet],
    headless: true,
    host: '127.0.0.1',
  });
}
