import { expect, it } from 'vitest';
import { run } from '../../../../scripts/run.ts';
import { slowOnly } from '../../../../test/shared.ts';
import { consumer, firstOrder, firstOrderSeen, readyResponses } from './helpers/consumer.ts';

const jest = await slowOnly('jest/bin/jest');

it('loads the packed package in Jest as CommonJS, without a transform', async () => {
  const folder = await consumer({
    'order.test.cjs': `
      const sdk = require('@topup-kit/sdk');
      const responses = require('./responses.json');
      ${firstOrder}
      test('places an order', async () => {
        expect(await firstOrder(sdk, responses)).toEqual(${JSON.stringify(firstOrderSeen)});
      });`,
    'responses.json': await readyResponses(),
    'jest.config.json': JSON.stringify({
      testMatch: ['**/*.test.cjs'],
      moduleFileExtensions: ['js', 'cjs', 'json'],
      transform: {},
      watchman: false,
      cacheDirectory: './cache',
    }),
  });

  const printed = await run(process.execPath, [jest, '--runInBand', '--json'], { cwd: folder });

  expect(JSON.parse(printed)).toMatchObject({ success: true, numPassedTests: 1 });
});
