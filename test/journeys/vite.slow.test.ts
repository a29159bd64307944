import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { soon, useBrowser } from '../../packages/server/test/helpers/browser.ts';
import { beginJourney, journeyOptions } from './helpers/journey.ts';

const browser = useBrowser();
/** The page of docs/for-frontend-developers.md. */
const page = new URL('../../examples/mock/guide/index.html', import.meta.url);

const address = /Local: +(http:\S+)/;

/** Opens a page that lists the games of the mock, and gives the item of one game. */
async function openGame(url: string | undefined) {
  const { page } = await browser.open(url ?? '', { hurried: false });
  const game = page.getByRole('listitem').filter({ hasText: 'Mobile Legends: Bang Bang' });
  await game.waitFor();
  return game;
}

it('Vite without a framework: one file, and the mock answers the page by MSW', journeyOptions, async () => {
  await using journey = await beginJourney('Frontend developer, Vite', ['sdk', 'mock'], {
    newerNodeFor: 'msw',
  });

  await journey.type('npm install vite msw ../packed/topup-kit-sdk.tgz ../packed/topup-kit-mock.tgz');
  await journey.type('npx msw init public --save');
  await journey.write({ 'index.html': await readFile(page, 'utf8') });
  const [, url] = await journey.start('npx vite', address);

  expect(await (await openGame(url)).textContent()).toBe('Mobile Legends: Bang Bang');
  await journey.succeed();
});

it(
  'Vite + React: the recipe shows the catalogue with pictures, and a build without the mock',
  journeyOptions,
  async () => {
    await using journey = await beginJourney('Frontend developer, Vite + React', ['mock'], {
      newerNodeFor: 'msw',
    });

    await journey.copy('recipes/vite-react');
    await journey.type('npm install ../packed/topup-kit-mock.tgz');
    const [, url] = await journey.start('npm run dev', address);
    const picture = (await openGame(url)).locator('img');
    const isDrawn = () =>
      picture.evaluate((node) => node instanceof HTMLImageElement && node.naturalWidth > 0);
    await expect.poll(isDrawn, soon).toBe(true);
    await journey.succeed();

    await journey.type('npm run build');
    expect(await journey.type('cat dist/assets/*.js | grep -c "The service responded"')).toBe('1\n');
    expect(await journey.type('grep -rlE "Mobile Legends|mockServiceWorker" dist || echo none')).toBe(
      'none\n',
    );
  },
);
