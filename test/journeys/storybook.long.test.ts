import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { soon, useBrowser } from '../../packages/server/test/helpers/browser.ts';
import { freePort } from '../free-port.ts';
import { beginJourney, journeyOptions } from './helpers/journey.ts';

const browser = useBrowser();

/** What each story says in the end. */
const stories = {
  unpaid: 'Waiting for your payment',
  paid: 'Delivered',
  processing: 'Paid, on its way',
  delivered: 'Delivered',
  'partly-failed': 'A part could not be delivered',
  failed: 'It could not be delivered',
  'payment-failed': 'The payment failed',
  expired: 'Expired',
  refunded: 'Refunded: Rp 22.000',
  maintenance: 'Layanan sedang tidak tersedia.',
  'unknown-order': 'Invoice tidak ditemukan.',
};

/** A story alone, as Storybook shows it in its frame. */
const addressOf = (storybook: string | undefined, name: string): string =>
  `${storybook}iframe.html?id=order-status--${name}&viewMode=story`;

it('shows each state of an order in Storybook, in a dev server and in a build', journeyOptions, async () => {
  await using journey = await beginJourney('Frontend developer, Storybook', ['mock'], {
    variables: { STORYBOOK_DISABLE_TELEMETRY: '1' },
    newerNodeFor: 'msw',
  });

  await journey.copy('recipes/storybook');
  const manifest = join(journey.folder, 'package.json');
  await writeFile(manifest, (await readFile(manifest, 'utf8')).replace('6006', String(await freePort())));
  await journey.type('npm install ../packed/topup-kit-mock.tgz');
  await journey.type('npx msw init public --save');
  const [, developed] = await journey.start('npm run storybook -- --ci', /Local: +(http:\S+)/);
  const options = { hurried: false, locale: 'id-ID' };
  const { page } = await browser.open(addressOf(developed, 'unpaid'), options);
  const text = page.locator('[role=status], [role=alert]');
  await expect.poll(() => text.textContent(), soon).toBe(stories.unpaid);
  await journey.succeed();

  await journey.type('npm run types');
  await journey.type('npm run build');
  const preview = `npx vite preview --outDir storybook-static --port ${await freePort()}`;
  const [, built] = await journey.start(preview, /Local: +(http:\S+)/);
  const index = await (await fetch(`${built}index.json`)).json();
  expect(Object.keys(index.entries)).toEqual(Object.keys(stories).map((name) => `order-status--${name}`));
  for (const [name, said] of Object.entries(stories)) {
    await page.goto(addressOf(built, name));
    await expect.poll(() => text.textContent(), { ...soon, message: name }).toBe(said);
  }

  await page.goto(addressOf(built, 'unpaid'));
  const isDrawn = () =>
    page.locator('img').evaluate((node) => node instanceof HTMLImageElement && node.naturalWidth > 0);
  await expect.poll(isDrawn, soon).toBe(true);
});
