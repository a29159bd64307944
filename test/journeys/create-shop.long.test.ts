import { afterAll, beforeAll, expect, it } from 'vitest';
import { soon, useBrowser } from '../../packages/server/test/helpers/browser.ts';
import { blocksOf } from '../docs/blocks.ts';
import { beginJourney, journeyOptions } from './helpers/journey.ts';
import { type Registry, startRegistry } from './helpers/registry.ts';

const browser = useBrowser();
const newerNodeFor = 'the sandbox of the shop';
/** A person says yes to npm when it asks. */
const yes = { npm_config_yes: 'true' };

let registry: Registry;
// Packs everything first, which takes minutes on a busy machine.
beforeAll(async () => {
  registry = await startRegistry();
}, 1_200_000);
afterAll(() => registry?.[Symbol.asyncDispose]());

it('creates a shop with `npm create topup-shop` that can sell on its sandbox', journeyOptions, async () => {
  const [commands = ''] = blocksOf('packages/create-topup-shop/README.md', 'sh', 1);
  const [create = '', enter = '', install = '', dev = ''] = commands.trim().split('\n');
  expect(create).toBe('npm create topup-shop my-shop');
  const variables = { ...yes, npm_config_registry: registry.url };
  // Fills npm's cache, so that the journey takes no time of the network.
  await using rehearsal = await beginJourney('Rehearsal', [], { variables, newerNodeFor });
  await rehearsal.type(create);
  await rehearsal.type(`${enter} && ${install}`);

  await using journey = await beginJourney('Owner of a new shop', [], {
    variables,
    newerNodeFor,
    seconds: 60,
  });
  expect(await journey.type(create)).toContain('npm run dev');
  await journey.type(`${enter} && ${install}`);
  const [, url = ''] = await journey.start(`${enter} && ${dev}`, /Local: +(http:\S+)/);
  const { page, complaints } = await browser.open(url, { hurried: false });
  await page.getByRole('button', { name: 'Mobile Legends: Bang Bang' }).click();
  await journey.succeed();

  await page.getByLabel('User ID').fill('12345678');
  await page.getByLabel('Zone ID').fill('2012');
  await page.getByLabel('WhatsApp number').fill('12');
  await page.getByRole('button', { name: 'Buy' }).click();
  const status = page.getByRole('status');
  await expect.poll(() => status.textContent(), soon).toMatch(/WhatsApp/i);
  await page.getByLabel('WhatsApp number').fill('081234567890');
  await page.getByRole('button', { name: 'Buy' }).click();
  await expect.poll(() => status.textContent(), soon).toBe('Waiting for your payment.');
  const [payment] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name: /^Pay / }).click(),
  ]);
  await payment.getByRole('button', { name: /^(Pay|Bayar)/ }).click();
  await expect.poll(() => status.textContent(), soon).toBe('Delivered. Have fun!');
  expect(await page.getByRole('link', { name: /^Pay / }).count()).toBe(0);
  await page.getByRole('link', { name: 'Top-up shop' }).click();
  await page.getByRole('button', { name: 'Free Fire' }).waitFor();
  // The browser reports the rejected order, too.
  expect(complaints.filter((text) => !/422|\[vite\]/.test(text))).toEqual([]);

  await journey.type(`${enter} && npm test`);
  await journey.type(`${enter} && npm run types`);
  await journey.type(`${enter} && npm run build`);
  expect(await journey.type(`${enter} && grep -rl tk_test_ dist || echo none`)).toBe('none\n');
});

it('creates the same shop from a clone, without a registry', journeyOptions, async () => {
  await using journey = await beginJourney('From a clone', ['sdk', 'mock', 'cli', 'create-topup-shop'], {
    newerNodeFor,
    variables: yes,
  });
  const [block = ''] = blocksOf('docs/install.md', 'sh', 1);
  const [create = '', enter = '', install = '', dev = ''] = block
    .replaceAll('../topup-kit/packed', '../../packed')
    .replaceAll('./topup-kit/packed', '../packed')
    .trim()
    .split('\n');

  await journey.type(`${create} && ${enter} && ${install}`);
  const [, url = ''] = await journey.start(`${enter} && ${dev}`, /Local: +(http:\S+)/);
  const { games } = await (
    await fetch(new URL('/api/topup/games', url), { headers: { Accept: 'application/json' } })
  ).json();
  expect(games.length).toBeGreaterThan(5);
});
