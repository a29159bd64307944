import { expect, it } from 'vitest';
import { beginJourney, journeyOptions } from './helpers/journey.ts';

it(
  'matches the types of the Cypress recipe (Cypress itself is not on the npm registry)',
  journeyOptions,
  async () => {
    await using journey = await beginJourney('Frontend developer, Cypress (types alone)', ['mock'], {
      variables: { CYPRESS_INSTALL_BINARY: '0' },
    });

    await journey.copy('recipes/cypress');
    await journey.type('npm install ../packed/topup-kit-mock.tgz');

    expect(await journey.type('npm run --silent types')).toBe('');
    await journey.succeed();
  },
);
