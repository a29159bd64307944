import { readConfig, startServer } from '@topup-kit/server';
import { expect, it } from 'vitest';
import { blocksOf } from '../docs/blocks.ts';
import { beginJourney, journeyOptions } from './helpers/journey.ts';
import { placed } from './helpers/order.ts';

it(
  'completes the guide to generated clients: @hey-api/openapi-ts, compiled, places an order',
  journeyOptions,
  async () => {
    const config = readConfig({ PORT: '0', TOPUP_MODE: 'sandbox', TOPUP_STORE: 'memory:' });
    await using sandbox = await startServer(config);
    await using journey = await beginJourney('Integrator, generated client', [], {
      variables: { SANDBOX: sandbox.publicUrl, TOPUP_BASE_URL: sandbox.baseUrl },
      newerNodeFor: '@hey-api/openapi-ts',
    });

    const [manifest = '', tsconfig = ''] = blocksOf('docs/generated-clients.md', 'json', 2);
    const [program = ''] = blocksOf('docs/generated-clients.md', 'ts', 1);
    const [commands = ''] = blocksOf('docs/generated-clients.md', '', 1);
    const [install = '', generate = '', run = ''] = commands.split('\n');
    await journey.write({ 'package.json': manifest, 'tsconfig.json': tsconfig, 'order.ts': program });
    await journey.type(install);
    await journey.type(generate.replace('http://127.0.0.1:4000', '$SANDBOX'));

    expect(await journey.type(run)).toMatch(placed);
    await journey.succeed();

    // The types did arrive: a wrong name does not compile.
    await journey.write({ 'order.ts': program.replace('product_id: 901', 'productId: 901') });
    await expect(journey.type('npx tsc')).rejects.toThrow(/'productId' does not exist in type/);
  },
);
