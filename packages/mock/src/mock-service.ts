import { type BuyStatus, type PaymentStatus, parseDuration } from '@topup-kit/core/contract';
import { type CatalogFile, Refusal, type SandboxAction, sandboxKey } from '@topup-kit/core/engine';
import { copyRequests, type MockRequest } from './calls.ts';
import { logWarning } from './console.ts';
import { createExchange, type Exchange } from './exchange.ts';
import { type MockConfig, type MockOptions, parseCatalog, parseOptions } from './options.ts';
import { createUsageLog, type PortabilityReport } from './portability.ts';
import type { ActiveScenario, ScenarioName, ScenarioPlace } from './scenarios.ts';
import { createWorlds, type MockSnapshot, otherKey, type Worlds } from './world/worlds.ts';

/** How an order stands, in this kit's own words whatever the dialect. */
export interface OrderState {
  order_id: string;
  payment_status: PaymentStatus;
  buy_status: BuyStatus;
}

/** What can happen to an order from outside. Each rejects with an Error that says how the order stands. */
export type OrderControls = Record<SandboxAction, (orderId: string) => Promise<OrderState>>;

/** The service in this process: no port, no network, its own world. */
export interface MockService {
  /** Where the interface seems to be, without a slash at its end. */
  readonly baseUrl: string;
  /** The key that opens it: the well-known one of every sandbox. */
  readonly apiKey: string;
  /** A key of another account, that sees nothing of the first one's orders. */
  readonly otherApiKey: string;
  /** What all chance follows from; hand it to another mock to see the same again. */
  readonly seed: number;
  /**
   * Responds to any request to `baseUrl` and to the pictures that responses point to; hand it to the SDK or to any
   * code that takes a fetch. Rejects with a TypeError for another origin.
   */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** The gateway's and the supplier's part: `await mock.orders.pay(orderId)`. */
  readonly orders: OrderControls;
  readonly clock: {
    /** World time in unix milliseconds. */
    now(): number;
    /**
     * Moves world time on, by milliseconds or a duration such as `30s`, `31m` or `1h30m`. What falls due on the way
     * happens, in its order. Rejects with a TypeError for a fraction of a millisecond, for less than none, and for more
     * than ten years.
     */
    advance(by: number | string): Promise<void>;
  };
  readonly scenarios: {
    /** Those that are on, oldest first. */
    readonly active: readonly ActiveScenario[];
    /**
     * Turns one on besides the others: for all calls, those to one operation, the next `times` calls (or orders, where
     * it is about orders).
     */
    use(name: ScenarioName, place?: ScenarioPlace): void;
    /** Ends all of them. */
    clear(): void;
  };
  readonly catalog: {
    /** The catalogue in force, as a document that is yours to change. */
    get(): CatalogFile;
    /** Puts another one in force as a whole. Rejects with an Error that names every rule it breaks. */
    replace(document: CatalogFile): Promise<void>;
  };
  /**
   * The calls to the API since the start, the last reset, or as a restored snapshot had them: the last 1,000, as they
   * are at this moment.
   */
  readonly requests: readonly MockRequest[];
  /** The world as it is: orders, clock, uses of promo codes, scenarios, requests, catalogue. */
  snapshot(): MockSnapshot;
  /** Makes the world what it was. */
  restore(snapshot: MockSnapshot): void;
  /** Makes the world what it was at the start. */
  reset(): void;
  /** Which extensions all calls so far relied on, whatever was reset since. */
  portability(): PortabilityReport;
}

const verbs = { pay: 'paid', fail: 'failed', expire: 'expired', deliver: 'delivered' } as const;

function orderControls(worlds: Worlds): OrderControls {
  const act =
    (action: SandboxAction) =>
    async (orderId: string): Promise<OrderState> => {
      try {
        const order = await worlds.current().act(orderId, action);
        return {
          order_id: order.orderId,
          payment_status: order.paymentStatus,
          buy_status: order.buyStatus,
        };
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        if (error.code === 'INVOICE_NOT_FOUND')
          throw new Error(`There is no order ${JSON.stringify(orderId)}.`);
        const { payment, buy } = error.words;
        throw new Error(`The order ${orderId} is ${payment} / ${buy}: it can't be ${verbs[action]}.`);
      }
    };
  return { pay: act('pay'), fail: act('fail'), expire: act('expire'), deliver: act('deliver') };
}

/** Ten years with their leap days, in milliseconds. */
const longestAdvance = 3_653 * 86_400_000;

function milliseconds(by: number | string): number {
  const duration = typeof by === 'number' ? by : parseDuration(by);
  if (Number.isInteger(duration) && duration !== undefined && duration >= 0 && duration <= longestAdvance)
    return duration;
  throw new TypeError(
    `The clock goes on by whole milliseconds or a duration such as 30s, 31m or 1h30m, ten years at most, not by ${JSON.stringify(by)}.`,
  );
}

async function replaceCatalog(worlds: Worlds, document: CatalogFile): Promise<void> {
  const outcome = await worlds.current().store.replaceCatalog(parseCatalog(document));
  if ('conflict' in outcome)
    throw new Error(
      `The promo ${outcome.code} was used ${outcome.uses} times, which is above its new quota.`,
    );
}

/** The catalogue in force, as a document that is the caller's to change. */
const currentCatalog = (worlds: Worlds): CatalogFile =>
  structuredClone({ format: 'topup-kit/catalog@1', ...worlds.current().catalog() });

/** The mock without MSW, and what takes a request through it. */
export function createMockParts(options: MockOptions): {
  config: MockConfig;
  exchange: Exchange;
  service: MockService;
} {
  const config = parseOptions(options);
  const worlds = createWorlds(config);
  const usage = createUsageLog();
  const exchange = createExchange(config, worlds, usage);

  async function fetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    const request = new Request(input, init);
    const { signal } = request;
    signal.throwIfAborted();
    if (new URL(request.url).origin !== config.origin)
      throw new TypeError(`${request.url} is not of the mock, which is at ${config.baseUrl}.`);
    const response = await exchange(request);
    signal.throwIfAborted();
    if (response.status === 404 && !request.url.startsWith(`${config.baseUrl}/`))
      logWarning(`${request.method} ${request.url} is not below ${config.baseUrl}.`);
    if (response.type === 'error')
      throw new TypeError('fetch failed', { cause: new Error('scenario offline') });
    return response;
  }

  const service: MockService = {
    baseUrl: config.baseUrl,
    apiKey: sandboxKey,
    otherApiKey: otherKey(config.seed).key,
    seed: config.seed,
    fetch,
    orders: orderControls(worlds),
    clock: {
      now: () => worlds.current().now(),
      advance: async (by) => worlds.current().advance(milliseconds(by)),
    },
    scenarios: {
      get active() {
        return worlds.current().scenarios.active();
      },
      use: (name, place) => worlds.current().scenarios.use(name, place),
      clear: () => worlds.current().scenarios.clear(),
    },
    catalog: {
      get: () => currentCatalog(worlds),
      replace: (document) => replaceCatalog(worlds, document),
    },
    get requests() {
      return copyRequests(worlds.current().requests);
    },
    snapshot: worlds.snapshot,
    restore: worlds.restore,
    reset: worlds.reset,
    portability: usage.report,
  };
  return { config, exchange, service };
}

/**
 * The whole service over a memory store, without MSW: the server's own code. Every mock has a world of its own.
 *
 * @throws TypeError for a value that an option doesn't take, and Error for a catalogue or dialect that breaks its rules.
 * @example
 * const mock = createMockService();
 * const client = createTopupClient({ baseUrl: mock.baseUrl, apiKey: mock.apiKey, fetch: mock.fetch });
 */
export const createMockService = (options: MockOptions = {}): MockService => createMockParts(options).service;
