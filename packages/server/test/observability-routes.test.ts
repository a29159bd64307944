import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { BuyStatus } from '@topup-kit/core/contract';
import { sandboxKey } from '@topup-kit/core/contract';
import { alertKinds } from '@topup-kit/core/engine';
import { sandboxCatalog } from '@topup-kit/core/sandbox';
import { createMemoryStore } from '@topup-kit/core/store';
import type { FindPurchaseResult, Supplier } from '@topup-kit/core/supplier';
import { describe, expect, it, vi } from 'vitest';
import { callbackGateway, callbackSupplier } from '../../core/test/helpers/providers.ts';
import { createTestService } from '../../core/test/helpers/test-service.ts';
import type { ServerOverrides } from '../src/index.ts';
import { createMetrics } from '../src/observability/metrics.ts';
import { observedParts, type ProviderCall } from '../src/observability/providers.ts';
import { createReadiness, mountProbes } from '../src/observability/readiness.ts';
import { createSqliteStore } from '../src/sqlite/index.ts';
import { postOrder } from './helpers/orders.ts';
import { startSandbox as start, temporaryFolder } from './helpers/sandbox.ts';

const startSandbox = (environment: Record<string, string> = {}, parts: ServerOverrides = {}) =>
  start({ TOPUP_LOG_LEVEL: 'silent', ...environment }, parts);

const placeOrder = (baseUrl: string) => postOrder(baseUrl);

/** The values of the metrics of a server, by name and labels. */
async function metricsOf(
  publicUrl: string,
  headers: Record<string, string> = {},
): Promise<Map<string, number>> {
  const response = await fetch(`${publicUrl}/metrics`, { headers });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=/);
  const lines = (await response.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
}

describe('/metrics', () => {
  it("counts requests by operation and status, and reports the store's state", async () => {
    await using folder = await temporaryFolder();
    await using server = await startSandbox({ TOPUP_STORE: `file:${join(folder.path, 'topup.db')}` });
    for (let count = 0; count < 3; count += 1)
      await (await fetch(`${server.baseUrl}/games`, { headers: { 'X-API-KEY': sandboxKey } })).text();
    await (await fetch(`${server.baseUrl}/games`)).text();
    const orders = await Promise.all([1, 2, 3].map(async () => (await placeOrder(server.baseUrl)).json()));
    await fetch(`${server.publicUrl}/sandbox/orders/${orders[0].orderId}/pay`, { method: 'POST' });
    await fetch(`${server.publicUrl}/sandbox/orders/${orders[0].orderId}/pay-again`, { method: 'POST' });
    await fetch(`${server.publicUrl}/sandbox/orders/${orders[1].orderId}/expire`, { method: 'POST' });
    const metrics = await metricsOf(server.publicUrl);
    const requests = (labels: string) => metrics.get(`topup_http_request_duration_seconds_count{${labels}}`);
    expect(requests('operation="listGames",status="200"')).toBe(3);
    expect(requests('operation="listGames",status="401"')).toBe(1);
    expect(requests('operation="createOrder",status="201"')).toBe(3);
    expect(metrics.get('topup_orders{payment_status="UNPAID",buy_status="Pending"}')).toBe(1);
    expect(metrics.get('topup_orders{payment_status="EXPIRED",buy_status="Batal"}')).toBe(1);
    expect(metrics.get('topup_open_reconciliations')).toBe(1);
    const alerts = alertKinds.map((alert) => [alert, metrics.get(`topup_alerts{alert="${alert}"}`)]);
    expect(Object.fromEntries(alerts)).toEqual({
      ...Object.fromEntries(alertKinds.map((alert) => [alert, 0])),
      'money-without-an-order': 1,
    });
    expect(metrics.get('topup_payment_events_total{outcome="reconciliation"}')).toBe(1);
    expect(metrics.get('topup_store_commit_commands_count')).toBeGreaterThan(3);
    expect(metrics.get('topup_store_bytes{file="main"}')).toBeGreaterThan(4_095);
    expect(metrics.get('topup_due_work_lag_seconds')).toBeLessThan(5);
    expect(metrics.get('topup_store_writable')).toBe(1);
    expect(metrics.get('process_resident_memory_bytes')).toBeGreaterThan(0);
  });

  it.each([
    ['no writes', 'store_failed', 0],
    ['no writes in time', 'store_not_writable', 0],
    ['writes', null, 1],
    ['writes while the server stops', 'shutting_down', 1],
  ] as const)('reports that the store accepts %s', async (_what, reason, value) => {
    const metrics = createMetrics();
    const whyUnready = async () => reason;
    metrics.watch({ store: createMemoryStore(), path: null, realClock: Date.now, whyUnready });
    expect((await metrics.render()).text).toContain(`\ntopup_store_writable ${value}\n`);
  });

  it('counts each request once, however often metrics are read', async () => {
    const metrics = createMetrics();
    for (let count = 1; count < 4; count += 1) {
      metrics.countRequest('listGames', 200, 2);
      expect((await metrics.render()).text).toContain(
        `topup_http_request_duration_seconds_count{operation="listGames",status="200"} ${count}\n`,
      );
    }
  });

  it('removes the metric of a state without orders', async () => {
    const metrics = createMetrics();
    let buyStatus: BuyStatus = 'Proses';
    const countOrders = async () => [{ paymentStatus: 'PAID', buyStatus, count: 7 } as const];
    const store = { ...createMemoryStore(), countOrders };
    metrics.watch({ store, path: null, realClock: Date.now, whyUnready: async () => null });
    expect((await metrics.render()).text).toContain(
      'topup_orders{payment_status="PAID",buy_status="Proses"} 7',
    );
    buyStatus = 'Sukses';
    const { text } = await metrics.render();
    expect(text.match(/^topup_orders\{.*/gm)).toEqual([
      'topup_orders{payment_status="PAID",buy_status="Sukses"} 7',
    ]);
  });

  it('reports the delay of due work, in world time', async () => {
    const metrics = createMetrics();
    const store = { ...createMemoryStore(), nextDueAt: async () => 70_000 };
    await store.moveWorld(60_000);
    metrics.watch({ store, path: null, realClock: () => 15_000, whyUnready: async () => null });
    expect((await metrics.render()).text).toContain('\ntopup_due_work_lag_seconds 5\n');
  });

  it('reports within seconds that another process has locked the store', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'topup.db');
    await using server = await startSandbox({ TOPUP_STORE: `file:${path}` });
    using other = new DatabaseSync(path, { timeout: 1_000 });
    other.exec('BEGIN IMMEDIATE');
    const isWritable = async () => (await metricsOf(server.publicUrl)).get('topup_store_writable');
    await expect.poll(isWritable, { timeout: 5_000 }).toBe(0);
    other.exec('ROLLBACK');
    await expect.poll(isWritable, { timeout: 5_000 }).toBe(1);
  });

  it('never reports a value that is not a number', async () => {
    // The metrics of a process are measured from its first scrape on.
    vi.resetModules();
    const { createMetrics: create } = await import('../src/observability/metrics.ts');
    const { text } = await create().render();
    expect(text).toContain('process_resident_memory_bytes ');
    expect(text).not.toMatch(/ nan$/im);
  });

  it('counts calls to providers by their results, even if an adapter ignores its time-out', async () => {
    const { gateway } = callbackGateway({
      createPayment: async () => {
        throw new Error('no');
      },
    });
    const supplier = { ...callbackSupplier().supplier, readBalance: async () => 5 };
    await using server = await startSandbox({}, { gateway, supplier });
    await placeOrder(server.baseUrl);
    const metrics = await metricsOf(server.publicUrl);
    const calls = (labels: string) => metrics.get(`topup_provider_call_duration_seconds_count{${labels}}`);
    expect(calls('provider="paygate",call="createPayment",outcome="error"')).toBe(1);
    expect(calls('provider="paygate",call="findPayment",outcome="ok"')).toBe(1);
    expect(calls('provider="depot",call="readBalance",outcome="ok"')).toBe(1);
  });

  it('counts the commands of a commit', async () => {
    await using folder = await temporaryFolder();
    const sizes: number[] = [];
    const store = createSqliteStore({
      path: join(folder.path, 'topup.db'),
      onCommit: (commands) => sizes.push(commands),
    });
    await Promise.all([1, 2, 3].map((by) => store.moveWorld(by)));
    await store.revokeKey('nobody', 1);
    await store.moveWorld(1);
    await store.close();
    expect(sizes).toEqual([3, 1]);
  });

  it("counts products that cost more than their price while the supplier's list is valid", async () => {
    const metrics = createMetrics();
    const store = createMemoryStore();
    await store.replaceCatalog(sandboxCatalog());
    const clock = { now: 1_000 };
    metrics.watch({ store, path: null, realClock: () => clock.now, whyUnready: async () => null });
    const count = async () => /\ntopup_products_below_cost (\S+)\n/.exec((await metrics.render()).text)?.[1];
    expect(await count()).toBe('0');
    // 901 is sold for 22,000, 904 for 7,800.
    const listed = { isAvailable: true, stock: null, isOncePerDay: false, pause: null };
    const products = [
      { ...listed, code: 'ML86', price: 22_001 },
      { ...listed, code: 'ML28', price: 7_801 },
    ];
    await store.saveSupplierList({ supplier: 'depot', readAt: clock.now, products });
    expect(await count()).toBe('2');
    clock.now += 24 * 60 * 60_000;
    expect(await count()).toBe('0');
  });

  it("reports metrics even if the store can't be read", async () => {
    const metrics = createMetrics();
    const store = createMemoryStore();
    const broken = () => Promise.reject(new Error('damaged'));
    metrics.watch({
      store: { ...store, countOrders: broken, nextDueAt: broken },
      path: null,
      realClock: Date.now,
      whyUnready: async () => null,
    });
    metrics.countRequest('listGames', null, 2);
    const { text } = await metrics.render();
    expect(text).toContain(
      'topup_http_request_duration_seconds_count{operation="listGames",status="aborted"} 1',
    );
    expect(text).toContain('topup_open_reconciliations 0');
    expect(text).not.toMatch(/^topup_due_work_lag_seconds|^topup_orders/m);
  });

  it('counts a call as a time-out if the adapter ignores the abort', () => {
    const calls: ProviderCall[] = [];
    const own: Supplier = {
      ...callbackSupplier().supplier,
      find: () => new Promise<FindPurchaseResult>(() => {}),
    };
    const { supplier } = observedParts({ supplier: Object.freeze(own) }, (call) => calls.push(call));
    const time = new AbortController();
    const purchase = { reference: 'INV-1-2-3', productCode: '', target: { id: '', server: null, text: '' } };
    void supplier?.find({ ...purchase, maxPrice: 1, askedAt: 1, supplierId: null }, time.signal);
    expect(calls).toEqual([]);
    time.abort();
    expect(calls).toMatchObject([{ provider: 'depot', call: 'find', orderId: 'INV-1', outcome: 'timeout' }]);
    expect(supplier).not.toHaveProperty('readBalance');
    expect(supplier?.readBalance).toBeUndefined();
  });

  const token = 'a-token-of-some-length';
  it.each([
    ['a direct request to a sandbox', {}, {}, 200],
    ['a request through a proxy', {}, { 'X-Forwarded-For': '1.2.3.4' }, 404],
    ['a proxy with the token', { TOPUP_METRICS_TOKEN: token }, { Authorization: `Bearer ${token}` }, 200],
    ['a proxy with another token', { TOPUP_METRICS_TOKEN: token }, { Authorization: 'Bearer a-token' }, 404],
    ['a proxy with no token set', {}, { Authorization: 'Bearer undefined' }, 404],
    ['a proxy with an API key', { TOPUP_METRICS_TOKEN: token }, { 'X-API-KEY': sandboxKey }, 404],
  ])('shows the permitted metrics to %s', async (name, environment, headers, status) => {
    await using server = await startSandbox(environment);
    const proxied = name.includes('proxy') ? { Via: '1.1 proxy' } : {};
    const response = await fetch(`${server.publicUrl}/metrics`, { headers: { ...proxied, ...headers } });
    expect(response.status).toBe(status);
    if (status !== 200) expect(await response.text()).not.toContain('topup_');
  });
});

describe('/readyz', () => {
  it('responds with 200 while the server works, without a key', async () => {
    await using server = await startSandbox();
    for (const path of ['/livez', '/readyz']) {
      const response = await fetch(server.publicUrl + path, { headers: { Via: '1.1 proxy' } });
      expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }]);
    }
  });

  const working = {
    write: async () => ({}),
    failure: () => null,
    isClosing: () => false,
  };
  it.each([
    ['the server is shutting down', { isClosing: () => true }, 'shutting_down'],
    ['a write left the store in an unknown state', { failure: () => new Error('EIO') }, 'store_failed'],
    ['the store rejects writes', { write: () => Promise.reject(new Error('busy')) }, 'store_not_writable'],
    ['the store does not respond', { write: () => new Promise(() => {}) }, 'store_not_writable'],
    ['nothing is wrong', {}, null],
  ])('detects that %s', async (_name, over, reason) => {
    expect(await createReadiness({ ...working, ...over })()).toBe(reason);
  });

  it('responds with a 503 and a time to retry while the server is not ready', async () => {
    const { mount, ...rest } = { mount: mountProbes, whyUnready: async () => 'store_failed' as const };
    const service = await createTestService({
      mount: (router) => mount(router, { ...rest, metrics: createMetrics(), metricsToken: undefined }),
    });
    const response = await service.app.fetch(new Request('http://localhost/readyz'));
    expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '1']);
  });

  it('writes to the store at most once a second', async () => {
    let writes = 0;
    const whyUnready = createReadiness({ ...working, write: async () => (writes += 1) });
    for (let count = 0; count < 100; count += 1) await whyUnready();
    expect(writes).toBe(1);
  });
});
