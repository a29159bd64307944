import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { conformanceCases, runCase } from '@topup-kit/conformance';
import { issueKey, rotateKey } from '@topup-kit/core/engine';
import { secureRandom } from '@topup-kit/core/platform';
import { sandboxCatalogFile } from '@topup-kit/core/sandbox';
import { afterAll, assert, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../../test/free-port.ts';
import { crowded } from '../../core/test/helpers/crowded.ts';
import { openStore, type RunningServer, readConfig, sha256Hex, startServer } from '../src/internal.ts';
import { PostgresError } from '../src/postgres/index.ts';
import { startHttpTarget } from './helpers/http-target.ts';
import { liveParts } from './helpers/live-parts.ts';
import { startLogged } from './helpers/log.ts';
import { postOrder } from './helpers/orders.ts';
import { connectTo, givenPostgres, startPostgres, type TestPostgres } from './helpers/postgres.ts';
import { startSandbox, temporaryFolder } from './helpers/sandbox.ts';
import { startTcpRelay, type TcpRelay } from './helpers/tcp-relay.ts';

let database: TestPostgres;
beforeAll(async () => {
  database = await startPostgres({ durable: true });
}, 60_000);
afterAll(() => database[Symbol.asyncDispose]());

describe('conformance, Node HTTP over PostgreSQL', () => {
  let http: Awaited<ReturnType<typeof startHttpTarget>>;
  beforeAll(async () => {
    http = await startHttpTarget(await database.newSchema());
  });
  afterAll(() => http[Symbol.asyncDispose]());

  for (const one of conformanceCases.filter(({ name }) => name !== crowded))
    it(one.name, { timeout: 60_000 }, async () => {
      const { outcome, reason } = await runCase(one, http.target);
      assert(outcome === 'passed', reason);
    });
});

const order = (server: RunningServer, key: string): Promise<Response> =>
  postOrder(server.baseUrl, {}, { 'Idempotency-Key': key });

const ready = async (server: RunningServer): Promise<number> =>
  (await fetch(new URL('/readyz', server.localUrl))).status;

describe('a server on PostgreSQL', () => {
  it('rejects a key within a second after another process revoked or rotated it', async () => {
    const url = await database.newSchema();
    await using server = await startSandbox({ TOPUP_STORE: url });
    const store = openStore({ kind: 'postgres', url });
    const deps = { store, hash: sha256Hex, random: secureRandom, realClock: Date.now };
    const made = { mode: 'test', accountId: 'shop', name: 'shop', scopes: ['catalog:read'] } as const;
    const [first, second] = [await issueKey(deps, made), await issueKey(deps, made)];
    const statusOf = async (key: string): Promise<number> =>
      (await fetch(`${server.baseUrl}/games`, { headers: { 'X-API-KEY': key } })).status;
    expect([await statusOf(first.key), await statusOf(second.key)]).toEqual([200, 200]);

    await store.revokeKey(first.stored.keyId, Date.now());
    const next = await rotateKey(deps, second.stored, { mode: 'test', overlapMs: 0 });
    assert('key' in next);
    await store.close();
    await wait(1_000);

    expect([await statusOf(first.key), await statusOf(second.key)]).toEqual([401, 401]);
    expect(await statusOf(next.key)).toBe(200);
  });

  it('warns that a sandbox should be the only server', async () => {
    const TOPUP_STORE = await database.newSchema();
    const first = await startLogged({ TOPUP_STORE });
    await using _first = first.server;
    const second = await startLogged({ TOPUP_STORE });
    await using _second = second.server;
    const warnings = ({ lines }: typeof first) =>
      lines().filter(({ msg }) => String(msg).includes('Run only one server per sandbox'));
    expect([warnings(first).length, warnings(second).length]).toEqual([0, 1]);
  });

  it.each([
    [
      'nothing',
      '?search_path=nothing',
      /has no schema for the tables: create the schema in the address's search_path/,
    ],
    ['an unknown setting', '?foo=bar', /rejects a part of its address: .*"foo"/],
  ])('names the problem with %s in the database address', async (_what, query, message) => {
    const [url] = (await database.newSchema()).split('?');
    await expect(startLogged({ TOPUP_STORE: `${url}${query}` })).rejects.toThrow(message);
  });

  it("leaves another program's tables unchanged, and reports that", async () => {
    const url = await database.newSchema();
    await using sql = connectTo(url);
    await sql`CREATE TABLE orders (number integer)`;
    await expect(startLogged({ TOPUP_STORE: url })).rejects.toThrow(
      /has another program's tables: .*"orders"/,
    );
    expect(
      await sql`SELECT column_name FROM information_schema.columns
      WHERE table_schema = current_schema() AND table_name = 'orders'`,
    ).toMatchObject([{ column_name: 'number' }]);
  });

  it('keeps its orders over a restart, and belongs to one mode', async () => {
    const url = await database.newSchema();
    await using folder = await temporaryFolder();
    const catalog = join(folder.path, 'catalog.json');
    await writeFile(catalog, JSON.stringify(sandboxCatalogFile));
    const first = await startSandbox({ TOPUP_STORE: url });
    expect(first.seeded).toBe(true);
    const placed = await (await order(first, 'key')).text();
    await first.close();
    const second = await startSandbox({ TOPUP_STORE: url });
    expect(second.seeded).toBe(false);
    expect(await (await order(second, 'key')).text()).toBe(placed);
    await second.close();
    const live = async (store: string) =>
      startServer(readConfig({ TOPUP_STORE: store, TOPUP_CATALOG: catalog, PORT: '0' }), liveParts);
    await expect(live(url)).rejects.toThrow(/^The store belongs to a sandbox server/);
    await using shop = await live(await database.newSchema());
    expect([shop.seeded, await ready(shop)]).toEqual([true, 200]);
  });
});

describe('a server without its database', () => {
  it.skipIf(givenPostgres).each([
    ['where nothing listens', 'ECONNREFUSED', async () => `127.0.0.1:${await freePort()}/topup`],
    [
      'with a wrong password',
      'password authentication failed',
      async () => {
        const { host, pathname } = new URL(await database.newSchema());
        return host + pathname;
      },
    ],
  ])(
    'does not start %s, and gives the reason in one line without the password',
    async (_case, reason, place) => {
      const starting = startSandbox({ TOPUP_STORE: `postgres://topup:s3cret-%40word@${await place()}` });
      const error: Error = await starting.then(
        () => expect.fail('started'),
        (thrown) => thrown,
      );
      expect(error).toBeInstanceOf(PostgresError);
      expect(error.message).toMatch(/^PostgreSQL at 127\.0\.0\.1:\d+\/\w+ [^\n]+$/);
      expect(error.message).toContain(reason);
      expect(error.message).not.toMatch(/s3cret/);
    },
  );

  it.skipIf(givenPostgres)(
    'responds with 503 while the database is gone, recovers when it is back, and logs each change once',
    async () => {
      const lines: string[] = [];
      await using server = await startSandbox(
        { TOPUP_STORE: await database.newSchema() },
        { log: { write: (line) => void lines.push(line) } },
      );
      const before = await order(server, 'before');
      expect(before.status).toBe(201);
      expect(await ready(server)).toBe(200);

      await database.crash();
      const began = performance.now();
      const during = await order(server, 'during');
      expect(during.status).toBe(503);
      expect(Number(during.headers.get('Retry-After'))).toBeGreaterThan(0);
      expect(performance.now() - began).toBeLessThan(2_000);
      await expect.poll(() => ready(server), { timeout: 3_000 }).toBe(503);
      // Several rounds of due work.
      await wait(1_000);
      const store = lines.map((line) => JSON.parse(line)).filter(({ operation }) => operation === undefined);
      expect(store.map(({ msg }) => msg)).toEqual(['the store accepts no writes']);
      expect(store[0].err.message).toMatch(/^PostgreSQL at .* can't be reached \(\w+\)\.$/);

      await database.restart();
      await expect.poll(() => ready(server), { timeout: 5_000 }).toBe(200);
      const again = await order(server, 'before');
      expect(again.status).toBe(201);
      expect(await again.text()).toBe(await before.text());
      expect((await order(server, 'during')).status).toBe(201);
      expect(JSON.parse(lines.at(-1) ?? '').msg).toBe('the store accepts writes again');
    },
    30_000,
  );
});

describe('a server whose database is frozen', () => {
  let relay: TcpRelay;
  let server: RunningServer;
  beforeAll(async () => {
    const url = new URL(await database.newSchema());
    relay = await startTcpRelay(Number(url.port));
    url.port = String(relay.port);
    server = await startSandbox({ TOPUP_STORE: url.href });
  }, 60_000);
  afterAll(async () => {
    await server?.close();
    await relay?.[Symbol.asyncDispose]();
  });

  async function get(path: string) {
    const headers = { 'X-API-KEY': server.sandboxKey ?? '' };
    const response = await fetch(new URL(path, server.localUrl), { headers });
    return { status: response.status, body: await response.text() };
  }

  it('serves catalogue reads from memory while the database is frozen, and reports itself unhealthy', async () => {
    const before = await get('/api/games');
    expect((await get('/health')).status).toBe(200);

    // From here on, nothing that needs the database gets a response. How long requests wait for it is tried with a clock that stands
    // still: postgres-revision.test.ts, readiness.test.ts.
    relay.freeze();
    const reads = await Promise.all(Array.from({ length: 20 }, () => get('/api/games')));
    expect(reads).toEqual(Array(20).fill(before));
    expect((await get('/api/order/mobile-legends')).status).toBe(200);
    await expect.poll(async () => (await get('/health')).status, { timeout: 5_000 }).toBe(503);
    relay.cut();
    relay.thaw();
    await expect.poll(async () => (await get('/health')).status, { timeout: 5_000 }).toBe(200);
  });
});
