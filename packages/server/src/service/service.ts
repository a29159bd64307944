import { hash as digest } from 'node:crypto';
import { isIPv6 } from 'node:net';
import {
  type App,
  type AppDependencies,
  type AppSettings,
  createApp,
  createJournal,
  createRenderers,
  createUrls,
  ownPaths,
  paymentPath,
} from '@topup-kit/core/app';
import { type DialectChanges, headers, kitDialect, sandboxKey } from '@topup-kit/core/contract';
import {
  createEngine,
  createSandbox,
  createScenarioSwitch,
  type DueWork,
  type Emit,
  type Engine,
  type EngineDependencies,
  type FixedKey,
  type WatchWork,
  type WebhookHost,
  type WorldClock,
} from '@topup-kit/core/engine';
import { createSimulatedGateway, type PaymentGateway } from '@topup-kit/core/gateway';
import { isLocalName } from '@topup-kit/core/http';
import { type Clock, type Hash, monotonicClock, secureRandom } from '@topup-kit/core/platform';
import type { HashCustomer, Store } from '@topup-kit/core/store';
import { createSimulatedSupplier, type Supplier } from '@topup-kit/core/supplier';
import { gatewayNames, supplierNames } from '@topup-kit/providers/registry';
import type { Logger } from 'pino';
import type { ServerConfig } from '../config/config.ts';
import { anyOf, ConfigError } from '../config/variable.ts';
import { hasConsole, takesLogins } from '../console/access.ts';
import { mountConsole } from '../console/console.ts';
import { mountLogin } from '../console/login.ts';
import { createAddressCheck } from '../edge/callback-addresses.ts';
import type { Metrics } from '../observability/metrics.ts';
import { mountProbes, type ProbeDependencies } from '../observability/readiness.ts';
import { mountPages } from '../pages/pages.ts';
import { createSecretBox } from '../webhooks/secret-box.ts';

/** Computes SHA-256 as hex. */
export const sha256Hex: Hash = (text) => digest('sha256', text, 'hex');

/** Parts of a server that a deployment or a test may replace with its own. */
export interface ServerParts {
  /** Takes payments. Default: the configured one, or in a sandbox the simulated one. */
  gateway?: PaymentGateway;
  /** Delivers what was paid for. Default: the configured one, or in a sandbox the simulated one. */
  supplier?: Supplier;
  /** Others that products may name. Default: those that are configured, if `supplier` is left out. */
  otherSuppliers?: readonly Supplier[];
  /**
   * Real time in unix milliseconds; limits, pauses and intervals are measured by it, too. Default: `Date.now`, and a clock that is never set
   * back. A sandbox's clock (world time) is this plus an offset.
   */
  realClock?: Clock;
  /** The dialect: how the server behaves where the interface leaves a choice open. Default: the kit's dialect. */
  dialect?: DialectChanges;
  /** Receives the lines of the log, each a JSON object and a newline. Default: stderr. */
  log?: { write(line: string): void };
  /** How long an order waits for its payment, in milliseconds by payment group. */
  paymentTime?: EngineDependencies['paymentTime'];
}

/** The parts with the gateway and the supplier that the settings choose, where the caller passes none. */
export function withConfiguredParts(
  config: ServerConfig,
  parts: ServerParts,
  warn: (text: string) => void,
): ServerParts {
  const host = { clock: parts.realClock ?? Date.now, publicUrl: config.publicUrl, warn };
  const gateway = parts.gateway ?? config.createGateway?.(host);
  const supplier = parts.supplier ?? config.createSupplier?.(host);
  const otherSuppliers =
    parts.otherSuppliers ?? (parts.supplier ? [] : config.createOtherSuppliers.map((create) => create(host)));
  return { ...parts, ...(gateway && { gateway }), ...(supplier && { supplier }), otherSuppliers };
}

/**
 * Rejects a live server with simulated parts, because it takes real money.
 *
 * @throws ConfigError that names every simulated part and its replacement.
 */
export function rejectSandboxParts(
  config: ServerConfig,
  { gateway, supplier, otherSuppliers = [] }: ServerParts,
): void {
  const missing = [
    ...(gateway === undefined || gateway.sandbox
      ? [
          `a real payment gateway: set TOPUP_GATEWAY (or --gateway) to ${anyOf(gatewayNames)}, or pass your own to startServer`,
        ]
      : []),
    ...([supplier, ...otherSuppliers].some((one) => one === undefined || one.sandbox)
      ? [
          `a real supplier: set TOPUP_SUPPLIER (or --supplier) to ${anyOf(supplierNames)}, or pass your own to startServer`,
        ]
      : []),
    ...(config.store.kind === 'memory'
      ? ['a store that outlives the process: set TOPUP_STORE (or --store) to file:PATH or postgres://...']
      : []),
  ];
  if (missing.length === 0) return;
  throw new ConfigError(
    `Live mode takes real money, so it needs ${missing.join('; ')}. To try things out, run a sandbox: topup serve --sandbox (or TOPUP_MODE=sandbox).`,
    { setting: 'TOPUP_MODE' },
  );
}

/** Minimum length of a sandbox's own key that others than this machine can try out. */
const minKeyLength = 20;

/**
 * Rejects a key that can be guessed, if others than this machine can send it.
 *
 * @throws ConfigError
 */
export function rejectShortKey({
  mode,
  apiKey,
  host,
  sockets,
  publicUrl,
  trustedProxies = [],
}: ServerConfig): void {
  if (mode === 'live' || apiKey === undefined || apiKey.length >= minKeyLength) return;
  // Who opened a socket may have opened it for everybody.
  const names = [
    sockets ? '0.0.0.0' : host,
    ...(publicUrl === undefined ? [] : [new URL(publicUrl).hostname]),
  ];
  const reached = names.find((name) => !isLocalName(isIPv6(name) ? `[${name}]` : name));
  if (reached === undefined && trustedProxies.length === 0) return;
  const where = reached === undefined ? 'behind a proxy' : `at ${reached}`;
  throw new ConfigError(
    `TOPUP_API_KEY is too short for a sandbox ${where}, which others can reach: it needs at least ${minKeyLength} characters. To make one: openssl rand -hex 24`,
    { setting: 'TOPUP_API_KEY' },
  );
}

/**
 * Callbacks and their replays are told apart by the name of their provider, and purchases by that of their supplier.
 *
 * @throws ConfigError when two have the same one.
 */
export function rejectSameName({ gateway, supplier, otherSuppliers = [] }: ServerParts): void {
  const names = [supplier, ...otherSuppliers].flatMap((one) => one?.name ?? []);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  const shared = names.find((name) => name === gateway?.name);
  if (shared !== undefined)
    throw new ConfigError(
      `The payment gateway and the supplier are both named "${shared}": give one of the adapters another name.`,
    );
  if (twice !== undefined)
    throw new ConfigError(`Two suppliers are both named "${twice}": give one of the adapters another name.`);
}

/** The fixed keys of a sandbox: the well-known key in direct requests only, and the operator's own key from anywhere. */
export const sandboxKeys = ({ mode, apiKey }: ServerConfig): FixedKey[] =>
  mode === 'live'
    ? []
    : [
        { key: sandboxKey, directOnly: true },
        // Everybody knows the well-known one, also where it is set.
        ...(apiKey === undefined || apiKey === sandboxKey ? [] : [{ key: apiKey, directOnly: false }]),
      ];

export interface Service {
  app: App;
  dueWork: DueWork;
  findByPage: Engine['orders']['findByPage'];
  findByReference: Store['findOrderByReference'];
  handlePaymentEvent: Engine['handlePaymentEvent'];
  storeUnproven: Engine['callbacks']['storeUnproven'];
  noteAlerts: Engine['noteAlerts'];
}

export interface ServiceDependencies {
  store: Store;
  /** Keys that work without being in the store. */
  fixedKeys: readonly FixedKey[];
  settings: AppSettings;
  logger: Logger;
  metrics: Metrics;
  whyUnready: ProbeDependencies['whyUnready'];
  world: WorldClock;
  emit: Emit;
  /** Runs each background task, where somebody watches them. */
  watchWork?: WatchWork | undefined;
  /** The keys of the worlds in use, if there may be several. */
  worldKeys?: () => readonly string[];
  /** The name of this process among the servers of the store, if there may be several. */
  serverId?: string;
  countServers?: () => number;
  noteRejection?: AppDependencies['noteRejection'];
  /** The error after which no order can be stored; null while the store works. */
  failure: () => Error | null;
  /** URL of the console for operators. Default: below the public URL. */
  consoleUrl?: string | null;
  /** Aborted when the server closes. */
  closing?: AbortSignal;
  /** Minutes between two syncs of prices with the supplier; 0, by default, for none. */
  syncMinutes?: number;
  /** How events are sent. */
  webhooks?: WebhookHost;
  hashCustomer?: HashCustomer | undefined;
}

/** Creates the service: engine, app and pages over a store. */
export function createService(config: ServerConfig, parts: ServerParts, deps: ServiceDependencies): Service {
  const { store, fixedKeys, logger, metrics, whyUnready, world, emit, failure } = deps;
  const shared = deps.countServers && { countServers: deps.countServers };
  const { settings } = deps;
  const { dialect = kitDialect, publicUrl, timezone } = settings;
  const pageUrl = (reference: string): string => publicUrl + paymentPath(reference);
  const elapsed = parts.realClock ?? monotonicClock;
  const scenario = createScenarioSwitch();
  const simulated = createSimulatedGateway({ clock: world.now, random: secureRandom, pageUrl });
  const realClock = parts.realClock ?? Date.now;
  const gateway = parts.gateway ?? scenario.gateway(simulated);
  const supplier = parts.supplier ?? scenario.supplier(createSimulatedSupplier({ clock: world.now }));
  const { otherSuppliers = [] } = parts;
  const providers = {
    gateway: gateway.name,
    suppliers: [supplier, ...otherSuppliers].map(({ name }) => name),
  };
  const engine = createEngine({
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
    webhooks: deps.webhooks,
    emit,
    promoMaxLoss: config.promoMaxLoss,
    replayDays: config.replayDays,
    retentionDays: config.retentionDays,
    hashCustomer: deps.hashCustomer,
    syncMs: (deps.syncMinutes ?? 0) * 60_000,
    rejectUnknownAccounts: config.checkAccounts === 'true',
    countCallback: metrics.countCallback,
    ...(deps.watchWork && { watchWork: deps.watchWork }),
    ...(parts.paymentTime && { paymentTime: parts.paymentTime }),
    fixedKeys,
    ...(deps.serverId !== undefined && { serverId: deps.serverId }),
    ...shared,
  });
  const sandbox =
    config.mode === 'sandbox' ? createSandbox({ store, engine, world, scenario, emit }) : undefined;
  const journal =
    sandbox &&
    createJournal({
      realClock: parts.realClock ?? Date.now,
      monotonicClock: elapsed,
      active: scenario.active,
    });
  const urls = createUrls(publicUrl);
  const ownKey = fixedKeys[0]?.key ?? '';
  const reportError = (error: unknown): void => logger.error({ err: error }, 'a page could not be rendered');
  const app = createApp({
    engine,
    settings,
    ...(sandbox && { sandbox }),
    ...(journal && { journal }),
    monotonicClock: elapsed,
    random: secureRandom,
    hash: sha256Hex,
    failure,
    ...(deps.closing && { closing: deps.closing }),
    ...(deps.noteRejection && { noteRejection: deps.noteRejection }),
    ...shared,
    ...(config.corsOrigins && { corsOrigins: config.corsOrigins }),
    ...(config.callbackAddresses && { mayCall: createAddressCheck(config.callbackAddresses, logger) }),
    reportMisdirected: (path, intended) =>
      logger.warn(
        { path },
        `a callback came to a wrong path: its provider has to send to ${publicUrl}${intended}`,
      ),
    mount(router, count) {
      mountProbes(router, { whyUnready, metrics, metricsToken: config.metricsToken });
      const url = deps.consoleUrl ?? publicUrl + ownPaths.console;
      mountPages(router, {
        engine,
        settings,
        urls,
        sandbox,
        console: hasConsole(config) ? { url, takesLogins: takesLogins(config) } : null,
        now: world.now,
        reportError,
      });
      if (!hasConsole(config)) return;
      const admit = mountLogin(router, {
        ...{ store, url, count, realClock, logger },
        ...{ mode: config.mode, console: config.console },
        ...{ random: secureRandom, hash: sha256Hex },
      });
      mountConsole(router, {
        store,
        engine,
        settings,
        url,
        sandbox,
        now: world.now,
        realClock,
        journal,
        worlds: () => (deps.worldKeys?.() ?? []).map((key) => ({ key, isShown: key === ownKey })),
        send: (path, { headers: more, ...request }) =>
          app.fetch(
            new Request(publicUrl + settings.basePath + path, {
              ...request,
              headers: { ...more, [headers.apiKey]: ownKey },
            }),
          ),
        providers,
        seal: createSecretBox(config).seal,
        failure,
        countServers: deps.countServers ?? (() => 1),
        logAction: (done) => logger.info(done, 'an operator did something in the console'),
        reportError,
        admit,
      });
    },
  });
  return {
    app,
    dueWork: engine.dueWork,
    findByPage: engine.orders.findByPage,
    findByReference: (reference) => store.findOrderByReference(reference),
    handlePaymentEvent: engine.handlePaymentEvent,
    storeUnproven: engine.callbacks.storeUnproven,
    noteAlerts: engine.noteAlerts,
  };
}
