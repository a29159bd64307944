import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { sandboxKey } from '@topup-kit/core/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openStore } from '../src/index.ts';
import type { Sent } from './helpers/fleet.ts';
import { startPostgres, type TestPostgres } from './helpers/postgres.ts';
import { fixtureOrder } from './helpers/sandbox.ts';
import { type ServerProcess, startServerProcess } from './helpers/server-process.ts';

let database: TestPostgres;
beforeAll(async () => {
  database = await startPostgres();
}, 60_000);
afterAll(() => database[Symbol.asyncDispose]());

const body = JSON.stringify({ ...fixtureOrder, promo_code: undefined });

interface Exchange {
  method: 'GET' | 'POST';
  path: string;
  key?: string;
  body?: string;
}

/**
 * Sends a request over connections that are kept open, as a proxy does. Null when the server accepts no connection, or closes one
 * that the request crosses, which HTTP can't prevent: clients send a request with a key again.
 */
const exchange = (
  agent: Agent,
  baseUrl: string,
  { method, path, key, body }: Exchange,
): Promise<Sent | null> =>
  new Promise((resolve, reject) => {
    const headers = {
      ...{ 'X-API-KEY': sandboxKey, 'Content-Type': 'application/json' },
      ...(key !== undefined && { 'Idempotency-Key': key }),
    };
    const sent = request(baseUrl + path, { agent, method, headers }, (response) =>
      text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject),
    );
    sent.on('error', (error) => {
      const code = 'code' in error ? error.code : undefined;
      if (code === 'ECONNREFUSED' || code === 'ECONNRESET') resolve(null);
      else reject(error);
    });
    sent.end(body);
  });

it('responds without a 5xx and loses no order while two servers restart in turn under load', async () => {
  const url = await database.newSchema();
  const start = () => startServerProcess({ TOPUP_STORE: url });
  const servers: [ServerProcess, ServerProcess] = [await start(), await start()];
  await using resources = new AsyncDisposableStack();
  resources.defer(async () => {
    for (const server of servers) await server[Symbol.asyncDispose]();
  });
  const store = openStore({ kind: 'postgres', url });
  resources.defer(() => store.close());

  const statuses = new Map<string, number>();
  const orders: string[] = [];
  let turn = 0;
  let isEnding = false;
  /** Sends to both servers in turn; what one does not take, the other one gets. */
  const send = async (agent: Agent, what: Exchange): Promise<Sent> => {
    const first = turn++ % 2;
    for (const { baseUrl } of [...servers.slice(first), ...servers.slice(0, first)]) {
      const sent = await exchange(agent, baseUrl, what);
      if (!sent) continue;
      const kind = `${what.method} ${sent.status}`;
      statuses.set(kind, (statuses.get(kind) ?? 0) + 1);
      return sent;
    }
    throw new Error('neither server accepts a connection');
  };
  const client = async (_: unknown, name: number): Promise<void> => {
    const agent = new Agent({ keepAlive: true });
    for (let count = 0; !isEnding; count += 1) {
      const key = `client-${name}-${count}`;
      const placed = await send(agent, { method: 'POST', path: '/order', key, body });
      if (placed.status !== 201) continue;
      const { orderId } = JSON.parse(placed.body);
      orders.push(orderId);
      // Also at the other server than the one that has placed it.
      for (let poll = 0; poll < 3; poll += 1)
        await send(agent, { method: 'GET', path: `/invoice/${orderId}/payment-status` });
    }
    agent.destroy();
  };
  const clients = Promise.all(Array.from({ length: 8 }, client));
  const more = async (): Promise<void> => {
    const enough = orders.length + 50;
    await Promise.race([
      clients,
      expect.poll(() => orders.length, { timeout: 20_000 }).toBeGreaterThan(enough),
    ]);
  };
  await more();
  for (const index of [0, 1, 0, 1] as const) {
    await servers[index].end('SIGTERM');
    await more();
    servers[index] = await start();
    await more();
  }
  isEnding = true;
  await clients;

  expect([...statuses.keys()].sort()).toEqual(['GET 200', 'POST 201']);
  expect(orders.length).toBeGreaterThan(400);
  expect((await store.countOrders()).reduce((sum, { count }) => sum + count, 0)).toBe(orders.length);
  for (const orderId of orders) expect(await store.findOrder(orderId)).toMatchObject({ orderId });
}, 120_000);
