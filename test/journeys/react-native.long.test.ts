import { expect, it } from 'vitest';
import { beginJourney, journeyOptions } from './helpers/journey.ts';

it(
  'passes the unchanged tests of the recipe for React Native in Jest with its preset',
  journeyOptions,
  async () => {
    await using journey = await beginJourney('Frontend developer, React Native', ['sdk', 'mock'], {
      newerNodeFor: 'react-native',
    });

    await journey.copy('recipes/react-native');
    await journey.type('npm install ../packed/topup-kit-sdk.tgz ../packed/topup-kit-mock.tgz');

    expect(JSON.parse(await journey.type('npm test --silent -- --json'))).toMatchObject({
      success: true,
      numPassedTests: 3,
    });
    await journey.succeed();
  },
);
