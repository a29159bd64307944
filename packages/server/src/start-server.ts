import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { type AppSettings, defaultLimits } from '@topup-kit/core/app';
import { completeDialect, type Dialect } from '@topup-kit/core/contract';
import {
  createProviderProblems,
  createWorldClock,
  type DueWork,
  isOfStore,
  type PaymentEvent,
  sandboxKey,
} from '@topup-kit/core/engine';
import {
  type Catalog,
  createMemoryStore,
  emptyCatalog,
  type Store,
  type StoredOrder,
} from '@topup-kit/core/store';
import type { Logger } from 'pino';
import { watchStore } from './alerts.ts';
import { rejectInvalidAdapters } from './config/adapters.ts';
import { type ServerConfig, variables } from './config/config.ts';
import { createBusyResponse } from './edge/busy-response.ts';
import { createClientAddresses, warnOfUntrustedProxy } from './edge/client-address.ts';
import { createCloser } from './edge/close.ts';
import { TrackedResponse } from './edge/connections.ts';
import { createDirectCheck, explainOnce, withHint } from './edge/direct.ts';
import { installGuard } from './edge/guard.ts';
import { createListeners, holdRequests } from './edge/listen.ts';
import { createShedding } from './edge/load-shedding.ts';
import { createRequestListener } from './edge/serve.ts';
import { createWriter } from './edge/write.ts';
import { createLogger } from './observability/logger.ts';
import { createMetrics } from './observability/metrics.ts';
import { observedParts } from './observability/providers.ts';
import { createReadiness } from './observability/readiness.ts';
import {
  createCallLog,
  createRejectionLog,
  createRequestLog,
  createShedLog,
} from './observability/request-log.ts';
import { traceSecrets, wantsTraces } from './observability/trace-settings.ts';
import { createTraces } from './observability/traces.ts';
import { claimStore, openWithCatalog } from './open-store.ts';
import { joinOthers } from './other-servers.ts';
import {
  createService,
  rejectSameName,
  rejectSandboxParts,
  rejectShortKey,
  type ServerParts,
  type Service,
  type ServiceDependencies,
  sandboxKeys,
  withConfiguredParts,
} from './service.ts';
import type { StoreUpgrade } from './sqlite/index.ts';
import { createWorlds } from './worlds.ts';

export interface RunningServer extends AsyncDisposable {
  /** URL of the server on this machine. */
  localUrl: string;
  /** URL of the server for clients. */
  publicUrl: string;
  /** Base URL of the API for clients: `publicUrl` and the base path. */
  baseUrl: string;
  /** The well-known sandbox key; null in live mode. */
  sandboxKey: string | null;
  /** Whether the store was empty and received its first catalogue. */
  seeded: boolean;
  /** What was done to a store of an older format before it was served; null when it had the newest one. */
  upgraded: StoreUpgrade | null;
  /**
   * Applies an event of your own payment gateway, and returns its order. Null when no order has this payment: money is then
   * kept for an operator, unless an order is just being created, so let the gateway send the event again.
   */
  handlePaymentEvent(event: PaymentEvent): Promise<StoredOrder | null>;
  /** Waits for requests in progress, then releases the port and the store. */
  close(): Promise<void>;
}

/** Maximum time for a client to send a request, in milliseconds. */
const requestTimeoutMs = 10_000;

/**
 * How long an idle connection is kept, in milliseconds: longer than the minute that proxies keep theirs, and than `Retry-After`
 * says, because a request that crosses its end has no response.
 */
const keepAliveMs = 65_000;

/** Maximum time for the server to stop, as far as anything can wait, in milliseconds. */
const maxCloseMs = 4_800;

/** Interval of the check for slow clients, in milliseconds. */
const checkIntervalMs = 1_000;

function settingsOf(config: ServerConfig, dialect: Dialect, publicUrl: string): AppSettings {
  const { basePath, timezone, locale, currency } = config;
  // No default rate limits in a sandbox, so that test runs don't hit them by accident.
  const perMinute = (limit: number): number => (config.mode === 'sandbox' ? 0 : limit);
  // A live payment page leads only where its operator allows it: anybody with a key could name any other site.
  const returnOrigins = config.returnOrigins ?? (config.mode === 'sandbox' ? undefined : []);
  return {
    publicUrl,
    basePath,
    timezone,
    locale,
    currency,
    dialect,
    limits: {
      ...defaultLimits,
      quantity: config.maxQuantity,
      bodyBytes: config.maxBodyBytes,
      returnOrigins,
      readsPerMinute: config.readsPerMinute ?? perMinute(defaultLimits.readsPerMinute),
      ordersPerMinute: config.ordersPerMinute ?? perMinute(defaultLimits.ordersPerMinute),
    },
  };
}

/** A sandbox never calls a real provider, whatever its environment says. */
function warnOfIgnoredSettings(config: ServerConfig, logger: Logger): void {
  for (const setting of ['gateway', 'supplier'] as const)
    if (config[setting] !== undefined)
      logger.warn(`a sandbox calls no real ${setting}, so ${variables[setting].name} is ignored`);
}

/** A secret that was replaced because it leaked must not be accepted for ever. */
function warnOfPreviousSecrets({ acceptedPrevious }: ServerConfig, logger: Logger): void {
  for (const setting of acceptedPrevious)
    logger.warn(
      { setting, runbook: 'docs/secrets.md' },
      `callbacks signed with ${setting} are still accepted: unset it a day after the secret was replaced`,
    );
}

/** Says which methods of the catalogue customers can't use, because nothing else shows an operator why. */
async function warnOfClosedMethods(store: Store, { gateway }: ServerParts, logger: Logger): Promise<void> {
  const { payment_methods } = (await store.readCatalog()) ?? emptyCatalog;
  const closed = payment_methods.filter((method) => method.status && gateway?.supports?.(method) === false);
  if (closed.length > 0)
    logger.warn(
      { gateway: gateway?.name, methods: closed.map(({ code }) => code) },
      'payment methods of the catalogue are closed, because the gateway does not take them',
    );
}

/** Tells operators' commands how to show amounts and times. */
async function saveDisplay(store: Store, { currency, timezone }: ServerConfig): Promise<void> {
  const saved = await store.readDisplay();
  if (saved?.currency !== currency || saved.timezone !== timezone)
    await store.saveDisplay({ currency, timezone });
}

/** Says what is open at a gateway or a supplier that is not configured (any more): this server never asks others about it. */
async function warnOfOpenWork(
  store: Store,
  { gateway, supplier }: ServerParts,
  logger: Logger,
): Promise<void> {
  const { payments, deliveries } = await store.countOpenWork();
  const runbook = 'docs/going-live.md#changing-the-gateway-or-the-supplier';
  for (const [name, count] of payments)
    if (gateway && name !== gateway.name)
      logger.error(
        { gateway: name, payments: count, runbook },
        `${count} open payment${count === 1 ? '' : 's'} of ${name}: this server uses ${gateway.name}, so money that comes in there is not noticed. Start it with ${name} again until they are paid or have expired`,
      );
  for (const [name, count] of deliveries)
    if (supplier && name !== supplier.name)
      logger.error(
        { supplier: name, deliveries: count, runbook },
        `${count} open deliver${count === 1 ? 'y belongs' : 'ies belong'} to ${name}: this server uses ${supplier.name} and asks nobody about them. Start it with ${name} again, or look for them there`,
      );
}

/** One function that calls both. */
const both = <Event>(
  one: (event: Event) => void,
  other: ((event: Event) => void) | undefined,
): ((event: Event) => void) =>
  other === undefined
    ? one
    : (event) => {
        one(event);
        other(event);
      };

/** Interval between two runs of due work, in milliseconds of real time. */
const tickMs = 250;

/** Runs due work (expiry, delivery, clean-up) until the server stops. */
function runDueWork(dueWork: DueWork, resources: AsyncDisposableStack): void {
  const timer = setInterval(() => void dueWork.run(), tickMs);
  resources.defer(async () => {
    clearInterval(timer);
    await dueWork.run();
  });
}

/** Interval at which callbacks that prove nothing are stored, in milliseconds. */
const unprovenMs = 1_000;

/** Stores callbacks that prove nothing in batches, until the server stops. */
function storeUnproven(
  { storeUnproven: store }: Pick<Service, 'storeUnproven'>,
  logger: Logger,
  resources: AsyncDisposableStack,
): void {
  const report = (error: unknown): void => {
    if (!isOfStore(error)) logger.warn({ err: error }, 'rejected callbacks could not be stored');
  };
  const timer = setInterval(() => void store().catch(report), unprovenMs);
  resources.defer(async () => {
    clearInterval(timer);
    await store({ isLast: true }).catch(report);
  });
}

/** Builds the service. A sandbox with a memory store gets several worlds (see worlds.ts), all with the same initial state. */
async function buildServer(
  config: ServerConfig,
  parts: ServerParts,
  deps: Omit<ServiceDependencies, 'fixedKeys' | 'world'> & { seed: Catalog | null },
): Promise<Service> {
  const realClock = parts.realClock ?? Date.now;
  const firstKeys = sandboxKeys(config);
  const world = createWorldClock(realClock, await deps.store.readWorldOffset());
  const first = createService(config, parts, { ...deps, fixedKeys: firstKeys, world });
  if (config.mode === 'live' || config.store.kind !== 'memory') return first;

  const template = createMemoryStore();
  await claimStore(template, config.mode, deps.seed);
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
 * Starts a server and resolves when it accepts requests.
 *
 * @throws ConfigError when a setting or an adapter is invalid, or two adapters have one name; StoreFileError when the store
 * file can't be used.
 * @example
 * await using server = await startServer(readConfig({ TOPUP_MODE: 'sandbox', TOPUP_STORE: 'memory:', PORT: '0' }));
 * await fetch(`${server.baseUrl}/games`, { headers: { 'X-API-KEY': server.sandboxKey } });
 */
export async function startServer(config: ServerConfig, ownParts: ServerParts = {}): Promise<RunningServer> {
  rejectInvalidAdapters(ownParts);
  const configured = withConfiguredParts(config, ownParts);
  if (config.mode === 'live') rejectSandboxParts(config, configured);
  rejectShortKey(config);
  rejectSameName(configured);
  const logger = await createLogger({
    level: config.logLevel ?? (config.mode === 'live' ? 'info' : 'warn'),
    format: config.logFormat,
    secrets: [...config.secrets(), ...traceSecrets()],
    stream: ownParts.log,
  });
  const metrics = createMetrics();
  const traces = wantsTraces() ? await createTraces({ logger, basePath: config.basePath }) : undefined;
  const noteCall = both(createCallLog(logger, metrics), traces?.noteCall);
  const parts = observedParts(configured, noteCall);
  if (config.mode === 'sandbox') warnOfIgnoredSettings(config, logger);
  await using resources = new AsyncDisposableStack();

  const server = createServer({
    ServerResponse: TrackedResponse,
    // The gate rejects a request without Host as it does all others; Node's own response has no body.
    requireHostHeader: false,
    headersTimeout: requestTimeoutMs,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: checkIntervalMs,
  });
  const held = resources.use(holdRequests());
  const listeners = createListeners(server);
  const { write, cutUnread } = createWriter();
  const closeServer = createCloser(server, listeners, { pause: held.pause, cutUnread });
  resources.defer(closeServer);
  const observe = both(createRequestLog(logger, metrics), traces?.endRequest);
  const dialect = completeDialect(parts.dialect ?? {});
  const addresses = createClientAddresses(config.trustedProxies ?? []);
  installGuard(server, {
    serve: held.serve,
    write,
    report: createRejectionLog(logger, metrics),
    isFromProxy: addresses.isFromProxy,
  });
  // Before the store is opened, so that a server whose port is taken creates no file.
  const { sockets, host, port } = config;
  const localUrl = sockets ? await listeners.inherit(sockets) : await listeners.open(host, port);

  const closing = new AbortController();
  const health: { failure: Error | null } = { failure: null };
  const { store, upgraded, seed } = await openWithCatalog(config, resources, {
    onStart: (upgrade) =>
      logger.warn(
        upgrade,
        upgrade.copy === null
          ? `the store has format ${upgrade.from}: it is upgraded to format ${upgrade.to}`
          : `the store has format ${upgrade.from}: it is copied to ${upgrade.copy}, and then upgraded to format ${upgrade.to}`,
      ),
    onChange(failure) {
      health.failure = failure;
      if (failure) logger.error({ err: failure }, 'the store accepts no writes');
      else logger.warn('the store accepts writes again');
    },
    onCommit: metrics.countCommit,
  });
  if (upgraded) logger.warn(upgraded, `the store was upgraded to format ${upgraded.to}`);
  const seeded = await claimStore(store, config.mode, seed);
  warnOfPreviousSecrets(config, logger);
  await warnOfClosedMethods(store, parts, logger);
  await warnOfOpenWork(store, parts, logger);
  await saveDisplay(store, config);

  const settings = settingsOf(config, dialect, config.publicUrl ?? localUrl);
  const realClock = parts.realClock ?? Date.now;
  const reportCall = createProviderProblems({
    store,
    realClock,
    reportError: (error, about) => logger.warn({ err: error, about }, 'a background task failed'),
  });
  const whyUnready = createReadiness({
    // Changes nothing.
    write: () => store.saveDisplay({ currency: config.currency, timezone: config.timezone }),
    failure: () => health.failure,
    isClosing: () => closing.signal.aborted,
  });
  const serverId = randomUUID();
  const countServers = await joinOthers({ store, serverId, config, realClock }, resources);
  if (config.mode === 'sandbox' && countServers() > 1)
    logger.warn(
      'other servers run on this store. A sandbox should be one server: what moves its clock, or resets it, reaches the others only when they start again',
    );
  const service = await buildServer(config, parts, {
    store,
    seed,
    settings,
    logger,
    reportCall,
    watchWork: traces?.watchWork,
    serverId,
    countServers,
    metrics,
    whyUnready,
    failure: () => health.failure,
    closing: closing.signal,
  });
  const { app, dueWork, handlePaymentEvent } = service;
  metrics.watch({
    store,
    path: config.store.kind === 'file' ? config.store.path : null,
    realClock,
    whyUnready,
  });
  runDueWork(dueWork, resources);
  storeUnproven(service, logger, resources);
  watchStore(
    { store, logger, realClock, reportCall, serverId },
    { gateway: parts.gateway, supplier: parts.supplier, balanceAlert: config.balanceAlert },
    resources,
  );
  const hasLimits = settings.limits.readsPerMinute + settings.limits.ordersPerMinute > 0;
  const { addressOf, isFromProxy } = hasLimits
    ? warnOfUntrustedProxy(addresses, (...line) => logger.warn(...line))
    : addresses;
  // Live mode has nothing that a direct request may do more than another.
  const whyIndirect =
    config.mode === 'sandbox' && createDirectCheck({ localUrl, publicUrl: settings.publicUrl }, isFromProxy);
  const busyResponse = await createBusyResponse(settings, config.corsOrigins);
  const listener = createRequestListener(app, {
    write,
    addressOf,
    isDirect: whyIndirect ? explainOnce(whyIndirect, (message) => logger.warn(message)) : () => false,
    // Only where the dialect also sends other things that are not in the interface.
    explain: (response, request) =>
      whyIndirect && dialect.headers.errorCode ? withHint(response, request, whyIndirect) : response,
    observe,
    shed: createShedding({ connections: server, busyResponse, report: createShedLog(logger, metrics) }),
    inRequest: traces?.inRequest,
  });
  held.release(listener);
  const baseUrl = settings.publicUrl + settings.basePath;
  logger.info(
    { baseUrl, mode: config.mode, gateway: parts.gateway?.name, supplier: parts.supplier?.name },
    'the server is ready',
  );

  const owned = resources.move();
  const close = async (): Promise<void> => {
    closing.abort();
    const end = performance.now() + maxCloseMs;
    // First, because the requests in progress need all that is disposed after it.
    await closeServer();
    await owned.disposeAsync();
    await traces?.close(end - performance.now());
    logger.info('the server stopped');
  };
  return {
    localUrl,
    publicUrl: settings.publicUrl,
    baseUrl,
    sandboxKey: config.mode === 'sandbox' ? sandboxKey : null,
    seeded,
    upgraded,
    handlePaymentEvent,
    close,
    [Symbol.asyncDispose]: close,
  };
}
