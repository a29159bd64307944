import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import packagedChromium from '@sparticuz/chromium';
import { expect, it } from 'vitest';
import { freePort } from '../free-port.ts';
import { beginJourney, journeyOptions } from './helpers/journey.ts';

/** Changes the recipe's configuration: the browser of these tests instead of Playwright's own, and a free port. */
async function configure(config: string): Promise<string> {
  const launchOptions = {
    executablePath: process.env.TOPUP_TEST_CHROMIUM ?? (await packagedChromium.executablePath()),
    chromiumSandbox: false,
    args: ['--disable-background-networking', '--disable-component-update', '--disable-sync'],
  };
  return config
    .replaceAll('5175', String(await freePort()))
    .replace('use: {', `use: { launchOptions: ${JSON.stringify(launchOptions)},`);
}

it('passes the unchanged tests of the recipe for Playwright', journeyOptions, async () => {
  await using journey = await beginJourney('Frontend developer, Playwright', ['mock']);

  await journey.copy('recipes/playwright');
  await journey.type('npm install ../packed/topup-kit-mock.tgz');
  const config = join(journey.folder, 'playwright.config.ts');
  await writeFile(config, await configure(await readFile(config, 'utf8')));
  const printed = await journey.type('npm test --silent -- --reporter=json');

  expect(JSON.parse(printed).stats).toMatchObject({ expected: 3, unexpected: 0, flaky: 0, skipped: 0 });
  await journey.succeed();
});
