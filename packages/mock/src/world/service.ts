import {
  type App,
  type AppSettings,
  createApp,
  createRenderers,
  defaultLimits,
  type RequestRecord,
} from '@topup-kit/core/app';
import { sandboxKey, scopes } from '@topup-kit/core/contract';
import {
  createEngine,
  type DomainError,
  type Engine,
  type Keyring,
  type OrderCommand,
  sandboxAccount,
} from '@topup-kit/core/engine';
import { createCallControl, type Faults, IntendedError } from '@topup-kit/core/features/sandbox';
import { createSimulatedGateway, type LocalGateway } from '@topup-kit/core/gateway';
import { type Clock, monotonicClock } from '@topup-kit/core/platform';
import type { Store } from '@topup-kit/core/store';
import type { Supplier } from '@topup-kit/core/supplier';
import { logError } from '../console.ts';
import type { MockConfig } from '../options.ts';
import { createCachedHash, randomFor } from '../random.ts';

interface ServiceParts {
  /** Name of the service. Services with different names have different request ids. */
  name: string;
  store: Store;
  now: Clock;
  gateway: LocalGateway;
  supplier: Supplier;
  /** Number of identical orders so far, by fingerprint. */
  repeats: Map<string, number>;
  fault: (record: RequestRecord) => DomainError | undefined;
  faults: Faults;
  /** Called for every new order, but not for a replayed response. */
  onPlaced?: (orderId: string) => void;
}

export interface Service {
  engine: Engine;
  app: App;
}

/** Returns a string that is equal for orders with the same content, whatever their time and idempotency key. */
const orderFingerprint = ({ accountId, input }: OrderCommand): string => JSON.stringify([accountId, input]);

const orderIdOf = (response: string): string => {
  // Safe: this service rendered it.
  const { orderId } = JSON.parse(response) as { orderId: string };
  return orderId;
};

/** Creates a keyring that gives a caller without a valid key the sandbox's account. */
const acceptAnyKey = (keys: Keyring): Keyring => ({
  ...keys,
  async authenticate(key, loopback) {
    const stored = await keys.authenticate(key, loopback);
    return stored && 'accountId' in stored ? stored : { keyId: 'sandbox', accountId: sandboxAccount, scopes };
  },
});

/** Logs unintended errors, which are bugs of the mock. */
const reportError = (error: unknown): void => {
  if (!(error instanceof IntendedError)) logError(error);
};

/** Creates a gateway whose codes and references depend only on the seed and the order. */
export function seededGateway({ seed, paymentUrl }: MockConfig, now: Clock): LocalGateway {
  const gatewayFor = (orderId: string): LocalGateway =>
    createSimulatedGateway({
      clock: now,
      // The letters of an order id don't depend on time, but its digits do.
      random: randomFor(seed, `payment ${orderId.slice(-8)}`),
      pageUrl: paymentUrl,
    });
  return {
    ...gatewayFor(''),
    createPayment: (request) => gatewayFor(request.orderId).createPayment(request),
  };
}

export function createService(config: MockConfig, parts: ServiceParts): Service {
  const { seed, dialect, origin: publicUrl, basePath, auth } = config;
  const { store, now, repeats } = parts;
  const hash = createCachedHash();
  const settings: AppSettings = {
    publicUrl,
    basePath,
    timezone: 'Asia/Jakarta',
    locale: config.locale,
    currency: 'IDR',
    // No rate limits, so that a test doesn't reach them by accident.
    limits: { ...defaultLimits, readsPerMinute: 0, ordersPerMinute: 0 },
    dialect,
  };
  const rules = createEngine({
    store,
    gateway: parts.gateway,
    supplier: parts.supplier,
    // Date.now is looked up at each call, because a test may replace `Date`.
    realClock: () => Date.now(),
    monotonicClock,
    worldClock: now,
    random: randomFor(seed, 'engine'),
    orderRandom(command) {
      const fingerprint = orderFingerprint(command);
      return randomFor(seed, `order ${repeats.get(fingerprint)} ${fingerprint}`);
    },
    hash,
    timezone: settings.timezone,
    dialect,
    ...createRenderers(settings),
    // The simulated supplier fails only when a scenario asks for it.
    emit: () => {},
    fixedKeys: [{ key: sandboxKey, directOnly: false }],
  });
  const engine: Engine = {
    ...rules,
    keys: auth === 'off' ? acceptAnyKey(rules.keys) : rules.keys,
    orders: {
      ...rules.orders,
      async place(command) {
        const fingerprint = orderFingerprint(command);
        // The order is counted first, because two identical orders may be placed at the same time. A failure undoes the count.
        const count = (by: 1 | -1): void =>
          void repeats.set(fingerprint, (repeats.get(fingerprint) ?? 0) + by);
        count(1);
        try {
          const response = await rules.orders.place(command);
          if (response.replayed) count(-1);
          else parts.onPlaced?.(orderIdOf(response.body));
          return response;
        } catch (error) {
          count(-1);
          throw error;
        }
      },
    },
  };
  const app = createApp({
    engine,
    settings,
    monotonicClock,
    random: randomFor(seed, `request ids ${parts.name}`),
    hash,
    fault: parts.fault,
    room: {
      calls: createCallControl({
        faults: parts.faults,
        findOrder: (orderId) => store.findOrder(orderId),
        maxBodyBytes: settings.limits.bodyBytes,
      }),
    },
    reportError,
  });
  return { engine, app };
}
