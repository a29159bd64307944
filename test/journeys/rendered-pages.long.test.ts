import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import packagedChromium from '@sparticuz/chromium';
import { expect, it } from 'vitest';
import { freePort } from '../free-port.ts';
import { beginJourney, journeyOptions } from './helpers/journey.ts';

const launchOptions = {
  executablePath: process.env.TOPUP_TEST_CHROMIUM ?? (await packagedChromium.executablePath()),
  chromiumSandbox: false,
  args: ['--disable-background-networking', '--disable-component-update', '--disable-sync'],
};

it('gives 20 parallel tests separate worlds behind one `next start`', journeyOptions, async () => {
  const [sandbox, shop] = [String(await freePort()), String(await freePort())];
  await using journey = await beginJourney('Frontend developer, Next with rendered pages', ['sdk', 'cli'], {
    variables: { SANDBOX_URL: `http://127.0.0.1:${sandbox}/sandbox` },
  });

  await journey.copy('recipes/next');
  // The browser of these tests instead of Playwright's own, and free ports.
  for (const file of ['playwright.config.ts', 'package.json']) {
    const text = await readFile(join(journey.folder, file), 'utf8');
    const changed = text
      .replaceAll('4000', sandbox)
      .replaceAll('3000', shop)
      .replace('use: {', `use: { launchOptions: ${JSON.stringify(launchOptions)},`);
    await writeFile(join(journey.folder, file), changed);
  }
  await journey.type('npm install ../packed/topup-kit-sdk.tgz ../packed/topup-kit-cli.tgz');
  const printed = await journey.type('npm test --silent -- --workers=4 --reporter=json');

  expect(JSON.parse(printed).stats).toMatchObject({ expected: 20, unexpected: 0, flaky: 0, skipped: 0 });
  await journey.succeed();
});
