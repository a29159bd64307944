import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openStore } from '@topup-kit/server';
import { startSimulators } from '@topup-kit/simulators';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../../test/free-port.ts';
import { startPostgres, type TestPostgres } from '../../server/test/helpers/postgres.ts';
import { type Child, spawnTopup } from './helpers/child.ts';
import { temporaryFolder } from './helpers/folder.ts';
import { deployed, proxies, startProxy } from './helpers/reverse-proxy.ts';
import { run, until } from './helpers/run.ts';

let database: TestPostgres;
beforeAll(async () => {
  database = await startPostgres();
}, 60_000);
afterAll(() => database[Symbol.asyncDispose]());

const nginx = proxies.find(({ name }) => name === 'nginx') ?? expect.fail('no nginx');
const metricsToken = 'token-of-this-test';

const goingLive = readFileSync(
  fileURLToPath(new URL('../../../docs/going-live.md', import.meta.url)),
  'utf8',
);
/** A catalogue whose codes the simulated providers know. */
const [, catalog = ''] = /cat > shop\.json <<'END'\n([\s\S]*?)\nEND\n/.exec(goingLive) ?? [];

const order = {
  ...{ id: '12345678', server: '2012', game: 'mobile-legends', product_id: 901, payment_method_id: 22 },
  whatsapp: '081234567890',
};

/** The variables of a committed file, each line of which is one. */
const settingsOf = (text: string, pattern: RegExp): Record<string, string> =>
  Object.fromEntries([...text.matchAll(pattern)].map(([, name = '', value = '']) => [name, value]));

/** The settings that compose.yaml gives both servers, with the secrets in files of a folder. */
function composeSettings(folder: string, secrets: Record<string, string>): Record<string, string> {
  const files = join(folder, 'secrets');
  mkdirSync(files, { mode: 0o700 });
  for (const [name, secret] of Object.entries(secrets))
    writeFileSync(join(files, name), `${secret}\n`, { mode: 0o400 });
  const [, ofServers = ''] =
    /^x-server:[\s\S]*?^ {2}environment:\n([\s\S]*?)^ {2}secrets:/m.exec(deployed('fleet/compose.yaml')) ??
    [];
  const settings = {
    ...settingsOf(deployed('shop.env'), /^(\w+)=(.*)$/gm),
    ...settingsOf(ofServers, /^ {4}(\w+): (.*)$/gm),
  };
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [
      name,
      value.replace('/run/secrets', files).replace('/etc/topup', folder).replace(/^""$/, ''),
    ]),
  );
}

/** Two servers on one PostgreSQL behind nginx, with the settings of examples/deployment/fleet; the providers are simulated. */
async function startFleet() {
  await using resources = new AsyncDisposableStack();
  // Servers that are started later, too.
  const processes = resources.use(new AsyncDisposableStack());
  const folder = resources.use(temporaryFolder()).path;
  const simulators = resources.use(await startSimulators({ port: 0 }));
  const providers = simulators.providers.filter(({ name }) => ['tripay', 'digiflazz'].includes(name));
  const credentials: Record<string, string> = Object.assign({}, ...providers.map((one) => one.credentials));
  const url = await database.newSchema();
  writeFileSync(join(folder, 'shop.json'), catalog);
  const settings = composeSettings(folder, {
    store: url,
    'tripay-api-key': credentials.TRIPAY_API_KEY ?? '',
    'tripay-private-key': credentials.TRIPAY_PRIVATE_KEY ?? '',
    'digiflazz-api-key': credentials.DIGIFLAZZ_API_KEY ?? '',
    'digiflazz-webhook-secret': credentials.DIGIFLAZZ_WEBHOOK_SECRET ?? '',
    'metrics-token': metricsToken,
  });
  const environment = {
    ...settings,
    ...Object.fromEntries(
      providers.map(({ name, baseUrl }) => [`${name.toUpperCase()}_BASE_URL`, baseUrl] as const),
    ),
    TRIPAY_MERCHANT_CODE: credentials.TRIPAY_MERCHANT_CODE ?? '',
    DIGIFLAZZ_USERNAME: credentials.DIGIFLAZZ_USERNAME ?? '',
    // Of this machine, where the network of the containers is not.
    TOPUP_TRUSTED_PROXIES: '127.0.0.1',
    TOPUP_ORDERS_PER_MINUTE: '0',
    TOPUP_READS_PER_MINUTE: '0',
  };
  const ports = [await freePort(), await freePort()];
  const start = async (port: number): Promise<Child> => {
    const server = processes.use(spawnTopup(['serve'], [], { PORT: String(port), ...environment }));
    const isReady = () =>
      fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    await until(async () => (await isReady()) || server.process.exitCode !== null, 15_000);
    if (server.process.exitCode !== null) throw new Error(server.said.stderr);
    return server;
  };
  const servers = [await start(ports[0] ?? 0), await start(ports[1] ?? 0)];
  const edge = resources.use(await startProxy(nginx, ...ports));
  const store = openStore({ kind: 'postgres', url });
  resources.defer(() => store.close());
  const made = await run(['keys', 'create', '--name', 'shop', '--quiet'], {
    environment: { TOPUP_STORE: url },
  });
  expect(made).toMatchObject({ code: 0 });
  const headers = { 'X-API-KEY': made.stdout.trim(), 'Content-Type': 'application/json' };
  const readGames = async (): Promise<number> => (await edge.send('/api/games', { headers })).status;
  const place = () => edge.send('/api/order', { method: 'POST', headers, body: JSON.stringify(order) });
  const owned = resources.move();
  return {
    edge,
    servers,
    ports,
    start,
    store,
    readGames,
    place,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const title =
  'two servers behind the nginx of examples/deployment/fleet are stopped one after the other, then one is killed: requests go on';

it.skipIf(nginx.missing !== null)(
  nginx.missing === null ? title : `${title} (skipped: ${nginx.missing})`,
  {
    timeout: 120_000,
  },
  async () => {
    await using fleet = await startFleet();
    await using clientsFirst = new AsyncDisposableStack();
    const { servers, ports } = fleet;
    const acknowledged = new Set<string>();
    /** Other statuses than those of success. */
    const failures: number[] = [];
    let reads = 0;
    let isEnding = false;
    const clients = Array.from({ length: 6 }, async () => {
      while (!isEnding) {
        const placed = await fleet.place();
        if (placed.status === 201) acknowledged.add(JSON.parse(placed.body).orderId);
        else failures.push(placed.status);
        const read = await fleet.readGames();
        if (read === 200) reads += 1;
        else failures.push(read);
      }
    });
    const endClients = async (): Promise<void> => {
      isEnding = true;
      await Promise.all(clients);
    };
    clientsFirst.defer(endClients);
    const more = async (): Promise<void> => {
      const [orders, before] = [acknowledged.size, reads];
      await until(() => acknowledged.size >= orders + 20 && reads >= before + 20, 20_000);
    };

    await more();
    for (const [index, server] of servers.entries()) {
      server.process.kill('SIGTERM');
      expect(await server.ended).toEqual({ code: 0, signal: null });
      await more();
      servers[index] = await fleet.start(ports[index] ?? 0);
      await more();
    }
    // nginx may write an order to a connection that the server closes at that moment, because it was idle. It must not send an order
    // again, and responds with 502: the client has to, with its key. That takes a machine so busy that nginx has not seen the end yet.
    expect(failures.filter((status) => status !== 502)).toEqual([]);
    expect(failures.length).toBeLessThanOrEqual(servers.length);
    const beforeKill = failures.length;

    servers[0]?.process.kill('SIGKILL');
    await servers[0]?.ended;
    await more();
    // Only what the killed server was doing; nginx never sends an order to two servers.
    expect(failures.filter((status) => status !== 502)).toEqual([]);
    expect(failures.length).toBeLessThanOrEqual(beforeKill + clients.length);
    const atKill = failures.length;
    await more();
    expect(failures.length).toBe(atKill);
    await endClients();

    const stored = (await fleet.store.countOrders()).reduce((sum, { count }) => sum + count, 0);
    expect(stored).toBeGreaterThanOrEqual(acknowledged.size);
    expect(stored).toBeLessThanOrEqual(acknowledged.size + failures.length);
    for (const orderId of acknowledged)
      expect(await fleet.store.findOrder(orderId)).toMatchObject({ orderId });

    const hidden = await fleet.edge.send('/metrics', {
      headers: { Authorization: `Bearer ${metricsToken}` },
    });
    expect(hidden.status).toBe(404);
    const direct = await fetch(`http://127.0.0.1:${ports[1]}/metrics`, {
      headers: { Authorization: `Bearer ${metricsToken}` },
    });
    expect(direct.status).toBe(200);
  },
);
