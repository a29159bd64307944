/** Runs a server like `helpers/serve.ts`, but with the supplier at SUPPLIER_URL (supplier.ts). */
import {
  type PurchaseRequest,
  type PurchaseResult,
  readConfig,
  startServer,
} from '../../packages/server/src/index.ts';

const { SUPPLIER_URL = '' } = process.env;

const ask = (
  method: 'GET' | 'POST',
  { reference }: PurchaseRequest,
  signal: AbortSignal,
): Promise<Response> => fetch(new URL(reference, SUPPLIER_URL), { method, signal });

async function resultOf(response: Response): Promise<PurchaseResult> {
  const serialNumber = await response.text();
  return response.status === 200 ? { state: 'delivered', serialNumber } : { state: 'pending' };
}

const server = await startServer(readConfig(process.env), {
  supplier: {
    name: 'bookkeeping',
    sandbox: true,
    abilities: { findBy: 'reference', findIntervalMs: 0, referenceLifetimeMs: null },
    submit: async (request, signal) => resultOf(await ask('POST', request, signal)),
    async find(request, signal) {
      const response = await ask('GET', request, signal);
      return response.status === 404 ? { state: 'absent' } : resultOf(response);
    },
  },
});
process.once('SIGTERM', () => void server.close());
process.stdout.write(`${server.baseUrl}\n`);
