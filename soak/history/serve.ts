/** Runs a server like `helpers/serve.ts` with the fault HISTORY_FAULT. Its gateway and its supplier send callbacks and store nothing. */
import {
  type CallbackOutcome,
  type ParsedCallback,
  type PurchaseResult,
  readConfig,
  startServer,
} from '../../packages/server/src/index.ts';
import { plant } from './faults.ts';
import { behaviourOf, callbackToken, gatewayName, referenceOf, supplierName, walletMs } from './providers.ts';

plant(process.env.HISTORY_FAULT ?? '');

/** Reads a callback with the token. This soak sends it, so its body has the shape of the adapter's own type. */
function read<Content>({
  headers,
  body,
}: {
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
}): ParsedCallback<Content> {
  if (headers['x-callback-token'] !== callbackToken)
    return { state: 'rejected', status: 401, reason: 'it has not the token' };
  return { state: 'event', event: JSON.parse(new TextDecoder().decode(body)) };
}

const respond = (outcome: CallbackOutcome, status?: number) => ({
  status: status ?? (outcome === 'failed' ? 500 : 200),
  body: { outcome },
});

const supply = (reference: string, isAsked: boolean): PurchaseResult => {
  const behaviour = behaviourOf(reference);
  if (behaviour === 'fails') return { state: 'failed', reason: 'out of stock' };
  const isKnown = behaviour === 'delivers' || (behaviour === 'delivers when asked' && isAsked);
  return isKnown ? { state: 'delivered', serialNumber: `SN-${reference}` } : { state: 'pending' };
};

const payment = (orderId: string) => ({
  reference: referenceOf(orderId),
  url: `https://pay.test/${orderId}`,
});

const server = await startServer(readConfig(process.env), {
  paymentTime: { 'E-Wallet': walletMs },
  gateway: {
    kind: 'remote',
    name: gatewayName,
    sandbox: true,
    createPayment: async ({ orderId }) => payment(orderId),
    findPayment: async ({ orderId }) => ({ state: 'found', payment: payment(orderId) }),
    callbacks: { read, respond },
  },
  supplier: {
    name: supplierName,
    sandbox: true,
    abilities: { findBy: 'reference', findIntervalMs: 500, referenceLifetimeMs: null },
    submit: async ({ reference }) => supply(reference, false),
    find: async ({ reference }) => supply(reference, true),
    callbacks: { read, respond },
  },
});
process.once('SIGTERM', () => void server.close());
process.stdout.write(`${server.baseUrl}\n`);
