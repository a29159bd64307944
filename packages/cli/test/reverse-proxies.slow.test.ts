import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sandboxKey } from '@topup-kit/core/contract';
import { sandboxCatalogFile } from '@topup-kit/core/sandbox';
import { openStore } from '@topup-kit/server';
import { startSimulators } from '@topup-kit/simulators';
import { describe, expect, it } from 'vitest';
import { freePort } from '../../../test/free-port.ts';
import { spawnTopup } from './helpers/child.ts';
import { temporaryFolder } from './helpers/folder.ts';
import { keepSocket, missingKeeper } from './helpers/kept-socket.ts';
import { deployed, proxies, type proxies as proxyList, startProxy } from './helpers/reverse-proxy.ts';
import { until } from './helpers/run.ts';

const ownKey = 'key-of-this-test-0123456789';
const metricsToken = 'token-of-this-test';
const order = {
  ...{ id: '12345678', server: '2012', game: 'mobile-legends', product_id: 901, payment_method_id: 12 },
  whatsapp: '081234567890',
};

type Proxy = (typeof proxyList)[number];

/** Starts a server as a process, waits until it responds, and returns what stops it. */
async function startServer(port: number, environment: Record<string, string>) {
  const server = spawnTopup(['serve'], [], {
    PORT: String(port),
    TOPUP_METRICS_TOKEN: metricsToken,
    ...environment,
  });
  const directly = (path: string, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers });
  await until(() => directly('/livez').catch(() => server.process.exitCode !== null), 15_000);
  if (server.process.exitCode !== null) throw new Error(server.said.stderr);
  return {
    directly,
    async stop() {
      server.process.kill('SIGTERM');
      expect(await server.ended).toEqual({ code: 0, signal: null });
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** A sandbox with a key of its own behind a proxy. */
async function startSandboxBehind(proxy: Proxy) {
  await using resources = new AsyncDisposableStack();
  const folder = resources.use(temporaryFolder());
  const port = await freePort();
  const environment = {
    TOPUP_MODE: 'sandbox',
    TOPUP_STORE: `file:${join(folder.path, 'topup.db')}`,
    TOPUP_API_KEY: ownKey,
    TOPUP_PUBLIC_URL: 'http://shop.example',
  };
  const server = resources.use(await startServer(port, environment));
  const edge = resources.use(await startProxy(proxy, port));
  const owned = resources.move();
  return {
    ...{ server, edge, path: join(folder.path, 'topup.db') },
    restart: async () => void owned.use(await startServer(port, environment)),
    post: (body: unknown, key = ownKey) =>
      edge.send('/api/order', {
        method: 'POST',
        headers: { 'X-API-KEY': key, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** The settings of shop.env. */
const shopSettings = Object.fromEntries(
  [...deployed('shop.env').matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
);

/** A live server with the committed settings behind a proxy; its providers are simulated. */
async function startLiveBehind(proxy: Proxy, settings: Record<string, string> = {}) {
  await using resources = new AsyncDisposableStack();
  const folder = resources.use(temporaryFolder());
  const port = await freePort();
  const simulators = resources.use(await startSimulators({ port: 0 }));
  const providers = simulators.providers.filter(({ name }) => ['tripay', 'digiflazz'].includes(name));
  const catalog = join(folder.path, 'shop.json');
  writeFileSync(catalog, JSON.stringify(sandboxCatalogFile));
  const credentials = Object.assign({}, ...providers.map(({ credentials }) => credentials));
  const path = join(folder.path, 'topup.db');
  const server = resources.use(
    await startServer(port, {
      ...shopSettings,
      ...credentials,
      ...Object.fromEntries(
        providers.map(({ name, baseUrl }) => [`${name.toUpperCase()}_BASE_URL`, baseUrl] as const),
      ),
      TOPUP_STORE: `file:${path}`,
      TOPUP_CATALOG: catalog,
      ...settings,
    }),
  );
  const edge = resources.use(await startProxy(proxy, port));
  const owned = resources.move();
  /** A callback of the gateway with a right signature, about a payment that nobody knows. */
  const callBack = (from: string, headers: Record<string, string> = {}) => {
    const body = JSON.stringify({
      reference: 'X1',
      merchant_ref: 'X',
      status: 'PAID',
      total_amount: 1,
      paid_at: 1,
    });
    const signature = createHmac('sha256', credentials.TRIPAY_PRIVATE_KEY).update(body).digest('hex');
    const signed = { 'X-Callback-Signature': signature, 'X-Callback-Event': 'payment_status' };
    const all = { 'Content-Type': 'application/json', ...signed, ...headers };
    return edge.send('/callback/tripay', { method: 'POST', headers: all, body, from });
  };
  return { server, edge, path, callBack, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** Headers by which a client could pretend to have another address. */
const forged = (address: string): Record<string, string> => ({
  'X-Forwarded-For': address,
  'X-Real-IP': address,
  Forwarded: `for=${address}`,
  'X-Client-IP': address,
});

describe.each(proxies)('runs behind $name with its committed configuration', { timeout: 60_000 }, (proxy) => {
  const title = (text: string): string =>
    proxy.missing === null ? text : `${text} (skipped: ${proxy.missing})`;
  const runs = it.skipIf(proxy.missing !== null);

  runs(title('serves an order over TLS, and sends plain HTTP there'), async () => {
    await using shop = await startSandboxBehind(proxy);
    const placed = await shop.post(order);
    expect(placed.status).toBe(201);
    expect(placed.headers['strict-transport-security']).toBe('max-age=31536000');
    const { orderId, data } = JSON.parse(placed.body);
    expect(data.payment_url).toMatch(/^http:\/\/shop\.example\/pay\//);

    const headers = { 'X-API-KEY': ownKey, 'X-Request-Id': 'of-the-client-1' };
    const invoice = await shop.edge.send(`/api/invoice/${orderId}`, { headers });
    expect(invoice.status).toBe(200);
    expect(invoice.headers['x-request-id']).toBe('of-the-client-1');
    const page = new URL(data.payment_url).pathname;
    const shown = await shop.edge.send(page, { headers: { 'Accept-Encoding': 'gzip, br' } });
    expect(shown.status).toBe(200);
    expect(shown.headers['content-encoding']).toBeUndefined();

    const plain = await fetch(`${shop.edge.plainUrl}/api/games`, {
      ...{ redirect: 'manual', headers: { Host: 'shop.example' } },
    });
    expect(plain.status).toBe(308);
    expect(plain.headers.get('location')).toMatch(/^https:\/\//);

    await shop.server.stop();
    expect((await shop.edge.send(page)).status).toBe(502);

    // The proxy's own logs tell of the requests, but have no key, no order and no reference of a payment.
    const log = await until(() => /of-the-client-1[\s\S]*\b502\b/.test(shop.edge.log()) && shop.edge.log());
    for (const secret of [ownKey, orderId, page]) expect(log).not.toContain(secret);
  });

  runs(title('the limits count the real address, whatever the client claims'), async () => {
    await using shop = await startLiveBehind(proxy, { TOPUP_READS_PER_MINUTE: '3' });
    const attempt = (from: string, claim: string) =>
      shop.edge.send('/api/games', { from, headers: { 'X-API-KEY': 'wrong', ...forged(claim) } });
    for (let count = 1; count <= 3; count += 1)
      expect((await attempt('127.0.0.5', `203.0.113.${count}`)).status).toBe(401);
    const limited = await attempt('127.0.0.5', '203.0.113.9');
    expect(limited.status).toBe(429);
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
    expect((await attempt('127.0.0.6', '127.0.0.5')).status).toBe(401);
  });

  runs(title('callbacks come through from allowed addresses only'), async () => {
    await using shop = await startLiveBehind(proxy, { TOPUP_CALLBACK_ADDRESSES: '127.0.0.7' });
    // Money without an order, which is kept for an operator.
    expect((await shop.callBack('127.0.0.7')).status).toBe(200);
    expect((await shop.callBack('127.0.0.8', forged('127.0.0.7'))).status).toBe(403);
    const store = openStore({ kind: 'file', path: shop.path });
    // Of what another address sends, the address is kept, within a second or so.
    const kept = await until(async () => {
      const found = await store.listCallbacks({ limit: 10 });
      return found.length === 2 ? found : null;
    });
    expect(kept.map(({ address, outcome, body }) => [address, outcome, body.length > 0])).toEqual([
      ['127.0.0.8', 'rejected', false],
      ['127.0.0.7', 'reconciliation', true],
    ]);
    await store.close();
  });

  runs(title('what is for this machine only is not reachable from outside'), async () => {
    await using shop = await startSandboxBehind(proxy);
    const games = (key: string) => shop.edge.send('/api/games', { headers: { 'X-API-KEY': key } });
    expect((await games(sandboxKey)).status).toBe(401);
    expect((await games(ownKey)).status).toBe(200);

    const token = { Authorization: `Bearer ${metricsToken}` };
    expect((await shop.server.directly('/metrics', token)).status).toBe(200);
    expect((await shop.server.directly('/sandbox', { 'X-API-KEY': sandboxKey })).status).toBe(200);
    const hidden = [
      '/metrics',
      '/%6detrics',
      '/metrics?a',
      '/sandbox',
      '/sandbox/clock',
      '/%73andbox',
      '/sandbox/',
    ];
    for (const path of hidden) {
      const answer = await shop.edge.send(path, { headers: { ...token, 'X-API-KEY': ownKey } });
      expect({ path, status: answer.status }).toEqual({ path, status: 404 });
      // The proxy's own, not the server's.
      expect(answer.headers['x-request-id']).toBeUndefined();
    }
  });

  runs(title('rejects large bodies, and goes on'), async () => {
    await using shop = await startSandboxBehind(proxy);
    const large = await shop.post({ ...order, id: 'x'.repeat(70_000) });
    expect(large.status).toBe(413);
    expect(JSON.parse(large.body).error_code).toBe('PAYLOAD_TOO_LARGE');
    // A proxy that responds before it has the whole body closes the connection, so that who still sends may miss the response.
    const missed = (error: NodeJS.ErrnoException): { status: number } => {
      if (error.code === 'ECONNRESET' || error.code === 'EPIPE') return { status: 413 };
      throw error;
    };
    for (const bytes of [200_000, 3_000_000])
      expect((await shop.post({ ...order, id: 'x'.repeat(bytes) }).catch(missed)).status).toBe(413);
    expect((await shop.post(order)).status).toBe(201);
  });

  runs(
    title('a restart behind it loses no order that was confirmed, and places none that was not'),
    async () => {
      await using shop = await startSandboxBehind(proxy);
      const reads: number[] = [];
      const orders: number[] = [];
      let stopped = false;
      const clients = Array.from({ length: 8 }, async () => {
        while (!stopped) {
          orders.push((await shop.post(order)).status);
          reads.push((await shop.edge.send('/api/games', { headers: { 'X-API-KEY': ownKey } })).status);
        }
      });
      await until(() => reads.length >= 50);
      await shop.server.stop();
      await shop.restart();
      const before = reads.length;
      await until(() => reads.length >= before + 50, 20_000);
      stopped = true;
      await Promise.all(clients);

      // While nothing listens, nginx responds with 502. Caddy waits for the server, but in Debian's version 2.6 can't send the
      // body of a request a second time.
      const others = (statuses: number[], usual: number) =>
        [...new Set(statuses)].filter((status) => status !== usual);
      expect(others(reads, 200)).toEqual(proxy.name === 'nginx' ? [502] : []);
      expect([[], [502]]).toContainEqual(others(orders, 201));
      const store = openStore({ kind: 'file', path: shop.path });
      const stored = await store.countOrders();
      await store.close();
      expect(stored.reduce((sum, { count }) => sum + count, 0)).toBe(
        orders.filter((status) => status === 201).length,
      );
    },
  );

  runs(title('writes its own first line, headers and chunks, whatever the client has written'), async () => {
    /** All that the proxy sends on. */
    let received = '';
    /** A body may come after its head. */
    const isWhole = (request: string): boolean => {
      if (/^transfer-encoding: chunked\r$/im.test(request)) return request.endsWith('\r\n0\r\n\r\n');
      return request.endsWith(/^content-length:/im.test(request) ? '\r\n\r\n{}' : '\r\n\r\n');
    };
    const upstream = createServer((socket) => {
      socket.on('error', () => {}).setEncoding('latin1');
      socket.on('data', (chunk) => {
        received += chunk;
        if (isWhole(received)) socket.end('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n');
      });
    }).listen(0, '127.0.0.1');
    await once(upstream, 'listening');
    // Safe: it listens on a port.
    await using edge = await startProxy(proxy, (upstream.address() as AddressInfo).port);
    const head = (line: string, headers = ''): string =>
      `${line}\r\nHost: shop.example\r\nConnection: close\r\n${headers}\r\n`;
    const chunks = '2;a=b\r\n{}\r\n0;c\r\n\r\n';
    for (const sent of [
      head('GET  /a  HTTP/1.1'),
      head('GET /a RTSP/1.0'),
      head('GET /a HTTP/1.1', `X-A:${' '.repeat(2_000)}b\r\n`),
      head('POST /a HTTP/1.1', 'Transfer-Encoding: chunked\r\n') + chunks,
    ]) {
      received = '';
      await edge.sendRaw(sent);
      // What it rejects itself is also fine.
      expect(received).toMatch(/^$|^(GET|POST) \/a HTTP\/1\.1\r\n/);
      expect(received).not.toMatch(/;|RTSP| {2}/);
    }
    // The last one was sent on.
    expect(received).toMatch(/\r\n\r\n(2\r\n\{\}\r\n0\r\n\r\n|\{\})$/);
    upstream.close();
  });

  const keeps = it.skipIf(proxy.missing !== null || missingKeeper !== null);
  keeps(
    title(
      `a restart of a server whose socket systemd keeps open lets every request wait${missingKeeper === null ? '' : ` (skipped: ${missingKeeper})`}`,
    ),
    async () => {
      using folder = temporaryFolder();
      await using socket = await keepSocket({
        TOPUP_MODE: 'sandbox',
        TOPUP_STORE: `file:${join(folder.path, 'topup.db')}`,
        TOPUP_API_KEY: ownKey,
        TOPUP_PUBLIC_URL: 'http://shop.example',
      });
      await socket.start();
      await using edge = await startProxy(proxy, socket.port);
      const statuses: number[] = [];
      let stopped = false;
      const clients = Array.from({ length: 8 }, async () => {
        const headers = { 'X-API-KEY': ownKey, 'Content-Type': 'application/json' };
        while (!stopped) {
          const sent = { method: 'POST', headers, body: JSON.stringify(order) };
          statuses.push((await edge.send('/api/order', sent)).status);
          statuses.push((await edge.send('/api/games', { headers })).status);
        }
      });
      for (const count of [1, 2, 3]) {
        await until(() => statuses.length >= count * 50, 20_000);
        expect(await socket.stop()).toBe(0);
        // Nothing listens for so long.
        await wait(500);
        await socket.start();
      }
      const before = statuses.length;
      await until(() => statuses.length >= before + 50, 20_000);
      stopped = true;
      await Promise.all(clients);
      expect([...new Set(statuses)].toSorted()).toEqual([200, 201]);
    },
  );
});
