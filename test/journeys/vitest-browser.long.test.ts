import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import packagedChromium from '@sparticuz/chromium';
import { expect, it } from 'vitest';
import { beginJourney, journeyOptions } from './helpers/journey.ts';

it(
  "passes the unchanged tests of the recipe in Vitest's browser mode in Chromium",
  journeyOptions,
  async () => {
    await using journey = await beginJourney('Frontend developer, Vitest browser mode', ['mock'], {
      newerNodeFor: 'vitest',
    });

    await journey.copy('recipes/vitest-browser');
    await journey.type('npm install ../packed/topup-kit-mock.tgz');
    await journey.type('npx msw init public --save');
    const config = join(journey.folder, 'vitest.config.ts');
    const launchOptions = {
      executablePath: process.env.TOPUP_TEST_CHROMIUM ?? (await packagedChromium.executablePath()),
      chromiumSandbox: false,
      args: ['--disable-background-networking', '--disable-component-update', '--disable-sync'],
    };
    // The browser of these tests instead of Playwright's own.
    const text = await readFile(config, 'utf8');
    await writeFile(
      config,
      text.replace('playwright({', `playwright({ launchOptions: ${JSON.stringify(launchOptions)},`),
    );

    expect(await journey.type('npm test --silent')).toMatch(/Tests +3 passed/);
    await journey.succeed();
  },
);
