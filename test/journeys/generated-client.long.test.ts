import { readFile } from 'node:fs/promises';
import { readConfig, startServer } from '@topup-kit/server';
import { expect, it } from 'vitest';
import { beginJourney, journeyOptions } from './helpers/journey.ts';
import { placed } from './helpers/order.ts';

/** The files that the guide shows, in its order. */
async function filesOfGuide(): Promise<string[]> {
  const guide = await readFile(new URL('../../docs/generated-clients.md', import.meta.url), 'utf8');
  return [...guide.matchAll(/^```(?:json|ts)\n(.*?)^```$/gms)].map(([, text = '']) => text);
}

it(
  'the guide to generated clients: @hey-api/openapi-ts, compiled, places an order',
  journeyOptions,
  async () => {
    const config = readConfig({ PORT: '0', TOPUP_MODE: 'sandbox', TOPUP_STORE: 'memory:' });
    await using sandbox = await startServer(config);
    await using journey = await beginJourney('Integrator, generated client', [], {
      variables: { SANDBOX: sandbox.publicUrl, TOPUP_BASE_URL: sandbox.baseUrl },
      newerNodeFor: '@hey-api/openapi-ts',
    });

    const [manifest = '', tsconfig = '', program = ''] = await filesOfGuide();
    await journey.write({ 'package.json': manifest, 'tsconfig.json': tsconfig, 'order.ts': program });
    await journey.type('npm install --save-dev @hey-api/openapi-ts typescript@6 @types/node');
    await journey.type('npx openapi-ts --input $SANDBOX/openapi.json --output client');

    expect(await journey.type('npx tsc && node dist/order.js')).toMatch(placed);
    await journey.succeed();

    // The types did arrive: a wrong name does not compile.
    await journey.write({ 'order.ts': program.replace('product_id: 901', 'productId: 901') });
    await expect(journey.type('npx tsc')).rejects.toThrow(/'productId' does not exist in type/);
  },
);
