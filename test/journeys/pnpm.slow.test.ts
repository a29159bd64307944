import { expect, it } from 'vitest';
import { packageNames } from '../../scripts/pack.ts';
import { beginJourney, journeyOptions } from './helpers/journey.ts';
import { order, placed } from './helpers/order.ts';

it(
  'installs all four packages from their tarballs with pnpm, and places an order with the SDK and the mock',
  journeyOptions,
  async () => {
    await using journey = await beginJourney('All packages, pnpm', packageNames);

    const tarballs = packageNames.map((name) => `../packed/topup-kit-${name}.tgz`);
    await journey.type(`npx -y pnpm@12 add ${tarballs.join(' ')}`);
    await journey.write({
      'order.mjs': `
      import { createMockService } from '@topup-kit/mock/in-process';
      import { createTopupClient } from '@topup-kit/sdk';
      import '@topup-kit/server';

      const mock = createMockService();
      const client = createTopupClient({ baseUrl: mock.baseUrl, apiKey: mock.apiKey, fetch: mock.fetch });
      const { orderId } = await client.orders.create(${order});
      const invoice = await client.invoices.get(orderId);
      console.log(orderId, invoice.order.payment_status);`,
    });

    expect(await journey.type('node order.mjs')).toMatch(placed);
    expect(await journey.type('npx -y pnpm@12 exec topup --version')).toMatch(/^\d+\.\d+\.\d+\n$/);
    await journey.succeed();
  },
);
