import { expect, it } from 'vitest';
import { beginJourney, journeyOptions } from './helpers/journey.ts';
import { order, placed } from './helpers/order.ts';

const tsconfig = (module: string, moduleResolution: string): string =>
  JSON.stringify({
    compilerOptions: {
      module,
      moduleResolution,
      target: 'es2024',
      types: ['node'],
      strict: true,
      noEmit: true,
      skipLibCheck: false,
    },
    include: module === 'esnext' ? ['order.ts'] : ['order.ts', 'required.cts'],
  });

const compilers = ['typescript', 'typescript-6', 'typescript-5'];

it(
  'compiles an ES module with three versions of TypeScript, for Node and for bundlers',
  journeyOptions,
  async () => {
    await using journey = await beginJourney('Integrator, TypeScript', ['sdk', 'mock'], {
      newerNodeFor: 'msw, and Node that runs order.ts',
    });

    await journey.type('npm init -y --init-type=module');
    await journey.type(
      'npm install typescript@7 @types/node msw ../packed/topup-kit-sdk.tgz ../packed/topup-kit-mock.tgz',
    );
    await journey.write({
      'order.ts': `
      import { createTopupMock } from '@topup-kit/mock';
      import { type CreateOrderRequest, createTopupClient } from '@topup-kit/sdk';

      const mock = createTopupMock();
      const client = createTopupClient({ baseUrl: mock.baseUrl, apiKey: mock.apiKey, fetch: mock.fetch });
      const request: CreateOrderRequest = ${order};
      const { orderId } = await client.orders.create(request);
      const { order } = await client.invoices.get(orderId);
      // @ts-expect-error no such field: the types did arrive
      order.paymentStatus;
      console.log(orderId, order.payment_status satisfies string);`,
      'required.cts': `
      import mock = require('@topup-kit/mock');
      import { createTopupClient } from '@topup-kit/sdk';

      export const { handlers, baseUrl } = mock.createTopupMock();
      export const client = createTopupClient({ baseUrl });
      // @ts-expect-error no such option: the types did arrive
      createTopupClient({ baseURL: baseUrl });
      // @ts-expect-error no such property of an MSW handler: its types did arrive, too
      handlers[0]?.informations;`,
      'tsconfig.json': tsconfig('node16', 'node16'),
      'tsconfig.bundler.json': tsconfig('esnext', 'bundler'),
    });
    expect(await journey.type('npx tsc && node order.ts')).toMatch(placed);
    await journey.succeed();

    await journey.type('npm install typescript-6@npm:typescript@6 typescript-5@npm:typescript@5.9');
    for (const compiler of compilers)
      for (const project of ['tsconfig.json', 'tsconfig.bundler.json'])
        expect(await journey.type(`node node_modules/${compiler}/bin/tsc -p ${project}`), compiler).toBe('');
  },
);
