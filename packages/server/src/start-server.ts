import { createServer } from 'node:http';
import { type AppSettings, defaultLimits } from '@topup-kit/core/app';
import { createWorldClock, type DueWork, type PaymentNews, sandboxKey } from '@topup-kit/core/engine';
import {
  type Catalog,
  createMemoryStore,
  type Store,
  type StoredOrder,
  type StoreMode,
} from '@topup-kit/core/store';
import { firstCatalog } from './catalog-seed.ts';
import type { ServerConfig } from './config/config.ts';
import { ConfigError } from './config/variable.ts';
import { createCloser, listen } from './http/listen.ts';
import { createRequestListener } from './http/request-listener.ts';
import { refuseSandboxParts } from './live-parts.ts';
import { createLogger } from './logger.ts';
import { openStore } from './open-store.ts';
import {
  createService,
  type ServerParts,
  type Service,
  type ServiceDependencies,
  sandboxKeys,
} from './service.ts';
import { lockForServer } from './sqlite/index.ts';
import { createWorlds } from './worlds.ts';

export interface RunningServer extends AsyncDisposable {
  /** Where this machine reaches the server. */
  localUrl: string;
  /** Where clients reach the server. */
  publicUrl: string;
  /** Where clients reach the interface. */
  baseUrl: string;
  /** The well-known key, in a sandbox. */
  sandboxKey: string | null;
  /** Whether the store was empty and was given its first catalogue. */
  seeded: boolean;
  /** Takes news of a payment from a gateway of your own; null when no order has this payment. */
  takePaymentNews(news: PaymentNews): Promise<StoredOrder | null>;
  /** Ends requests under way, then lets go of the port and the store. */
  close(): Promise<void>;
}

/** A client that is slower than this holds a socket for nothing (milliseconds). */
const slowest = 10_000;

/** Sockets are looked over this often for clients that are too slow (milliseconds). */
const lookOver = 1_000;

function settingsOf(config: ServerConfig, publicUrl: string): AppSettings {
  const { basePath, timezone, locale, currency } = config;
  // Nobody's test run should meet a rate limit by accident.
  const perMinute = (limit: number): number => (config.mode === 'sandbox' ? 0 : limit);
  return {
    publicUrl,
    basePath,
    timezone,
    locale,
    currency,
    limits: {
      ...defaultLimits,
      quantity: config.maxQuantity,
      bodyBytes: config.maxBodyBytes,
      readsPerMinute: config.readsPerMinute ?? perMinute(defaultLimits.readsPerMinute),
      ordersPerMinute: config.ordersPerMinute ?? perMinute(defaultLimits.ordersPerMinute),
    },
  };
}

/** Real time between two rounds of due work (milliseconds). */
const tickTime = 250;

/** Does what falls due for as long as the server runs. */
function keepTicking(dueWork: DueWork, resources: AsyncDisposableStack): void {
  const timer = setInterval(() => void dueWork.run(), tickTime);
  resources.defer(async () => {
    clearInterval(timer);
    await dueWork.run();
  });
}

/** Opens the store; a file is this server's alone for as long as it runs. */
function openServerStore(
  { store, host, port }: ServerConfig,
  resources: AsyncDisposableStack,
  onFailure: (error: Error) => void,
): Store {
  if (store.kind === 'file') {
    const lock = lockForServer(store.path, { pid: process.pid, address: `${host}:${port}` });
    resources.defer(() => lock.release());
  }
  const opened = openStore(store, onFailure);
  resources.defer(() => opened.close());
  return opened;
}

const otherMode = (claimed: StoreMode, mode: StoreMode): ConfigError =>
  new ConfigError(
    `The store belongs to a ${claimed} server and can't serve ${mode} mode: set TOPUP_STORE (or --store) to another file.`,
  );

/** Keeps played orders out of a live store, and a sandbox's clock and buttons away from real ones. */
async function refuseOtherMode(store: Store, mode: StoreMode): Promise<void> {
  const claimed = await store.readMode();
  if (claimed !== null && claimed !== mode) throw otherMode(claimed, mode);
}

/** What makes a store this server's own, done only when nothing stands in the way of serving it. */
async function settleIn(store: Store, mode: StoreMode, seed: Catalog | null): Promise<void> {
  const claimed = await store.claimMode(mode);
  if ('conflict' in claimed) throw otherMode(claimed.mode, mode);
  if (seed) await store.replaceCatalog(seed);
}

/** Puts the service together; over a sandbox's memory store, it is one of many worlds that begin alike. */
async function buildServer(
  config: ServerConfig,
  parts: ServerParts,
  deps: Omit<ServiceDependencies, 'fixedKeys' | 'world'> & { seed: Catalog | null },
): Promise<Service> {
  const realClock = parts.realClock ?? Date.now;
  const firstKeys = sandboxKeys(config);
  const world = createWorldClock(realClock, await deps.store.readWorldOffset());
  const first = createService(config, parts, { ...deps, fixedKeys: firstKeys, world });
  if (config.mode === 'live' || config.store.kind === 'file') return first;

  const template = createMemoryStore();
  await settleIn(template, config.mode, deps.seed);
  const start = template.snapshot();
  return createWorlds({
    first,
    firstKeys,
    open: (fixedKey) =>
      createService(config, parts, {
        ...deps,
        store: createMemoryStore(start),
        fixedKeys: [fixedKey],
        world: createWorldClock(realClock),
      }),
  });
}

/**
 * Starts a server and resolves when it answers.
 *
 * @throws ConfigError for settings it can't start with, StoreFileError for a store file it can't use.
 * @example
 * await using server = await startServer(readConfig({ TOPUP_MODE: 'sandbox', TOPUP_STORE: 'memory:', PORT: '0' }));
 * await fetch(`${server.baseUrl}/games`, { headers: { 'X-API-KEY': server.sandboxKey } });
 */
export async function startServer(config: ServerConfig, parts: ServerParts = {}): Promise<RunningServer> {
  if (config.mode === 'live') refuseSandboxParts(config, parts);
  const logger = createLogger(config.logLevel ?? (config.mode === 'live' ? 'info' : 'warn'));
  await using resources = new AsyncDisposableStack();

  const health = { failure: null as Error | null };
  const store = openServerStore(config, resources, (error) => {
    health.failure = error;
    logger.fatal({ err: error }, 'no order can be stored any more');
  });
  await refuseOtherMode(store, config.mode);
  const seed = await firstCatalog(store, { file: config.catalog, sandbox: config.mode === 'sandbox' });

  const server = createServer({
    headersTimeout: slowest,
    requestTimeout: slowest,
    connectionsCheckingInterval: lookOver,
  });
  resources.defer(createCloser(server));
  const localUrl = await listen(server, config.host, config.port);

  await settleIn(store, config.mode, seed);

  const settings = settingsOf(config, config.publicUrl ?? localUrl);
  const { app, dueWork, takePaymentNews } = await buildServer(config, parts, {
    store,
    seed,
    settings,
    logger,
    failure: () => health.failure,
  });
  keepTicking(dueWork, resources);
  server.on('request', createRequestListener(app, `${settings.basePath}/games`));
  const baseUrl = settings.publicUrl + settings.basePath;
  logger.info({ baseUrl, mode: config.mode }, 'the server answers');

  const owned = resources.move();
  const close = async (): Promise<void> => {
    await owned.disposeAsync();
    logger.info('the server stopped');
  };
  return {
    localUrl,
    publicUrl: settings.publicUrl,
    baseUrl,
    sandboxKey: config.mode === 'sandbox' ? sandboxKey : null,
    seeded: seed !== null,
    takePaymentNews,
    close,
    [Symbol.asyncDispose]: close,
  };
}
