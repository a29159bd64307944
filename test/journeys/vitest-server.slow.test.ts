import { expect, it } from 'vitest';
import { beginJourney, journeyOptions } from './helpers/journey.ts';

it('passes the unchanged tests of the recipe for Vitest against one server', journeyOptions, async () => {
  await using journey = await beginJourney('Integrator, Vitest with a server', ['cli']);

  await journey.copy('recipes/vitest-server');
  await journey.type('npm install ../packed/topup-kit-cli.tgz');
  const printed = await journey.type('npm test --silent');

  expect(printed).toMatch(/Tests +1 passed/);
  await journey.succeed();
});
