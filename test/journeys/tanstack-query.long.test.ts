import { expect, it } from 'vitest';
import { beginJourney, journeyOptions } from './helpers/journey.ts';

it('passes the unchanged tests of the recipe for TanStack Query', journeyOptions, async () => {
  await using journey = await beginJourney('Frontend developer, TanStack Query', ['sdk', 'mock'], {
    newerNodeFor: 'vitest',
  });

  await journey.copy('recipes/tanstack-query');
  await journey.type('npm install ../packed/topup-kit-sdk.tgz ../packed/topup-kit-mock.tgz');

  expect(await journey.type('npm test --silent')).toMatch(/Tests +4 passed/);
  await journey.succeed();
});
