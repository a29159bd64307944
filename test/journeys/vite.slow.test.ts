import { expect, it } from 'vitest';
import { soon, useBrowser } from '../../packages/server/test/helpers/browser.ts';
import { blocksOf } from '../docs/blocks.ts';
import { beginJourney, journeyOptions } from './helpers/journey.ts';

const browser = useBrowser();
const address = /Local: +(http:\S+)/;

/** Opens a page that lists the games of the mock, and gives the item of one game. */
async function openGame(url: string | undefined) {
  const { page } = await browser.open(url ?? '', { hurried: false });
  const game = page.getByRole('listitem').filter({ hasText: 'Mobile Legends: Bang Bang' });
  await game.waitFor();
  return game;
}

it(
  'runs Vite without a framework: one file, and the mock serves the page through MSW',
  journeyOptions,
  async () => {
    await using journey = await beginJourney('Frontend developer, Vite', ['sdk', 'mock'], {
      newerNodeFor: 'msw',
    });

    const [commands = ''] = blocksOf('docs/for-frontend-developers.md', 'sh', 2);
    const [page = ''] = blocksOf('docs/for-frontend-developers.md', 'html', 1);
    const [install = '', init = '', serve = ''] = commands
      .replaceAll('../topup-kit/packed', '../packed')
      .split('\n');

    await journey.type(install);
    await journey.type(init);
    await journey.write({ 'index.html': page });
    const [, url] = await journey.start(serve, address);

    expect(await (await openGame(url)).textContent()).toBe('Mobile Legends: Bang Bang');
    await journey.succeed();
  },
);

it(
  'runs the recipe for Vite and React with pictures, and a build without the mock',
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
