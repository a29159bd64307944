import {
  type App,
  type AppSettings,
  createAnswerRenderer,
  createApp,
  defaultLimits,
} from '@topup-kit/core/app';
import { type Operation, scopes } from '@topup-kit/core/contract';
import {
  createEngine,
  type Engine,
  IntendedError,
  type Keyring,
  type OrderCommand,
  type Refusal,
  sandboxAccount,
  sandboxKey,
} from '@topup-kit/core/engine';
import { createSimulatedGateway, type LocalGateway } from '@topup-kit/core/gateway';
import type { Clock } from '@topup-kit/core/platform';
import type { Store } from '@topup-kit/core/store';
import type { Supplier } from '@topup-kit/core/supplier';
import { logError } from '../console.ts';
import type { MockConfig } from '../options.ts';
import { createCachedHash, randomFor } from '../random.ts';

/** What the service of a world is made of, besides its options. */
interface ServiceParts {
  /** Services of different names have different request ids. */
  name: string;
  store: Store;
  now: Clock;
  gateway: LocalGateway;
  supplier: Supplier;
  /** How often the same was ordered, by fingerprint. */
  repeats: Map<string, number>;
  fault: (operation: Operation, request: Request) => Refusal | undefined;
  /** Called for every order that is placed, but not for an idempotent replay. */
  onPlaced?: (orderId: string) => void;
}

export interface Service {
  engine: Engine;
  app: App;
}

/** The same for orders of the same content, whenever they are placed and under any idempotency key. */
const orderFingerprint = ({ accountId, input }: OrderCommand): string => JSON.stringify([accountId, input]);

const orderIdOf = (response: string): string => {
  // safe: what this very service rendered
  const { orderId } = JSON.parse(response) as { orderId: string };
  return orderId;
};

/** A caller without a valid key gets the sandbox's own account. */
const acceptAnyKey = (keys: Keyring): Keyring => ({
  authenticate: async (key, loopback) =>
    (await keys.authenticate(key, loopback)) ?? { keyId: 'sandbox', accountId: sandboxAccount, scopes },
});

/** Any other error is a fault of the mock itself, which nobody else would report. */
const reportError = (error: unknown): void => {
  if (!(error instanceof IntendedError)) logError(error);
};

/** A gateway whose codes and references follow from the seed and the order they are for. */
export function seededGateway({ seed, paymentUrl }: MockConfig, now: Clock): LocalGateway {
  const gatewayFor = (orderId: string): LocalGateway =>
    createSimulatedGateway({
      clock: now,
      // The letters of an order id are the same whenever the order is made; its digits tell the time.
      random: randomFor(seed, `payment ${orderId.slice(-8)}`),
      pageUrl: paymentUrl,
    });
  return {
    ...gatewayFor(''),
    createPayment: (request) => gatewayFor(request.orderId).createPayment(request),
  };
}

/** The service itself: the server's rules and app. */
export function createService(config: MockConfig, parts: ServiceParts): Service {
  const { seed, dialect, origin: publicUrl, basePath, auth } = config;
  const { store, now, repeats } = parts;
  const hash = createCachedHash();
  const settings: AppSettings = {
    publicUrl,
    basePath,
    timezone: 'Asia/Jakarta',
    locale: 'id',
    currency: 'IDR',
    // No test should run into a rate limit by accident.
    limits: { ...defaultLimits, readsPerMinute: 0, ordersPerMinute: 0 },
    dialect,
  };
  const rules = createEngine({
    store,
    gateway: parts.gateway,
    supplier: parts.supplier,
    // Read anew each time: a test may replace `Date`.
    realClock: () => Date.now(),
    worldClock: now,
    random: randomFor(seed, 'engine'),
    orderRandom(command) {
      const fingerprint = orderFingerprint(command);
      return randomFor(seed, `order ${repeats.get(fingerprint)} ${fingerprint}`);
    },
    hash,
    timezone: settings.timezone,
    dialect,
    renderAnswer: createAnswerRenderer(settings),
    // The simulated supplier fails only where its part says so.
    reportError: () => {},
    fixedKeys: [{ key: sandboxKey, loopbackOnly: false }],
  });
  const engine: Engine = {
    ...rules,
    keys: auth === 'off' ? acceptAnyKey(rules.keys) : rules.keys,
    orders: {
      ...rules.orders,
      async place(command) {
        const fingerprint = orderFingerprint(command);
        // Counted before it is placed, because the same may be ordered twice at once; undone if it is not placed.
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
    realClock: () => Date.now(),
    random: randomFor(seed, `request ids ${parts.name}`),
    hash,
    fault: parts.fault,
    reportError,
  });
  return { engine, app };
}
