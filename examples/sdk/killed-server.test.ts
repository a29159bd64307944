import { join } from 'node:path';
import { createTopupClient } from '@topup-kit/sdk';
import { openStore, sandboxKey } from '@topup-kit/server';
import { expect, it } from 'vitest';
import { fixtureOrder, temporaryFolder } from '../../packages/server/test/helpers/sandbox.ts';
import { type ServerProcess, startServerProcess } from '../../packages/server/test/helpers/server-process.ts';
import { startRelay } from './helpers/relay.ts';
import { runScript } from './helpers/run-script.ts';

const portOf = ({ baseUrl }: ServerProcess): number => Number(new URL(baseUrl).port);

async function ordersIn(path: string): Promise<string[]> {
  const store = openStore({ kind: 'file', path });
  const orders = await store.listOrders({ limit: 100 });
  await store.close();
  return orders.map(({ orderId }) => orderId);
}

it('places one order when the server is killed before the response, and reports that the order may exist', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'topup.db');
  await using server = await startServerProcess({ TOPUP_STORE: `file:${path}` });
  await using relay = await startRelay(portOf(server));
  relay.onOrderResponse = () => server.end('SIGKILL');

  const { output, ended } = runScript({ TOPUP_BASE_URL: relay.baseUrl });

  expect(await ended).toEqual({ code: 1 });
  expect(output.stderr).toContain('it is unknown whether the order was created');
  expect(await ordersIn(path)).toHaveLength(1);

  // After a restart, the server replays the response to the idempotency key in the message.
  const idempotencyKey = String(/idempotencyKey '(\w+)'/.exec(output.stderr)?.[1]);
  await using again = await startServerProcess({ TOPUP_STORE: `file:${path}` });
  const client = createTopupClient({ baseUrl: again.baseUrl, apiKey: sandboxKey });
  const { orderId } = await client.orders.create(fixtureOrder, { idempotencyKey });
  expect(await ordersIn(path)).toEqual([orderId]);
});

it('retries automatically with a server that honours keys, and places one order', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'topup.db');
  await using server = await startServerProcess({ TOPUP_STORE: `file:${path}` });
  await using relay = await startRelay(portOf(server));
  const client = createTopupClient({ baseUrl: relay.baseUrl, apiKey: sandboxKey, maxRetries: 10 });
  const first = await client.orders.create(fixtureOrder);

  const restarted = Promise.withResolvers<ServerProcess>();
  relay.onOrderResponse = async () => {
    await server.end('SIGKILL');
    restarted.resolve(
      startServerProcess({ TOPUP_STORE: `file:${path}` }).then((again) => {
        relay.upstream = portOf(again);
        return again;
      }),
    );
  };
  const { data, attempts } = await client.orders.create(fixtureOrder).withResponse();
  await using _again = await restarted.promise;

  expect(attempts).toBeGreaterThan(1);
  expect((await ordersIn(path)).toSorted()).toEqual([first.orderId, data.orderId].toSorted());
});
