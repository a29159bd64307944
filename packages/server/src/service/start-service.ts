import { randomUUID } from 'node:crypto';
import type { AppSettings } from '@topup-kit/core/app';
import { type Alert, createProviderHealth, createWorldClock, type DueWork } from '@topup-kit/core/engine';
import {
  type Catalog,
  createMemoryStore,
  emptyCatalog,
  type HashCustomer,
  type Store,
} from '@topup-kit/core/store';
import type { Logger } from 'pino';
import type { ServerConfig } from '../config/config.ts';
import { createSecretBox } from '../config/secret-cipher.ts';
import { ConfigError } from '../config/variable.ts';
import { createCustomerHash } from '../customers/customer-hash.ts';
import { features } from '../features/index.ts';
import { simulation } from '../features/simulation.ts';
import { site } from '../features/site.ts';
import { type Watched, watchStore } from '../observability/alerts.ts';
import { createEventLog } from '../observability/events.ts';
import { createReadiness } from '../observability/readiness.ts';
import { createRejections } from '../observability/rejections.ts';
import type { StoreUpgrade } from '../sqlite/index.ts';
import type { FeatureHost, RunningFeature } from './feature.ts';
import { claimStore, openWithCatalog } from './open-store.ts';
import { joinOthers } from './other-servers.ts';
import { type ServerOverrides, sandboxKeys } from './parts.ts';
import { createService, type ServiceDependencies } from './service.ts';
import type { ServerSettings } from './start-settings.ts';
import type { Service } from './world.ts';

/** Logs the methods of the catalogue that customers can't use, because an operator would not see the reason elsewhere. */
async function warnOfClosedMethods(
  store: Store,
  { gateway }: ServerOverrides,
  logger: Logger,
): Promise<void> {
  const { payment_methods } = (await store.readCatalog()) ?? emptyCatalog;
  const closed = payment_methods.filter((method) => method.status && gateway?.supports?.(method) === false);
  if (closed.length > 0)
    logger.warn(
      { gateway: gateway?.name, methods: closed.map(({ code }) => code) },
      'payment methods of the catalogue are closed, because the gateway does not accept them',
    );
}

/** Stores the format of amounts and times for operators' commands. */
async function saveDisplay(store: Store, { currency, timezone }: ServerConfig): Promise<void> {
  const saved = await store.readDisplay();
  if (saved?.currency !== currency || saved.timezone !== timezone)
    await store.saveDisplay({ currency, timezone });
}

/**
 * Stores the time after which a backup is overdue, because `topup doctor` reads only the store. A database is backed up by its own tools.
 * On a full disk, the server starts without storing this, so that it can serve reads.
 */
async function saveBackupAlert(store: Store, { config, parts, logger }: ServerSettings): Promise<void> {
  const isWanted = config.store.kind === 'file' && config.mode === 'live';
  const alertAfter = isWanted ? config.backupAlertHours * 3_600_000 : 0;
  if ((await store.readBackupState()).alertAfter === alertAfter) return;
  try {
    await store.saveBackupAlert(alertAfter, (parts.realClock ?? Date.now)());
  } catch (err) {
    logger.warn({ err }, 'the alert about overdue backups could not be set: the next start tries again');
  }
}

/** Warns of open work at a gateway or supplier that is not configured: this server never asks another provider about it. */
async function warnOfOpenWork(
  store: Store,
  { gateway, supplier, otherSuppliers = [] }: ServerOverrides,
  logger: Logger,
): Promise<void> {
  const { payments, deliveries } = await store.countOpenWork();
  const runbook = 'docs/going-live.md#changing-the-gateway-or-the-supplier';
  const names = [supplier, ...otherSuppliers].flatMap((configured) => configured?.name ?? []);
  for (const [name, count] of payments)
    if (gateway && name !== gateway.name)
      logger.error(
        { gateway: name, payments: count, runbook },
        `${count} open payment${count === 1 ? '' : 's'} of ${name}: this server uses ${gateway.name}, so it does not notice their payments. Start it with ${name} again until they are paid or expired`,
      );
  for (const [name, count] of deliveries)
    if (supplier && !names.includes(name))
      logger.error(
        { supplier: name, deliveries: count, runbook },
        `${count} open deliver${count === 1 ? 'y belongs' : 'ies belong'} to ${name}: this server uses ${names.join(' and ')} and does not ask for their outcomes. Start it with ${name} again, or look for them in its dashboard`,
      );
}

/** Opens the hash of customers. If its key is missing, the server sells but erases nothing, and promo uses by erased orders don't count. */
async function openCustomerHash(
  store: Store,
  config: ServerConfig,
  logger: Logger,
): Promise<HashCustomer | undefined> {
  try {
    return await createCustomerHash(store, createSecretBox(config), { reseal: true });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    logger.error(`${error.message} Until then, promos don't count erased orders, and the server erases none`);
    return undefined;
  }
}

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

/** Builds the service. A sandbox with a memory store has several worlds, which all start in the same state. */
async function buildServer(
  config: ServerConfig,
  parts: ServerOverrides,
  deps: Omit<ServiceDependencies, 'fixedKeys' | 'world'> & { seed: Catalog | null },
): Promise<Service> {
  const realClock = parts.realClock ?? Date.now;
  const firstKeys = sandboxKeys(config);
  const world = createWorldClock(realClock, await deps.store.readWorldOffset());
  let worldKeys = (): readonly string[] => [];
  const simulated = config.mode === 'sandbox' ? await simulation.sandbox?.() : undefined;
  const shared = { ...deps, worldKeys: () => worldKeys(), simulation: simulated };
  const first = createService(config, parts, { ...shared, fixedKeys: firstKeys, world });
  if (!simulated || config.store.kind !== 'memory') return first;

  const template = createMemoryStore();
  await claimStore(template, config.mode, deps.seed);
  const start = template.snapshot();
  const worlds = simulated.createWorlds({
    first,
    firstKeys,
    worldOf: (cookies) => site.console?.worldOf(cookies) ?? null,
    open: (name) =>
      createService(config, parts, {
        ...shared,
        store: createMemoryStore(start),
        fixedKeys: [{ key: name, directOnly: true }, ...firstKeys],
        world: createWorldClock(realClock),
      }),
  });
  worldKeys = worlds.names;
  return worlds;
}

const watchedBy = ({ parts, config: { balanceAlert } }: ServerSettings): Watched => ({
  gateway: parts.gateway,
  suppliers: [...(parts.supplier ? [parts.supplier] : []), ...(parts.otherSuppliers ?? [])],
  balanceAlert,
});

async function startFeatures(host: FeatureHost): Promise<RunningFeature[]> {
  const running: RunningFeature[] = [];
  for (const start of Object.values(features)) {
    const started = await start(host);
    if (started) running.push(started);
  }
  return running;
}

/** Creates a function that passes alerts to all rooms, and returns false if a room could not store them. */
function alertListener(running: readonly RunningFeature[]): (alerts: readonly Alert[]) => Promise<boolean> {
  const listeners = running.flatMap(({ noteAlerts }) => noteAlerts ?? []);
  return async (alerts) => {
    const kept = await Promise.all(listeners.map((note) => note(alerts)));
    return kept.every(Boolean);
  };
}

const watchReadiness = (
  { config: { currency, timezone } }: ServerSettings,
  store: Store,
  { failure, closing }: { failure: () => Error | null; closing: AbortSignal },
) =>
  createReadiness({
    // Writes the existing values again, which changes nothing.
    write: () => store.saveDisplay({ currency, timezone }),
    failure,
    isClosing: () => closing.aborted,
  });

/** Joins the servers on the store; returns a function that counts them. */
async function joinFleet(
  { config, logger }: ServerSettings,
  own: Omit<Parameters<typeof joinOthers>[0], 'config'>,
  resources: AsyncDisposableStack,
): Promise<() => number> {
  const countServers = await joinOthers({ ...own, config }, resources);
  if (config.mode === 'sandbox' && countServers() > 1)
    logger.warn(
      'other servers run on this store. Run only one server per sandbox: the others notice a moved clock or a reset only after a restart',
    );
  return countServers;
}

/** Opens the store, fills an empty store, and logs facts that an operator should know about it. */
async function prepareStore(settings: ServerSettings, resources: AsyncDisposableStack) {
  const { config, parts, logger, metrics } = settings;
  const health: { failure: Error | null } = { failure: null };
  const opened = await openWithCatalog(config, resources, {
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
  const { store, upgraded, seed } = opened;
  if (upgraded) logger.warn(upgraded, `the store was upgraded to format ${upgraded.to}`);
  const seeded = await claimStore(store, config.mode, seed);
  await warnOfClosedMethods(store, parts, logger);
  await warnOfOpenWork(store, parts, logger);
  await saveDisplay(store, config);
  await saveBackupAlert(store, settings);
  return { ...opened, seeded, failure: (): Error | null => health.failure };
}

/** Opens the store, and runs the service over it until the resources are disposed. */
export async function startService(
  settings: ServerSettings,
  { closing, ...shared }: { settings: AppSettings; consoleUrl: string | null; closing: AbortSignal },
  resources: AsyncDisposableStack,
): Promise<{ service: Service; seeded: boolean; upgraded: StoreUpgrade | null }> {
  const { config, parts, logger, metrics, watch, meter } = settings;
  const { store, upgraded, seed, seeded, failure } = await prepareStore(settings, resources);
  const realClock = parts.realClock ?? Date.now;
  const noteCall = createProviderHealth({
    store,
    realClock,
    reportError: (error, about) => logger.warn({ err: error, about }, 'a background task failed'),
  });
  const emit = createEventLog({ logger, metrics, noteCall });
  const whyUnready = watchReadiness(settings, store, { failure, closing });
  const serverId = randomUUID();
  const countServers = await joinFleet(settings, { store, serverId, realClock }, resources);
  const rejections = createRejections();
  const hashCustomer = await openCustomerHash(store, config, logger);
  const running = await startFeatures({
    config,
    store,
    logger,
    metrics,
    realClock,
    hashCustomer,
    isBusy: meter.isBusy,
    closing,
    resources,
  });
  const service = await buildServer(config, parts, {
    ...shared,
    closing,
    resources,
    store,
    seed,
    logger,
    emit,
    watchWork: watch?.watchWork,
    serverId,
    countServers,
    noteRejection: rejections.note,
    metrics,
    whyUnready,
    failure,
    hashCustomer,
    rooms: running.flatMap(({ inWorld }) => inWorld ?? []),
  });
  metrics.watch({
    store,
    path: config.store.kind === 'file' ? config.store.path : null,
    realClock,
    whyUnready,
  });
  runDueWork(service.dueWork, resources);
  const watching = { store, logger, realClock, emit, serverId, rejections };
  watchStore({ ...watching, noteAlerts: alertListener(running) }, watchedBy(settings), resources);
  return { service, seeded, upgraded };
}
