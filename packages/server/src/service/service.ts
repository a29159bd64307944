import {
  type AppDependencies,
  type AppSettings,
  createApp,
  createRenderers,
  createUrls,
  ownPaths,
} from '@topup-kit/core/app';
import { headers, kitDialect } from '@topup-kit/core/contract';
import {
  createEngine,
  type EmitEvent,
  type FixedKey,
  type RunTracked,
  type WorldClock,
} from '@topup-kit/core/engine';
import { createSimulatedGateway } from '@topup-kit/core/gateway';
import { monotonicClock, secureRandom } from '@topup-kit/core/platform';
import type { HashCustomer, Store } from '@topup-kit/core/store';
import { createSimulatedSupplier } from '@topup-kit/core/supplier';
import type { Logger } from 'pino';
import type { ServerConfig } from '../config/config.ts';
import type { Simulated } from '../features/simulation.ts';
import { site } from '../features/site.ts';
import type { Metrics } from '../observability/metrics.ts';
import { mountProbes, type ProbeDependencies } from '../observability/readiness.ts';
import { mountPages } from '../pages/pages.ts';
import { shopOf } from '../pages/shop-front.ts';
import type { RunningFeature } from './feature.ts';
import type { ServerOverrides } from './parts.ts';
import { sha256Hex } from './sha256.ts';
import type { Service, Simulation } from './world.ts';

export interface ServiceDependencies {
  store: Store;
  /** Keys that work although they are not in the store. */
  fixedKeys: readonly FixedKey[];
  settings: AppSettings;
  logger: Logger;
  metrics: Metrics;
  whyUnready: ProbeDependencies['whyUnready'];
  world: WorldClock;
  emit: EmitEvent;
  /** Runs each background task, for an observer. */
  watchWork?: RunTracked | undefined;
  /** Keys of the worlds in use, if there may be several. */
  worldKeys?: () => readonly string[];
  /** This process's name among the servers of the store, if there may be several. */
  serverId?: string;
  countServers?: () => number;
  noteRejection?: AppDependencies['noteRejection'];
  /** Returns the error after which no order can be stored; null while the store works. */
  failure: () => Error | null;
  /** Aborted when the server begins to stop. */
  closing?: AbortSignal;
  resources?: AsyncDisposableStack;
  /** URL of the console for operators. By default, it is below the public URL. */
  consoleUrl?: string | null;
  /** Additions of the rooms to the world. */
  rooms?: readonly NonNullable<RunningFeature['inWorld']>[];
  hashCustomer?: HashCustomer | undefined;
  /** Room that simulates the world; none in live mode. */
  simulation?: Simulation<Simulated> | undefined;
}

/** Creates the engine on a store, with the configured gateway and suppliers. */
function createRules(config: ServerConfig, parts: ServerOverrides, deps: ServiceDependencies) {
  const { store, world, settings } = deps;
  const { dialect = kitDialect, publicUrl, timezone } = settings;
  const urls = createUrls(publicUrl);
  const elapsed = parts.realClock ?? monotonicClock;
  const realClock = parts.realClock ?? Date.now;
  const simulated = deps.simulation?.begin({
    findOrder: (orderId) => store.findOrder(orderId),
    now: world.now,
    maxBodyBytes: settings.limits.bodyBytes,
    hasWorlds: config.store.kind === 'memory',
  });
  const createGateway = () => {
    const local = createSimulatedGateway({ clock: world.now, random: secureRandom, pageUrl: urls.pageOf });
    return simulated?.gateway(local) ?? local;
  };
  const createSupplier = () => {
    const local = createSimulatedSupplier({ clock: world.now });
    return simulated?.supplier(local) ?? local;
  };
  const { gateway = createGateway(), supplier = createSupplier() } = parts;
  const { otherSuppliers = [] } = parts;
  const providers = {
    gateway: gateway.name,
    suppliers: [supplier, ...otherSuppliers].map(({ name }) => name),
  };
  const rules = {
    store,
    gateway,
    supplier,
    otherSuppliers,
    cheapestFirst: config.supplierChoice === 'cheapest',
    realClock,
    monotonicClock: elapsed,
    worldClock: world.now,
    random: secureRandom,
    hash: sha256Hex,
    timezone,
    dialect,
    ...createRenderers(settings),
    emit: deps.emit,
    promoMaxLoss: config.promoMaxLoss,
    replayDays: config.replayDays,
    hashCustomer: deps.hashCustomer,
    rejectUnknownAccounts: config.checkAccounts === 'true',
    ...(deps.watchWork && { watchWork: deps.watchWork }),
    ...(parts.paymentTime && { paymentTime: parts.paymentTime }),
    fixedKeys: deps.fixedKeys,
    ...(deps.serverId !== undefined && { serverId: deps.serverId }),
    ...(deps.countServers && { countServers: deps.countServers }),
  };
  const rooms = (deps.rooms ?? []).map((inWorld) => inWorld(rules));
  const engine = createEngine({ ...rules, rooms: rooms.map(({ work }) => work) });
  const sandbox = simulated?.open({
    store,
    engine,
    world,
    realClock,
    emit: deps.emit,
    monotonicClock: elapsed,
  });
  return { engine, rooms, sandbox, providers, urls, elapsed, realClock };
}

export function createService(
  config: ServerConfig,
  parts: ServerOverrides,
  deps: ServiceDependencies,
): Service {
  const { store, fixedKeys, logger, metrics, whyUnready, world, failure, settings } = deps;
  const { publicUrl } = settings;
  const { engine, rooms, sandbox, providers, urls, elapsed, realClock } = createRules(config, parts, deps);
  const ownKey = fixedKeys[0]?.key ?? '';
  const reportError = (error: unknown): void => logger.error({ err: error }, 'a page could not be rendered');
  const app = createApp({
    engine,
    settings,
    ...(sandbox && { room: sandbox.room }),
    monotonicClock: elapsed,
    random: secureRandom,
    hash: sha256Hex,
    failure,
    ...(deps.noteRejection && { noteRejection: deps.noteRejection }),
    ...(deps.countServers && { countServers: deps.countServers }),
    ...(config.corsOrigins && { corsOrigins: config.corsOrigins }),
    mount(router, count) {
      mountProbes(router, { whyUnready, metrics, metricsToken: config.metricsToken });
      const url = deps.consoleUrl ?? publicUrl + ownPaths.console;
      const door = site.console?.doorOf(config) ?? null;
      mountPages(router, {
        engine,
        settings,
        urls,
        failure,
        shop: shopOf(config),
        act: sandbox?.act,
        controls: deps.simulation?.controlRoutes ?? [],
        console: door && { url, ...door },
        now: world.now,
        reportError,
      });
      if (door)
        site.console?.mount(router, {
          config,
          store,
          engine,
          settings,
          url,
          sandbox,
          realClock,
          providers,
          failure,
          logger,
          count,
          reportError,
          closing: deps.closing,
          resources: deps.resources,
          now: world.now,
          worlds: () => (deps.worldKeys?.() ?? []).map((key) => ({ key, isShown: key === ownKey })),
          send: (path, { headers: more, ...request }) =>
            app.fetch(
              new Request(publicUrl + settings.basePath + path, {
                ...request,
                headers: { ...more, [headers.apiKey]: ownKey },
              }),
            ),
          countServers: deps.countServers ?? (() => 1),
        });
      for (const { mount } of rooms) mount?.(router, settings);
    },
  });
  return {
    app,
    dueWork: sandbox ? { run: () => engine.dueWork.run().finally(sandbox.note) } : engine.dueWork,
    findByPage: engine.orders.findByPage,
    findByReference: (reference) => store.findOrderByReference(reference),
    handlePaymentEvent: engine.handlePaymentEvent,
  };
}
