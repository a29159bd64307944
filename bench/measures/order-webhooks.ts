import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { eventTypes } from '@topup-kit/core/contract';
import { createEndpoint, sandboxAccount } from '@topup-kit/core/engine';
import { secureRandom } from '@topup-kit/core/platform';
import { openStore } from '@topup-kit/server';
import { startBenchServer } from '../bench-process.ts';
import { compareAll, cpuFigure, ratioOf } from '../compare.ts';
import type { Measure } from '../measure.ts';
import { postOrder } from '../requests.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const endpoints = 10;

async function listen(listener: RequestListener, resources: AsyncDisposableStack): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  resources.defer(async () => {
    server.closeAllConnections();
    server.close();
  });
  // Safe: it listens on a port.
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}/`;
}

/** Adds endpoints that receive all events. The first endpoint never responds. */
async function addEndpoints(path: string, resources: AsyncDisposableStack): Promise<void> {
  const hangs = await listen(() => {}, resources);
  const responds = await listen((request, response) => {
    request.resume();
    response.writeHead(204).end();
  }, resources);
  const store = openStore({ kind: 'file', path });
  for (let index = 0; index < endpoints; index += 1)
    await createEndpoint(
      { store, random: secureRandom, realClock: Date.now, seal: (secret) => secret },
      {
        accountId: sandboxAccount,
        url: index === 0 ? hangs : responds,
        types: eventTypes,
        description: '',
        disabled: null,
      },
    );
  await store.close();
}

async function measure(
  name: string,
  prepare: (path: string, resources: AsyncDisposableStack) => Promise<void>,
): Promise<Awaited<ReturnType<typeof compareAll>>> {
  await using resources = new AsyncDisposableStack();
  const folder = resources.use(await temporaryFolder());
  const path = join(folder.path, 'topup.db');
  const server = resources.use(await startBenchServer('topup.ts', { TOPUP_STORE: `file:${path}` }));
  await prepare(path, resources);
  return await compareAll([{ name, server, request: postOrder(server.baseUrl) }]);
}

export const orderWebhooks: Measure = {
  name: 'order-webhooks',
  about: `POST /api/order as in "order", with ${endpoints} endpoints that are told of everything, of which one never responds, and with none`,
  async run() {
    // Measured one after the other, because a server sends its events only when it is no longer busy with orders.
    const none = await measure('none', async () => {});
    const notified = await measure(`${endpoints} endpoints`, addEndpoints);
    const [ours, without] = [notified.sides[0], none.sides[0]];
    if (!ours || !without) throw new Error('both sides are there');
    return {
      figures: [...notified.figures, ...none.figures, cpuFigure(ours, without)],
      bars: [
        {
          name: `${endpoints} endpoints / none`,
          value: ratioOf(ours, without),
          kind: 'at least',
          bar: 0.95,
        },
      ],
      remarks: [...none.remarks, ...notified.remarks],
    };
  },
};
