import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { blocksOf } from '../docs/blocks.ts';
import { beginJourney, journeyOptions } from './helpers/journey.ts';

it('runs Jest with its defaults, and loads the SDK and the mock with require', journeyOptions, async () => {
  await using journey = await beginJourney('Frontend developer, Jest', ['sdk', 'mock']);

  await journey.type('npm init -y');
  await journey.type('npm install jest ../packed/topup-kit-sdk.tgz ../packed/topup-kit-mock.tgz');
  await journey.write({
    'order.test.js': `${blocksOf('examples/recipes/jest/README.md', 'js', 1)}
      test('starts the next test with a new mock', () => {
        expect(mock.requests).toEqual([]);
      });`,
  });

  expect(JSON.parse(await journey.type('npx jest --json'))).toMatchObject({
    success: true,
    numPassedTests: 2,
  });
  await journey.succeed();
});

it(
  'runs Jest with MSW: the mock responds to the global fetch of CommonJS tests',
  journeyOptions,
  async () => {
    await using journey = await beginJourney('Frontend developer, Jest with MSW', ['mock'], {
      newerNodeFor: 'msw',
    });

    await journey.type('npm init -y');
    await journey.type('npm install jest msw ../packed/topup-kit-mock.tgz');
    await journey.write({
      'shop.test.js': `
      const { createTopupMock } = require('@topup-kit/mock');
      const { setupServer } = require('msw/node');

      const mock = createTopupMock({ baseUrl: 'https://shop.test/api', auth: 'off' });
      const server = setupServer(...mock.handlers);
      beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
      afterAll(() => server.close());

      test('lists the catalogue', async () => {
        const response = await fetch('https://shop.test/api/games');
        expect((await response.json()).games.length).toBeGreaterThan(0);
      });`,
    });

    const printed = await journey.type('NODE_OPTIONS=--experimental-vm-modules npx jest --json');
    expect(JSON.parse(printed)).toMatchObject({ success: true, numPassedTests: 1 });
    await journey.succeed();
  },
);

it('passes the unchanged tests of the recipe for Jest with MSW', journeyOptions, async () => {
  await using journey = await beginJourney('Frontend developer, recipe for Jest', ['mock'], {
    newerNodeFor: 'msw',
  });

  await journey.copy('recipes/jest');
  await journey.type('npm init -y');
  await journey.type('npm install ../packed/topup-kit-mock.tgz');
  expect(JSON.parse(await readFile(join(journey.folder, 'package.json'), 'utf8'))).toHaveProperty(
    'type',
    'commonjs',
  );

  expect(JSON.parse(await journey.type('npm test --silent -- --json'))).toMatchObject({
    success: true,
    numPassedTests: 3,
  });
  await journey.succeed();
});

it(
  'runs Jest with a page: jest-fixed-jsdom works, and the error names jest-environment-jsdom',
  journeyOptions,
  async () => {
    await using journey = await beginJourney('Frontend developer, Jest with jsdom', ['sdk', 'mock']);

    await journey.type(
      'npm install jest jest-fixed-jsdom ../packed/topup-kit-sdk.tgz ../packed/topup-kit-mock.tgz',
    );
    await journey.write({
      'page.test.js': `
      const { createTopupMock } = require('@topup-kit/mock');
      const { createTopupClient } = require('@topup-kit/sdk');

      test('the page lists the games', async () => {
        const mock = createTopupMock();
        const client = createTopupClient({ baseUrl: mock.baseUrl, apiKey: mock.apiKey, fetch: mock.fetch });
        const { games } = await client.games.list();
        document.body.innerHTML = games.map(({ title }) => '<li>' + title + '</li>').join('');
        expect(document.querySelector('li').textContent).toBe('Mobile Legends: Bang Bang');
      });`,
    });

    expect(JSON.parse(await journey.type('npx jest --env=jest-fixed-jsdom --json'))).toMatchObject({
      success: true,
      numPassedTests: 1,
    });
    await journey.succeed();

    await expect(journey.type('npx jest --env=jsdom')).rejects.toThrow(
      /needs Request, Response.*which this environment lacks.*jest-fixed-jsdom/,
    );
  },
);
