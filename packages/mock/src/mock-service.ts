import {
  type BuyStatus,
  type CreateOrderRequest,
  type CreateOrderResponse,
  headers,
  type OrderEventType,
  type PaymentStatus,
  parseDuration,
  sandboxKey,
} from '@topup-kit/core/contract';
import { type CatalogFile, DomainError } from '@topup-kit/core/engine';
import {
  actionsTo,
  type MockWebhooks,
  type PlayResult,
  type ReachableState,
  type SandboxAction,
  type Seed,
  type StepsFile,
  type TriggerInput,
} from '@topup-kit/core/features/sandbox';
import { missingGlobals } from '@topup-kit/core/http';
import { copyRequests, type MockRequest } from './calls.ts';
import { logWarning } from './console.ts';
import { createExchange, type Exchange } from './exchange.ts';
import { createMockFaults, type MockFaults } from './faults.ts';
import {
  type Latency,
  type MockConfig,
  type MockOptions,
  parseCatalog,
  parseLatency,
  parseOptions,
} from './options.ts';
import { plainGetReader } from './plain-get.ts';
import { createUsageLog, type PortabilityReport } from './portability.ts';
import { createControlRunner } from './sandbox.ts';
import type { ActiveScenario, ScenarioName, ScenarioScope } from './scenarios.ts';
import { openSession } from './session.ts';
import { createWebhooks } from './webhooks.ts';
import type { MockWorld } from './world/world.ts';
import { createWorlds, type MockSnapshot, otherKey, type Worlds } from './world/worlds.ts';

/** State of an order, with the kit's status names in every dialect. */
export interface OrderState {
  /** The id of the order, such as `INV-20260329093000-ABCDEFGH`. */
  order_id: string;
  /** State of the payment: `UNPAID`, `PAID`, `EXPIRED`, `FAILED` or `REFUND`. */
  payment_status: PaymentStatus;
  /** State of the delivery: `Pending` (unpaid), `Proses` (in delivery), `Sukses` (delivered), `Gagal` (failed), `Batal` (cancelled). */
  buy_status: BuyStatus;
}

/** A state of an order: payment status and delivery status. */
export type OrderStateName = ReachableState;

/** Events of an order. Each one rejects with an Error that names the order's state if the event is not possible. */
export interface OrderControls {
  /**
   * Places an order for the account of `apiKey` and brings it to a state. `requests` doesn't record it, and no fault affects it. Rejects
   * with an Error if the service rejects the order.
   *
   * @example
   * const { order_id } = await mock.orders.create(order, 'PAID / Gagal');
   */
  create(order: CreateOrderRequest, state?: OrderStateName): Promise<OrderState>;
  /** The customer pays an unpaid order. */
  pay(orderId: string): Promise<OrderState>;
  /** The payment of an unpaid order fails. */
  fail(orderId: string): Promise<OrderState>;
  /** An unpaid order expires now. */
  expire(orderId: string): Promise<OrderState>;
  /** The supplier delivers a paid order now. */
  deliver(orderId: string): Promise<OrderState>;
  /** The supplier can't deliver a paid order: it becomes `PAID / Gagal`. */
  failDelivery(orderId: string): Promise<OrderState>;
  /** The customer pays after the order has expired: the order doesn't change, and an operator must handle the money. */
  payLate(orderId: string): Promise<OrderState>;
  /** The customer pays one rupiah less than the total: the order stays unpaid, and an operator must handle the money. */
  payWrongAmount(orderId: string): Promise<OrderState>;
  /** The customer pays a paid order a second time: an operator must handle the money. */
  payAgain(orderId: string): Promise<OrderState>;
  /** A payment of the order's total arrives with an unknown reference: an operator must handle the money. */
  payUnknown(orderId: string): Promise<OrderState>;
  /** The outcome of a delivery is lost: the order stays `PAID / Proses` until an operator finds out the outcome. */
  loseDelivery(orderId: string): Promise<OrderState>;
  /** The supplier contradicts the outcome that it reported: the order doesn't change until an operator finds out the truth. */
  contradictDelivery(orderId: string): Promise<OrderState>;
  /** An operator refunds an order whose delivery failed. */
  refund(orderId: string): Promise<OrderState>;
}

/** The mock's clock (world time), by which orders expire and are delivered. */
export interface MockClock {
  /** Time of the mock's clock (world time) in unix milliseconds. */
  now(): number;
  /**
   * Moves the clock forward, by milliseconds or a duration such as `30s`, `31m` or `1h30m`. Work that becomes due in that time is done in
   * order. Rejects with a TypeError for a fraction of a millisecond, a negative duration, or more than ten years.
   */
  advance(by: number | string): Promise<void>;
}

/** The active simulated faults. */
export interface MockScenarios {
  /** The active scenarios, oldest first. */
  readonly active: readonly ActiveScenario[];
  /**
   * Activates a scenario in addition to the others: for all calls, for calls of one operation, or for the next `times` calls (or the next
   * `times` orders, for a scenario about orders).
   */
  use(name: ScenarioName, place?: ScenarioScope): void;
  /** Ends all scenarios. */
  clear(): void;
}

/** The mock's catalogue. */
export interface MockCatalog {
  /** A copy of the current catalogue. */
  get(): CatalogFile;
  /** Replaces the whole catalogue. If it is invalid, rejects with an Error that names every problem. */
  replace(document: CatalogFile): Promise<void>;
}

/** The service within this process: no port, no network, and its own orders, clock, scenarios and catalogue (its world). */
export interface MockService {
  /** The base URL of the interface, without a trailing slash. Nothing listens there. */
  readonly baseUrl: string;
  /** The API key: the well-known key of every sandbox. */
  readonly apiKey: string;
  /** A key of a second account, which can't see the orders of the first account. */
  readonly otherApiKey: string;
  /** The seed of all random values. A mock with the same seed has the same values. */
  readonly seed: number;
  /**
   * Handles requests to `baseUrl`, and to the pictures that responses link to. Pass it to the SDK or to any code that accepts a fetch
   * function. Rejects with a TypeError for another origin.
   */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** Simulates events from the payment gateway and the supplier: `await mock.orders.pay(orderId)`. */
  readonly orders: OrderControls;
  /**
   * Makes an event really happen: to a new order with these fields and with defaults from the catalogue, or to the order with the id
   * `order`. Earlier events of the order happen, too. `reason` is the reason for a failed delivery. Rejects with an Error that names an
   * invalid field, or the reason why the event is not possible.
   *
   * @example
   * const { order_id } = await mock.trigger('order.failed', { product_id: 901, reason: 'region_mismatch' });
   */
  trigger(event: OrderEventType, fields?: Omit<TriggerInput, 'event'>): Promise<OrderState>;
  /**
   * Plays a file of steps, or its text, like `topup sandbox play`. Rejects with an Error that has the number of the failed step, and the
   * expected and actual values.
   *
   * @example
   * await mock.play({ steps: [{ do: 'trigger', event: 'order.paid' }, { do: 'advance', by: '2s' }] });
   */
  play(file: StepsFile | string): Promise<PlayResult>;
  /** The mock's clock (world time), by which orders expire and are delivered. */
  readonly clock: MockClock;
  /** The active simulated faults. */
  readonly scenarios: MockScenarios;
  /** Faults by operation, order and header, with their number of strikes. */
  readonly faults: MockFaults;
  /**
   * The latency of each response in milliseconds, or its minimum and maximum. You can set it; `reset` restores the latency of the options.
   * Setting it throws a TypeError for an invalid value.
   */
  latency: Latency;
  /** The mock's catalogue. */
  readonly catalog: MockCatalog;
  /** The webhooks of the mock's orders. */
  readonly webhooks: MockWebhooks;
  /** A copy of the last 1,000 API calls since the start or the last reset. After `restore`, it includes the snapshot's calls. */
  readonly requests: readonly MockRequest[];
  /** Saves the state of the mock: orders, clock, uses of promo codes, scenarios, requests and catalogue. It is JSON. */
  snapshot(): MockSnapshot;
  /**
   * Restores a saved state: a snapshot of this mock, or the JSON of a snapshot from any mock or sandbox, which also sets the clock. For an
   * invalid or changed snapshot, throws a TypeError and changes nothing.
   *
   * @example
   * mock.restore(JSON.parse(await readFile('paid-order.json', 'utf8')));
   */
  restore(snapshot: { readonly format: string }): void;
  /**
   * Fills the mock from a seed file: the time of the clock, a catalogue, orders in given states, and faults. Resolves with the orders.
   * Rejects with an Error that names the invalid part, and changes nothing then.
   *
   * @example
   * await mock.populate({ format: 'topup-kit/seed@1', orders: [{ ...order, state: 'PAID / Gagal' }] });
   */
  populate(seed: Seed): Promise<OrderState[]>;
  /** Restores the state at the start. */
  reset(): void;
  /** Reports the extensions that the calls so far have used, including calls before a reset. */
  portability(): PortabilityReport;
}

const verbs: Record<SandboxAction, string> = {
  pay: 'be paid',
  fail: 'fail',
  expire: 'expire',
  deliver: 'be delivered',
  'pay-late': 'be paid late',
  'pay-wrong-amount': 'be paid in a wrong amount',
  'pay-again': 'be paid again',
  'pay-unknown': 'be paid with an unknown reference',
  'fail-delivery': 'fail to be delivered',
  'lose-delivery': 'lose the outcome of its delivery',
  'contradict-delivery': 'be contradicted',
  refund: 'be refunded',
};

/** Places an order like a client with the mock's key. Returns its id. */
async function placeFixtureOrder(
  world: MockWorld,
  baseUrl: string,
  order: CreateOrderRequest,
): Promise<string> {
  const response = await world.place(
    new Request(`${baseUrl}/order`, {
      method: 'POST',
      headers: {
        [headers.apiKey]: sandboxKey,
        Accept: 'application/json',
        'Content-Type': 'application/json',
      },
      body: JSON.stringify(order),
    }),
  );
  const body = await response.text();
  if (response.status !== 201) {
    const code = response.headers.get(headers.errorCode);
    throw new Error(`The order was rejected with status ${response.status}, ${code}: ${body}`);
  }
  // Safe: this is a 201 of this service.
  return (JSON.parse(body) as CreateOrderResponse).orderId;
}

function orderControls(worlds: Worlds, baseUrl: string, note: () => void): OrderControls {
  const act =
    (action: SandboxAction) =>
    async (orderId: string): Promise<OrderState> => {
      try {
        const order = await worlds.current().act(orderId, action);
        note();
        return {
          order_id: order.orderId,
          payment_status: order.paymentStatus,
          buy_status: order.buyStatus,
        };
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        if (error.code === 'INVOICE_NOT_FOUND')
          throw new Error(`There is no order ${JSON.stringify(orderId)}.`);
        const { payment, buy } = error.params;
        throw new Error(`The order ${orderId} is ${payment} / ${buy}: it can't ${verbs[action]}.`);
      }
    };
  return {
    async create(order, state = 'UNPAID / Pending') {
      if (!Object.hasOwn(actionsTo, state))
        throw new TypeError(
          `Unknown state ${JSON.stringify(state)}. The states are ${Object.keys(actionsTo).join(', ')}.`,
        );
      const world = worlds.current();
      const orderId = await placeFixtureOrder(world, baseUrl, order);
      note();
      return world.faults.sparing(orderId, async () => {
        let reached: OrderState = { order_id: orderId, payment_status: 'UNPAID', buy_status: 'Pending' };
        for (const action of actionsTo[state]) reached = await act(action)(orderId);
        return reached;
      });
    },
    pay: act('pay'),
    fail: act('fail'),
    expire: act('expire'),
    deliver: act('deliver'),
    payLate: act('pay-late'),
    payWrongAmount: act('pay-wrong-amount'),
    payAgain: act('pay-again'),
    payUnknown: act('pay-unknown'),
    failDelivery: act('fail-delivery'),
    loseDelivery: act('lose-delivery'),
    contradictDelivery: act('contradict-delivery'),
    refund: act('refund'),
  };
}

/** Ten years with their leap days, in milliseconds. */
const maxAdvance = 3_653 * 86_400_000;

function milliseconds(by: number | string): number {
  const duration = typeof by === 'number' ? by : parseDuration(by);
  if (Number.isInteger(duration) && duration !== undefined && duration >= 0 && duration <= maxAdvance)
    return duration;
  throw new TypeError(
    `clock.advance needs whole milliseconds or a duration such as 30s, 31m or 1h30m, at most ten years; got ${JSON.stringify(by)}.`,
  );
}

async function replaceCatalog(worlds: Worlds, document: CatalogFile): Promise<void> {
  const outcome = await worlds.current().store.replaceCatalog(parseCatalog(document));
  if ('conflict' in outcome)
    throw new Error(
      `The promo ${outcome.code} was used ${outcome.uses} times, which is above its new quota.`,
    );
}

const currentCatalog = (worlds: Worlds): CatalogFile =>
  structuredClone({ format: 'topup-kit/catalog@1', ...worlds.current().catalog() });

/** Globals of the Web platform that a mock uses. */
const platform = [
  'Request',
  'Response',
  'Headers',
  'TextEncoder',
  'TextDecoder',
  'crypto',
  'structuredClone',
];

/** Wraps an exchange, and calls `note` after each request, because the request may have changed orders. */
const noting =
  (exchange: Exchange, note: () => void): Exchange =>
  async (...request) => {
    const response = await exchange(...request);
    note();
    return response;
  };

/** Creates the mock without MSW, and its request handler. `of` is the name of the function that gets the options. */
export function createMockParts(
  options: MockOptions,
  of: string,
): {
  config: MockConfig;
  exchange: Exchange;
  service: MockService;
} {
  const problem = missingGlobals('@topup-kit/mock', platform);
  if (problem !== undefined) throw new TypeError(problem);
  const config = parseOptions(options, of);
  const session = config.persist ? openSession(config) : null;
  const worlds = session?.worlds ?? createWorlds(config);
  const usage = createUsageLog();
  let latency = config.latency;
  const readPlainGet = plainGetReader(config);
  const sending = createWebhooks(worlds, config.seed);
  const { webhooks, note, reset, orderOf } = sending;
  // The snapshot has no receivers, because a sandbox would send events to the invented URLs of a test.
  const snapshot = (): MockSnapshot => worlds.snapshot({ ...sending.snapshot(), receivers: [] });
  session?.keep(snapshot);
  const exchange = noting(createExchange(config, { worlds, usage, latency: () => latency }), note);

  async function fetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    const request = readPlainGet(input, init) ?? new Request(input, init);
    const { method, url, signal } = request;
    signal?.throwIfAborted();
    if (!url.startsWith(`${config.origin}/`))
      throw new TypeError(`${url} is on another origin than the mock, whose base URL is ${config.baseUrl}.`);
    const response = await exchange(request);
    signal?.throwIfAborted();
    if (response.status === 404 && !url.startsWith(`${config.baseUrl}/`))
      logWarning(`${method} ${url} is outside ${config.baseUrl}.`);
    if (response.type === 'error')
      throw new TypeError('fetch failed', { cause: new Error('scenario offline') });
    return response;
  }

  function resetAll(): void {
    latency = config.latency;
    worlds.reset();
    reset();
  }
  function restore(from: unknown): void {
    sending.restore(worlds.restore(from));
  }
  const runControl = createControlRunner({
    worlds,
    webhooks,
    note,
    orderOf,
    reset: resetAll,
    snapshot,
    restore,
  });

  const service: MockService = {
    baseUrl: config.baseUrl,
    apiKey: sandboxKey,
    otherApiKey: otherKey(config.seed).key,
    seed: config.seed,
    fetch,
    orders: orderControls(worlds, config.baseUrl, note),
    // Safe: the results of the controls have these types.
    play: async (file) => (await runControl('play', { document: file })) as PlayResult,
    trigger: async (event, fields) => (await runControl('trigger', { ...fields, event })) as OrderState,
    clock: {
      now: () => worlds.current().now(),
      async advance(by) {
        await worlds.current().advance(milliseconds(by));
        note();
      },
    },
    scenarios: {
      get active() {
        return worlds.current().scenarios.active();
      },
      use: (name, place) => worlds.current().scenarios.use(name, place),
      clear: () => worlds.current().scenarios.clear(),
    },
    faults: createMockFaults(worlds),
    get latency() {
      return latency;
    },
    set latency(changed) {
      latency = parseLatency(changed);
    },
    catalog: {
      get: () => currentCatalog(worlds),
      replace: (document) => replaceCatalog(worlds, document),
    },
    webhooks,
    get requests() {
      return copyRequests(worlds.current().requests);
    },
    snapshot,
    restore,
    // Safe: the control's result has this type.
    populate: async (seed) => ((await runControl('seed', seed)) as { orders: OrderState[] }).orders,
    reset: resetAll,
    portability: usage.report,
  };
  return { config, exchange, service };
}

/**
 * Creates the whole service without MSW: the server's own code with a store in memory. Mocks don't share data.
 *
 * @throws TypeError for an unknown option, an invalid value, or an environment without `Request` and the like, and Error
 * for an invalid catalogue or dialect.
 * @example
 * const mock = createMockService();
 * const client = createTopupClient({ baseUrl: mock.baseUrl, apiKey: mock.apiKey, fetch: mock.fetch });
 */
export const createMockService = (options: MockOptions = {}): MockService =>
  createMockParts(options, 'createMockService').service;
