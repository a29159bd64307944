import { hash } from 'node:crypto';
import type { Scope } from '../../src/contract/index.ts';
import { sandboxKey } from '../../src/contract/index.ts';
import {
  type AppDependencies,
  type AppSettings,
  createApp,
  createRenderers,
  defaultLimits,
  mountCallbacks,
  paymentPath,
} from '../../src/features/app.ts';
import {
  type CallbackReport,
  createCallbacks,
  createEngine,
  createProviderHealth,
  createWorldClock,
  type EngineEvent,
  eraseOldOrders,
  handleCallbacks,
  issueKey,
  keepSupplierLists,
  sendWebhooks,
  type WebhookHost,
  type WebhookOutcome,
} from '../../src/features/index.ts';
import {
  createFaults,
  createJournal,
  createSandbox,
  createScenarioSwitch,
  sandboxInApp,
} from '../../src/features/sandbox/index.ts';
import { type Catalog, createMemoryStore, type Store } from '../../src/features/store.ts';
import { createSimulatedGateway, type PaymentGateway } from '../../src/gateway/index.ts';
import { secureRandom } from '../../src/platform/index.ts';
import { sandboxCatalog } from '../../src/sandbox/index.ts';
import { createSimulatedSupplier, type Supplier } from '../../src/supplier/index.ts';

export const sha256 = (text: string): string => hash('sha256', text, 'hex');

const publicUrl = 'http://localhost';

/** The order of the open points: 2 x 86 Diamond with RAMADAN10, 40,000 in total. */
export const fixtureOrder = {
  id: '12345678',
  server: '2012',
  game: 'mobile-legends',
  product_id: 901,
  payment_method_id: 12,
  whatsapp: '081234567890',
  promo_code: 'RAMADAN10',
  quantity: 2,
};

export interface TestServiceOptions {
  catalog?: Catalog;
  /** The store of an earlier service, as after a crash. */
  after?: Store;
  /** The real time at the start, in unix milliseconds. */
  now?: number;
  /** Wraps the store, for example to make it fail. */
  store?: (store: Store) => Store;
  gateway?: PaymentGateway;
  supplier?: Supplier;
  otherSuppliers?: readonly Supplier[];
  cheapestFirst?: boolean;
  settings?: Partial<AppSettings>;
  /** Its name among the services that use the same store. */
  serverId?: string;
  countServers?: () => number;
  /** How events are sent; left out, none are. */
  webhooks?: Omit<WebhookHost, 'report'>;
  promoMaxLoss?: number;
  replayDays?: number;
  retentionDays?: number | undefined;
  rejectUnknownAccounts?: boolean;
  noteRejection?: AppDependencies['noteRejection'];
  mount?: AppDependencies['mount'];
}

/** The whole service in this process, with a clock that the test controls. */
export async function createTestService(options: TestServiceOptions = {}) {
  const memory = options.after ?? createMemoryStore();
  const store = options.store?.(memory) ?? memory;
  if (!options.after) await memory.replaceCatalog(options.catalog ?? sandboxCatalog());
  /** Real time, on which world time is based, and how far it was set back. */
  const clock = { now: options.now ?? Date.UTC(2026, 2, 28, 3), setBack: 0 };
  const world = createWorldClock(() => clock.now);
  const findOrder = (orderId: string) => store.findOrder(orderId);
  const scenario = createScenarioSwitch({ faults: createFaults(world.now), findOrder });
  const reported: unknown[] = [];
  const warned: string[] = [];
  /** What was reported of products that were closed or opened again. */
  const changed: Extract<EngineEvent, { type: 'products' }>['changes'][] = [];
  /** What was reported of callbacks. */
  const handled: (CallbackReport & { error: unknown })[] = [];
  /** What was reported of events that were sent. */
  const sent: WebhookOutcome[] = [];
  /** What was counted of callbacks, by outcome. */
  const counted: Record<string, number> = {};
  const settings: AppSettings = {
    publicUrl,
    basePath: '/api',
    timezone: 'Asia/Jakarta',
    locale: 'id',
    currency: 'IDR',
    limits: { ...defaultLimits, readsPerMinute: 0, ordersPerMinute: 0 },
    ...options.settings,
  };
  const simulated = createSimulatedGateway({
    clock: world.now,
    random: secureRandom,
    pageUrl: (reference) => publicUrl + paymentPath(reference),
  });
  const noteCall = createProviderHealth({
    store: memory,
    realClock: () => clock.now,
    reportError: (error) => reported.push(error),
  });
  const hashCustomer = (customer: string): string => sha256(`secret ${customer}`);
  const rules = {
    store,
    gateway: options.gateway ?? scenario.gateway(simulated),
    supplier: options.supplier ?? scenario.supplier(createSimulatedSupplier({ clock: world.now })),
    realClock: () => clock.now,
    monotonicClock: () => clock.now + clock.setBack,
    worldClock: world.now,
    random: secureRandom,
    hash: sha256,
    timezone: settings.timezone,
    ...(settings.dialect && { dialect: settings.dialect }),
    ...createRenderers(settings),
    emit(event: EngineEvent) {
      if (event.type === 'error') reported.push(event.error);
      else if (event.type === 'warning') warned.push(event.warning);
      else if (event.type === 'products') changed.push(event.changes);
      else if (event.type === 'call') noteCall(event);
    },
    fixedKeys: [{ key: sandboxKey, directOnly: true }],
    otherSuppliers: options.otherSuppliers,
    cheapestFirst: options.cheapestFirst,
    ...(options.serverId !== undefined && { serverId: options.serverId }),
    ...(options.promoMaxLoss !== undefined && { promoMaxLoss: options.promoMaxLoss }),
    ...(options.replayDays !== undefined && { replayDays: options.replayDays }),
    hashCustomer,
    ...(options.rejectUnknownAccounts && { rejectUnknownAccounts: true }),
    ...(options.countServers && { countServers: options.countServers }),
  };
  const callbacks = createCallbacks({
    ...rules,
    count(_provider, outcome) {
      counted[outcome] = (counted[outcome] ?? 0) + 1;
    },
    report: (report, error) => handled.push({ ...report, error }),
  });
  const closing = new AbortController();
  const engine = createEngine({
    ...rules,
    rooms: [
      keepSupplierLists(store),
      handleCallbacks({
        store,
        callbacks,
        closing: closing.signal,
        reportError: (error) => reported.push(error),
      }),
      ...(options.webhooks
        ? [sendWebhooks({ ...options.webhooks, store, report: (outcome) => sent.push(outcome) })]
        : []),
      ...(options.retentionDays
        ? [eraseOldOrders({ store, hashCustomer, days: options.retentionDays })]
        : []),
    ],
  });
  const journal = createJournal({
    realClock: () => clock.now,
    monotonicClock: () => clock.now + clock.setBack,
    active: scenario.active,
  });
  const sandbox = createSandbox({ store, engine, world, scenario, journal });
  const app = createApp({
    engine,
    mount(site, count) {
      options.mount?.(site, count);
      mountCallbacks(site, {
        callbacks,
        maxBodyBytes: settings.limits.bodyBytes,
        mayCall: () => true,
        reportMisdirected: () => {},
        clock: rules.monotonicClock,
        closing: closing.signal,
      });
    },
    ...(options.noteRejection && { noteRejection: options.noteRejection }),
    settings,
    room: sandboxInApp(sandbox, journal, {
      findOrder,
      maxBodyBytes: settings.limits.bodyBytes,
      hasWorlds: true,
    }),
    monotonicClock: () => clock.now + clock.setBack,
    random: secureRandom,
    hash: sha256,
    reportError: (error) => reported.push(error),
    ...(options.countServers && { countServers: options.countServers }),
  });
  const deps = { store: memory, hash: sha256, random: secureRandom, realClock: () => clock.now };

  async function send(
    path: string,
    init: RequestInit & { key?: string; address?: string; direct?: boolean } = {},
  ) {
    const { key = sandboxKey, address = '127.0.0.1', direct = true, headers, ...rest } = init;
    const request = new Request(`${publicUrl}/api${path}`, {
      ...rest,
      headers: { Accept: 'application/json', 'X-API-KEY': key, ...Object.fromEntries(new Headers(headers)) },
    });
    const response = await app.fetch(request, { address, direct });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: text === '' ? null : JSON.parse(text),
    };
  }

  return {
    app,
    engine,
    callbacks,
    closing,
    sandbox,
    journal,
    store: memory,
    clock,
    reported,
    warned,
    changed,
    handled,
    counted,
    sent,
    send,
    get: (path: string, init: Parameters<typeof send>[1] = {}) => send(path, init),
    order: (body: object = fixtureOrder, init: Parameters<typeof send>[1] = {}) =>
      send('/order', {
        method: 'POST',
        ...init,
        body: JSON.stringify(body),
        headers: { 'Content-Type': 'application/json', ...Object.fromEntries(new Headers(init.headers)) },
      }),
    /** A key of a new account. */
    keyOf: async (
      accountId: string,
      scopes: readonly Scope[] = ['catalog:read', 'orders:read', 'orders:write'],
      expiresAt: number | null = null,
    ) => (await issueKey(deps, { mode: 'test', accountId, name: accountId, scopes, expiresAt })).key,
  };
}
