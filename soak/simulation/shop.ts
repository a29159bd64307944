import { hash } from 'node:crypto';
import {
  type App,
  type AppSettings,
  createApp,
  createRenderers,
  defaultLimits,
  mountCallbacks,
} from '@topup-kit/core/app';
import {
  createCallbacks,
  createEngine,
  type Engine,
  type EngineDependencies,
  type FixedKey,
} from '@topup-kit/core/engine';
import { type RandomBytes, randomBelow, seededRandom } from '@topup-kit/core/platform';
import type { Store } from '@topup-kit/core/store';
import { createProviders, type Place, SimulatedFault, simulatedReason } from './providers.ts';

export const sha256 = (text: string): string => hash('sha256', text, 'hex');

/** Start of the clock: 1 May 2026, 12:00 in Jakarta. */
export const start = Date.UTC(2026, 4, 1, 5);

const settings: AppSettings = {
  publicUrl: 'http://shop.test',
  basePath: '/api',
  timezone: 'Asia/Jakarta',
  locale: 'id',
  currency: 'IDR',
  limits: { ...defaultLimits, readsPerMinute: 0, ordersPerMinute: 0 },
};
const renderers = createRenderers(settings);

/** Process that may be killed before and after each call to the outside. */
interface Life {
  /** Number of calls until it is killed; null if it isn't. */
  left: number | null;
  isDead: boolean;
}

interface Service {
  app: App;
  engine: Engine;
}

/** Opens the service in this process, on a store and providers that outlive it. */
export function openShop(place: Place, store: Store) {
  const random: RandomBytes = seededRandom(sha256, `${place.seed}`);
  const providers = createProviders(place);
  const clock = { now: start };
  const now = (): number => clock.now;
  let life: Life = { left: null, isDead: false };
  let isRace = false;

  /** Errors that the service reported, except those that the simulation caused. */
  const internalErrors: unknown[] = [];
  function reportError(error: unknown): void {
    for (let cause = error; cause instanceof Error; cause = cause.cause)
      if (cause instanceof SimulatedFault || cause.message.includes(simulatedReason)) return;
    internalErrors.push(error);
  }

  async function pass(own: Life): Promise<void> {
    if (own.left !== null && !own.isDead) {
      own.left -= 1;
      own.isDead = own.left < 0;
    }
    if (own.isDead) throw new SimulatedFault('killed');
    if (isRace) for (let turns = randomBelow(random, 6); turns > 0; turns -= 1) await null;
  }

  /** Wraps an object for the current process. Calls of a dead process do nothing and return nothing. */
  function mortal<Target extends object>(target: Target): Target {
    const own = life;
    return new Proxy(target, {
      get(object, name, receiver) {
        const value: unknown = Reflect.get(object, name, receiver);
        if (typeof value !== 'function') return value;
        return async (...input: unknown[]) => {
          await pass(own);
          try {
            return await value.apply(object, input);
          } finally {
            await pass(own);
          }
        };
      },
    });
  }

  function createService(): Service {
    const fixedKeys: FixedKey[] = [];
    const deps = { hash: sha256, random, realClock: now, monotonicClock: now, fixedKeys };
    const rules = {
      ...deps,
      store: mortal(store),
      gateway: place.gateway === 'local' ? providers.gateway : mortal(providers.gateway),
      supplier: mortal(providers.supplier),
      worldClock: now,
      timezone: settings.timezone,
      ...renderers,
      emit(event: Parameters<EngineDependencies['emit']>[0]) {
        if (event.type === 'error') reportError(event.error);
      },
    };
    const engine = createEngine(rules);
    const callbacks = createCallbacks({ ...rules, count: () => {}, report: () => {} });
    const mount = (site: Parameters<typeof mountCallbacks>[0]): void =>
      mountCallbacks(site, {
        ...{ callbacks, clock: now, closing: undefined },
        ...{ mayCall: () => true, reportMisdirected: () => {}, maxBodyBytes: settings.limits.bodyBytes },
      });
    return { engine, app: createApp({ ...deps, engine, settings, reportError, mount }) };
  }

  let service = createService();
  /** Second process on the same store, which takes every second turn in a race. */
  let second: Service | null = null;
  let isSecond = true;

  function revive(): void {
    life = { left: null, isDead: false };
    service = createService();
    second = null;
  }

  return {
    place,
    store,
    providers,
    clock,
    internalErrors,
    service(): Service {
      isSecond = isRace && !isSecond;
      if (!isSecond) return service;
      second ??= createService();
      return second;
    },
    /** Lets simultaneous steps take turns in an order that the seed decides. */
    race(isOn: boolean): void {
      isRace = isOn;
    },
    /** Returns the result of some work, during which the service is killed at its call number `dies`. It is then started again. */
    async killedAt<Result>(dies: number | null, work: () => Promise<Result>): Promise<Result | null> {
      const own = life;
      own.left = dies;
      const result = await work().catch((error: unknown) => {
        if (own.isDead) return null;
        throw error;
      });
      own.left = null;
      if (!own.isDead) return result;
      revive();
      return null;
    },
  };
}

export type Shop = ReturnType<typeof openShop>;
