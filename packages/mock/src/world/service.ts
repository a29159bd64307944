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
import { tellError } from '../console.ts';
import type { MockConfig } from '../options.ts';
import { chanceOf, rememberingHash } from '../random.ts';
import { AskedForError } from '../scenario-effects.ts';

/** What the service of a world is made of, besides its options. */
export interface ServiceParts {
  /** Whose request ids are its own. */
  name: string;
  store: Store;
  now: Clock;
  gateway: LocalGateway;
  supplier: Supplier;
  /** How often the same was ordered, by what was ordered. */
  repeats: Map<string, number>;
  fault: (operation: Operation, request: Request) => Refusal | undefined;
  /** Told of every order that is placed; not of one that an idempotency key replays. */
  placed?: (orderId: string) => void;
}

export interface Service {
  engine: Engine;
  app: App;
}

/** What tells one order from another, whenever it is made and under whichever idempotency key. */
const thingOrdered = ({ accountId, input }: OrderCommand): string => JSON.stringify([accountId, input]);

const orderIdOf = (answer: string): string => {
  // safe: what this very service rendered
  const { orderId } = JSON.parse(answer) as { orderId: string };
  return orderId;
};

/** Whoever asks with no key that there is, is the sandbox's own account. */
const openKeys = (keys: Keyring): Keyring => ({
  authenticate: async (key, loopback) =>
    (await keys.authenticate(key, loopback)) ?? { keyId: 'sandbox', accountId: sandboxAccount, scopes },
});

/** What went wrong unasked is a fault of the mock itself, and nobody else would tell. */
const reportError = (error: unknown): void => {
  if (!(error instanceof AskedForError)) tellError(error);
};

/** A gateway whose codes and references follow from the seed and the order they are for. */
export function seededGateway({ seed, paymentUrl }: MockConfig, now: Clock): LocalGateway {
  const gatewayFor = (orderId: string): LocalGateway =>
    createSimulatedGateway({
      clock: now,
      // The letters of an order id are the same whenever the order is made; its digits tell the time.
      random: chanceOf(seed, `payment ${orderId.slice(-8)}`),
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
  const hash = rememberingHash();
  const settings: AppSettings = {
    publicUrl,
    basePath,
    timezone: 'Asia/Jakarta',
    locale: 'id',
    currency: 'IDR',
    // Nobody's test run should meet a rate limit by accident.
    limits: { ...defaultLimits, readsPerMinute: 0, ordersPerMinute: 0 },
    dialect,
  };
  const rules = createEngine({
    store,
    gateway: parts.gateway,
    supplier: parts.supplier,
    // Asked for anew each time: a test may put its own clock in the place of `Date`.
    realClock: () => Date.now(),
    worldClock: now,
    random: chanceOf(seed, 'engine'),
    orderRandom(command) {
      const thing = thingOrdered(command);
      return chanceOf(seed, `order ${repeats.get(thing)} ${thing}`);
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
    keys: auth === 'off' ? openKeys(rules.keys) : rules.keys,
    orders: {
      ...rules.orders,
      async place(command) {
        const thing = thingOrdered(command);
        // Counted before it is placed, because the same may be ordered twice at once; what isn't placed counts back.
        const count = (by: 1 | -1): void => void repeats.set(thing, (repeats.get(thing) ?? 0) + by);
        count(1);
        try {
          const answer = await rules.orders.place(command);
          if (answer.replayed) count(-1);
          else parts.placed?.(orderIdOf(answer.body));
          return answer;
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
    random: chanceOf(seed, `request ids ${parts.name}`),
    hash,
    fault: parts.fault,
    reportError,
  });
  return { engine, app };
}
