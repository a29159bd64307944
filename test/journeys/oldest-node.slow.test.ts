import { expect, it } from 'vitest';
import { beginJourney, journeyOptions } from './helpers/journey.ts';
import { order } from './helpers/order.ts';

it('places, pays and awaits an order on the oldest Node', journeyOptions, async () => {
  await using journey = await beginJourney('Integrator, Node 20', ['sdk', 'mock']);

  await journey.type('npm install --engine-strict ../packed/topup-kit-sdk.tgz ../packed/topup-kit-mock.tgz');
  await journey.write({
    'order.mjs': `
      import { createMockService } from '@topup-kit/mock/in-process';
      import { createTopupClient } from '@topup-kit/sdk';

      const mock = createMockService();
      const client = createTopupClient({ baseUrl: mock.baseUrl, apiKey: mock.apiKey, fetch: mock.fetch });
      const { orderId } = await client.orders.create(${order});
      await mock.orders.pay(orderId);
      await mock.orders.deliver(orderId);
      const { outcome } = await client.orders.waitFor(orderId);
      console.log(process.version, outcome);`,
  });

  expect(await journey.type('node order.mjs')).toMatch(/^v20\.19\.\d+ delivered$/m);
  await journey.succeed();
});
