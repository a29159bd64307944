/**
 * Runs a server as `serve.ts` does, with a gateway at GATEWAY_URL that is asked over HTTP: `/create` and `/check`, with the
 * name of the server.
 */
import { readConfig, startServer } from '../../src/index.ts';

const { GATEWAY_URL = '', SERVER_NAME = '' } = process.env;

async function ask(path: string, orderId: string, signal: AbortSignal): Promise<void> {
  const url = new URL(path, GATEWAY_URL);
  url.search = String(new URLSearchParams({ server: SERVER_NAME, order: orderId }));
  await (await fetch(url, { signal })).text();
}

const server = await startServer(readConfig(process.env), {
  gateway: {
    kind: 'remote',
    name: 'counting',
    sandbox: true,
    async createPayment({ orderId }, signal) {
      await ask('/create', orderId, signal);
      return { reference: `R-${orderId}`, url: 'https://gateway.example/pay' };
    },
    findPayment: async () => ({ state: 'absent' }),
    async checkPayment({ orderId }, signal) {
      await ask('/check', orderId, signal);
      return { status: 'open' };
    },
  },
});
process.once('SIGTERM', () => void server.close());
process.stdout.write(`${server.baseUrl}\n`);
