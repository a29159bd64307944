import { expect, it } from 'vitest';
import { beginJourney, journeyOptions } from './helpers/journey.ts';
import { order } from './helpers/order.ts';

it('Jest as it comes: SDK and mock by require', journeyOptions, async () => {
  await using journey = await beginJourney('Jest as it comes', ['sdk', 'mock']);

  await journey.type('npm init -y');
  await journey.type('npm install jest ../packed/topup-kit-sdk.tgz ../packed/topup-kit-mock.tgz');
  await journey.write({
    'order.test.js': `
      const { createTopupMock } = require('@topup-kit/mock');
      const { createTopupClient } = require('@topup-kit/sdk');

      const mock = createTopupMock();
      const client = createTopupClient({ baseUrl: mock.baseUrl, apiKey: mock.apiKey, fetch: mock.fetch });
      beforeEach(() => mock.reset());

      test('an order is paid', async () => {
        const { orderId } = await client.orders.create(${order});
        await mock.orders.pay(orderId);
        const { order } = await client.invoices.get(orderId);
        expect(order.payment_status).toBe('PAID');
      });

      test('the next test starts afresh', () => {
        expect(mock.requests).toEqual([]);
      });`,
  });

  expect(JSON.parse(await journey.type('npx jest --json'))).toMatchObject({
    success: true,
    numPassedTests: 2,
  });
  await journey.succeed();
});

it('Jest with MSW: the mock answers the global fetch of CommonJS tests', journeyOptions, async () => {
  await using journey = await beginJourney('Jest with MSW', ['mock']);

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

      test('the catalogue', async () => {
        const response = await fetch('https://shop.test/api/games');
        expect((await response.json()).games.length).toBeGreaterThan(0);
      });`,
  });

  const printed = await journey.type('NODE_OPTIONS=--experimental-vm-modules npx jest --json');
  expect(JSON.parse(printed)).toMatchObject({ success: true, numPassedTests: 1 });
  await journey.succeed();
});
