import { expect, it } from 'vitest';
import { beginJourney, journeyOptions } from './helpers/journey.ts';
import { order, placed } from './helpers/order.ts';

it('places an order with CommonJS in Node at a sandbox server', journeyOptions, async () => {
  await using journey = await beginJourney('Integrator, CommonJS', ['sdk', 'server']);

  await journey.type('npm init -y');
  await journey.type('npm install ../packed/topup-kit-sdk.tgz ../packed/topup-kit-server.tgz');
  await journey.write({
    'order.js': `
      const { createTopupClient } = require('@topup-kit/sdk');
      const { readConfig, startServer } = require('@topup-kit/server');

      async function main() {
        const server = await startServer(readConfig({ PORT: '0', TOPUP_MODE: 'sandbox', TOPUP_STORE: 'memory:' }));
        const client = createTopupClient({ baseUrl: server.baseUrl, apiKey: server.sandboxKey });
        const { orderId } = await client.orders.create(${order});
        const invoice = await client.invoices.get(orderId);
        console.log(orderId, invoice.order.payment_status);
        await server.close();
      }
      main();`,
  });

  expect(await journey.type('node order.js')).toMatch(placed);
  await journey.succeed();
});
