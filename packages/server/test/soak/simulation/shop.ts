import { hash } from 'node:crypto';
import {
  type App,
  type AppSettings,
  createApp,
  createResponseRenderer,
  defaultLimits,
} from '@topup-kit/core/app';
import type { CallbackReceiver } from '@topup-kit/core/callback';
import { createEngine, type Engine, type FixedKey } from '@topup-kit/core/engine';
import type { PaymentGateway, PaymentNews, PaymentReport } from '@topup-kit/core/gateway';
import { type Random, randomBelow, seededRandom } from '@topup-kit/core/platform';
import type { Store } from '@topup-kit/core/store';
import type { Supplier, SupplyNews, SupplyResult } from '@topup-kit/core/supplier';

export const sha256 = (text: string): string => hash('sha256', text, 'hex');

/** 1 May 2026, 12:00 in Jakarta. */
export const start = Date.UTC(2026, 4, 1, 5);

const settings: AppSettings = {
  ...{ publicUrl: 'http://shop.test', basePath: '/api', timezone: 'Asia/Jakarta', locale: 'id' },
  ...{ currency: 'IDR', limits: { ...defaultLimits, readsPerMinute: 0, ordersPerMinute: 0 } },
};
const renderResponse = createResponseRenderer(settings);

/** How the providers behave until it changes. */
export interface Weather {
  /** A new payment: created; created, and the response is lost; not created, and the request is lost; rejected. */
  create: 'works' | 'lost' | 'never' | 'rejected';
  /** Whether the gateway can be asked about its payments. */
  look: boolean;
  /**
   * What comes of a purchase. `partly`: every second item fails at its first attempt. `lost`: it is bought, and the response
   * is lost. `silent`: the supplier receives nothing.
   */
  supply: 'delivered' | 'failed' | 'partly' | 'pending' | 'lost' | 'silent';
}

/** What stays the same in a world. */
export interface Place {
  gateway: 'local' | 'remote';
  findBy: Supplier['abilities']['findBy'];
  /** Decides the ids, and in which order what happens at once takes its turns. */
  seed: number;
}

/** What a gateway has of a payment. */
export interface BookedPayment {
  reference: string;
  orderId: string;
  amount: number;
  /** What it came to; only the first is told to who asks. */
  events: { status: 'paid' | 'failed' | 'expired' | 'refunded'; amount: number; at: number }[];
}

/** A process that may be killed before and after each call that leaves it. */
interface Life {
  /** How many calls it still makes; null for any number. */
  left: number | null;
  isDead: boolean;
}

const receiver = <News>(): CallbackReceiver<News> => ({
  // Safe: only the simulation sends them.
  read: ({ body }) => ({ state: 'news', news: JSON.parse(new TextDecoder().decode(body)) as News }),
  respond: (outcome) => ({ status: outcome === 'failed' ? 503 : 200, body: { outcome } }),
});

/** The providers, with their books. */
function createProviders({ gateway: kind, findBy }: Place) {
  const weather: Weather = { create: 'works', look: true, supply: 'delivered' };
  const payments = new Map<string, BookedPayment>();
  const purchases = new Map<string, SupplyResult>();
  /** References that were received twice, which some suppliers would deliver twice. */
  const repeated: string[] = [];

  function book(orderId: string, amount: number): { reference: string; code: string; url: string } {
    const reference = `PAY-${payments.size + 1}`;
    payments.set(reference, { reference, orderId, amount, events: [] });
    return { reference, code: reference, url: `https://gateway.test/${reference}` };
  }

  function lookUp(): void {
    if (!weather.look) throw new Error('the gateway is down');
  }

  const remote: PaymentGateway = {
    kind: 'remote',
    name: 'paygate',
    sandbox: true,
    async createPayment({ orderId, amount }) {
      if (weather.create === 'rejected') return { rejected: 'by the simulation' };
      if (weather.create === 'never') throw new Error('the request is lost');
      const created = book(orderId, amount);
      if (weather.create === 'lost') throw new Error('the response is lost');
      return created;
    },
    async findPayment({ orderId }) {
      lookUp();
      const found = [...payments.values()].find((one) => one.orderId === orderId);
      if (!found) return { state: 'absent' };
      const { reference } = found;
      return { state: 'found', payment: { reference, code: reference, url: `https://gateway.test/${reference}` } };
    },
    async checkPayment({ reference }): Promise<PaymentReport> {
      lookUp();
      return payments.get(reference)?.events[0] ?? { status: 'open' };
    },
    callbacks: receiver<PaymentNews>(),
  };
  const local: PaymentGateway = {
    kind: 'local',
    name: 'paygate',
    sandbox: true,
    createPayment: ({ orderId, amount }) => book(orderId, amount),
  };

  function outcomeOf(reference: string): SupplyResult {
    const fails = weather.supply === 'failed' || (weather.supply === 'partly' && /-2-1$/.test(reference));
    if (fails) return { state: 'failed', reason: 'by the simulation' };
    if (weather.supply === 'pending') return { state: 'pending' };
    return { state: 'delivered', serialNumber: `SN-${reference}` };
  }

  const supplier: Supplier = {
    name: 'depot',
    sandbox: true,
    abilities: { findBy, findIntervalMs: 0, referenceLifetimeMs: null },
    async submit({ reference }) {
      if (weather.supply === 'silent') throw new Error('the request is lost');
      if (purchases.has(reference)) repeated.push(reference);
      const outcome = { ...outcomeOf(reference), supplierId: `T-${reference}` };
      purchases.set(reference, outcome);
      if (weather.supply === 'lost') throw new Error('the response is lost');
      return outcome;
    },
    async find({ reference, supplierId }) {
      if (findBy === 'none' || (findBy === 'supplierId' && supplierId !== `T-${reference}`))
        throw new Error('a question that this supplier does not understand');
      if (weather.supply === 'silent') throw new Error('the supplier is down');
      const known = purchases.get(reference);
      if (!known) return { state: 'absent' };
      if (known.state !== 'pending') return known;
      const outcome = { ...outcomeOf(reference), supplierId: `T-${reference}` };
      purchases.set(reference, outcome);
      return outcome;
    },
    callbacks: receiver<SupplyNews>(),
  };
  return { weather, payments, purchases, repeated, gateway: kind === 'local' ? local : remote, supplier };
}

/** The service in this process, over a store and providers that outlive it. */
export function openShop(place: Place, store: Store) {
  const random: Random = seededRandom(sha256, `${place.seed}`);
  const providers = createProviders(place);
  const clock = { now: start };
  const now = (): number => clock.now;
  let life: Life = { left: null, isDead: false };
  let isRace = false;
  let service: { app: App; engine: Engine };

  async function pass(own: Life): Promise<void> {
    if (own.left !== null && !own.isDead) {
      own.left -= 1;
      own.isDead = own.left < 0;
    }
    if (own.isDead) throw new Error('killed');
    if (isRace) for (let turns = randomBelow(random, 6); turns > 0; turns -= 1) await null;
  }

  /** The object as the current process sees it: no call of the dead does or returns anything. */
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

  function revive(): void {
    life = { left: null, isDead: false };
    const fixedKeys: FixedKey[] = [];
    const deps = { hash: sha256, random, realClock: now, fixedKeys };
    const engine = createEngine({
      ...deps,
      store: mortal(store),
      gateway: place.gateway === 'local' ? providers.gateway : mortal(providers.gateway),
      supplier: mortal(providers.supplier),
      worldClock: now,
      timezone: settings.timezone,
      renderResponse,
      reportError: () => {},
    });
    service = { engine, app: createApp({ ...deps, engine, settings }) };
  }
  revive();

  return {
    place,
    store,
    providers,
    clock,
    service: () => service,
    /** Lets what happens at once take its turns by the seed. */
    race(isOn: boolean): void {
      isRace = isOn;
    },
    /** What comes of some work, during which the service is killed at its call number `dies`; it is started again then. */
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
