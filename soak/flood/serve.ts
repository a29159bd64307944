/** Runs a server like `helpers/serve.ts`, whose gateway sends callbacks that are verified like Tripay's. */
import { createTripayCallbacks } from '../../packages/providers/src/tripay/callback.ts';
import { readConfig, startServer } from '../../packages/server/src/index.ts';
import { privateKey } from './callback.ts';

const server = await startServer(readConfig(process.env), {
  gateway: {
    kind: 'remote',
    name: 'tripay',
    sandbox: true,
    createPayment: async ({ orderId }) => ({
      reference: `T-${orderId}`,
      url: `https://gateway.example/${orderId}`,
    }),
    findPayment: async () => ({ state: 'absent' }),
    callbacks: { ...createTripayCallbacks([privateKey]), secrets: [privateKey, 'another/secret'] },
  },
});
process.once('SIGTERM', () => void server.close());
process.stdout.write(`${server.baseUrl}\n`);
