import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundled } from '../../../test/shared.ts';
import { send } from './helpers/fleet.ts';
import { startPostgres, type TestPostgres } from './helpers/postgres.ts';
import { serverStarter } from './helpers/spawn-server.ts';

let database: TestPostgres;
beforeAll(async () => {
  database = await startPostgres();
}, 60_000);
afterAll(() => database[Symbol.asyncDispose]());

interface Question {
  server: string;
  order: string;
  at: number;
}

/** A gateway that creates payments, and leaves the first question about a payment without a response. */
async function startGateway() {
  const questions: Question[] = [];
  const left: ServerResponse[] = [];
  const host = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://gateway');
    if (pathname === '/create') return response.end();
    const [server = '', order = ''] = ['server', 'order'].map((name) => searchParams.get(name) ?? '');
    questions.push({ server, order, at: performance.now() });
    if (questions.filter((one) => one.order === order).length === 1) left.push(response);
    else response.end();
  });
  host.listen(0, '127.0.0.1');
  await once(host, 'listening');
  // Safe: it listens on a port.
  const { port } = host.address() as AddressInfo;
  return {
    questions,
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      for (const response of left) response.destroy();
      host.closeAllConnections();
      host.close();
    },
  };
}

describe('two server processes, one of which is killed while it asks about payments', () => {
  it("never checks a payment twice at the same time, and continues after a killed server's lease", async () => {
    await using gateway = await startGateway();
    const start = serverStarter(await bundled(new URL('helpers/serve-remote.ts', import.meta.url)));
    const url = await database.newSchema();
    const begin = (name: string) => start({ TOPUP_STORE: url, GATEWAY_URL: gateway.url, SERVER_NAME: name });
    await using one = await begin('one');
    await using other = await begin('other');
    const servers = { one, other };
    for (let count = 0; count < 6; count += 1)
      expect((await send((count % 2 ? one : other).baseUrl))?.status).toBe(201);

    const firsts = () => new Map(gateway.questions.toReversed().map((asked) => [asked.order, asked]));
    await expect.poll(() => firsts().size, { timeout: 30_000 }).toBe(6);
    expect(gateway.questions).toHaveLength(6);
    const [{ server: victim } = expect.fail('no question')] = gateway.questions;
    const isVictim = victim === 'one';
    const orphaned = [...firsts().values()].filter(({ server }) => server === victim);
    await servers[isVictim ? 'one' : 'other'].end('SIGKILL');

    const laterOf = (order: string) =>
      gateway.questions.find((asked) => asked.order === order && asked.server !== victim);
    await expect.poll(() => orphaned.every(({ order }) => laterOf(order)), { timeout: 90_000 }).toBe(true);
    for (const { order, at } of orphaned) expect((laterOf(order)?.at ?? 0) - at).toBeGreaterThan(29_000);
  }, 150_000);
});
