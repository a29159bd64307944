import { expect, it } from 'vitest';
import { beginJourney, journeyOptions } from './helpers/journey.ts';
import { order, placed } from './helpers/order.ts';

const program = `
  import { openStore, readConfig, startServer } from '@topup-kit/server';

  const config = readConfig({ PORT: '0', TOPUP_MODE: 'sandbox', TOPUP_STORE: 'file:./shop.db', TOPUP_LOG_LEVEL: 'error' });
  const server = await startServer(config);
  const response = await fetch(server.baseUrl + '/order', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-KEY': server.sandboxKey },
    body: JSON.stringify(${order}),
  });
  const { orderId } = await response.json();
  await server.close();

  const store = openStore({ kind: 'file', path: 'shop.db' });
  const orders = await store.listOrders({ limit: 10 });
  await store.close();
  const stored = orders.find((one) => one.orderId === orderId);
  console.log(orderId, stored.paymentStatus);
  console.log(orders.length);`;

it('embeds the server in another program, with a store file that is kept', journeyOptions, async () => {
  await using journey = await beginJourney('Deployment, server in a program', ['server']);

  await journey.type('npm install ../packed/topup-kit-server.tgz');
  await journey.write({ 'server.mjs': program });

  const printed = await journey.type('node server.mjs');
  await journey.succeed();
  expect(printed).toMatch(placed);
  expect(printed).toMatch(/^1$/m);
  expect(await journey.type('node server.mjs')).toMatch(/^2$/m);
});
