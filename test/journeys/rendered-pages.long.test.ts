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

/** A file of the recipe for Next that the recipes for other frameworks share. */
const shared = (file: string): Promise<string> =>
  readFile(new URL(`../../examples/recipes/next/${file}`, import.meta.url), 'utf8');

it.each([
  { framework: 'Next', recipe: 'recipes/next', files: [] },
  { framework: 'SvelteKit', recipe: 'recipes/sveltekit', files: ['world.ts', 'shop.spec.ts'] },
])(
  'gives 20 parallel tests separate worlds behind one server: $framework',
  journeyOptions,
  async ({ framework, recipe, files }) => {
    const [sandbox, shop] = [String(await freePort()), String(await freePort())];
    const person = `Frontend developer, ${framework} with rendered pages`;
    await using journey = await beginJourney(person, ['sdk', 'cli'], {
      variables: { SANDBOX_URL: `http://127.0.0.1:${sandbox}/sandbox` },
    });

    await journey.copy(recipe);
    for (const file of files) await journey.write({ [file]: await shared(file) });
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
  },
);
