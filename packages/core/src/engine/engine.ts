import {
  type Dialect,
  kitDialect,
  type Locale,
  type PaymentGroup,
  type PromoInput,
  type PromoValidation,
} from '../contract/index.ts';
import type { PaymentGateway } from '../gateway/index.ts';
import type { Clock, Hash, MonotonicClock, RandomBytes } from '../platform/index.ts';
import type { HashCustomer, RenderedResponse, Store, StoredOrder } from '../store/index.ts';
import type { Supplier } from '../supplier/index.ts';
import { type Accounts, createAccounts } from './accounts.ts';
import { type CatalogView, createCatalogReader } from './catalog/view.ts';
import { createDueWork, type DueWork, type RunTracked } from './due-work.ts';
import type { EmitEvent, PaymentEvent } from './events.ts';
import { createFeed, type ReadEvents, type RenderInvoice } from './feed.ts';
import { createKeyring, type FixedKey, type Keyring } from './keys.ts';
import { createOrders, type Orders } from './orders/orders.ts';
import type { OrderCommand } from './orders/place-order.ts';
import { validatePromo } from './orders/validate-promo.ts';
import { handlePaymentEvent } from './payments.ts';
import type { Room } from './rooms.ts';
import { zonedTime } from './time.ts';
import { withTimeout } from './waiting.ts';

export interface EngineDependencies {
  store: Store;
  gateway: PaymentGateway;
  /** The first supplier, which sells products that name no supplier. */
  supplier: Supplier;
  /** Other suppliers that products may name; none by default. */
  otherSuppliers?: readonly Supplier[] | undefined;
  /** True if a product with several suppliers is bought at the lowest price instead of in its own order. */
  cheapestFirst?: boolean | undefined;
  /** World time, for orders, promos and expiry; a sandbox may move it ahead. */
  worldClock: Clock;
  realClock: Clock;
  monotonicClock: MonotonicClock;
  random: RandomBytes;
  /** Returns the random bytes of an order, for a mock whose orders must not depend on other requests; `random` by default. */
  orderRandom?: (command: OrderCommand) => RandomBytes;
  hash: Hash;
  /** IANA name of the time zone of order ids and times. */
  timezone: string;
  /** The expiry times and time zone of the dialect; the kit's own by default. The dialect's zone takes precedence over `timezone`. */
  dialect?: Pick<Dialect, 'expiryMinutes' | 'timezone'>;
  /** Time to pay in milliseconds, by group; the dialect's times by default. */
  paymentTime?: Partial<Record<PaymentGroup, number>>;
  /** Time for which an order's response is replayed, in days of world time; 30 by default. */
  replayDays?: number;
  /** Identifies customers of erased orders in uses of promos. If left out, these uses don't count. */
  hashCustomer?: HashCustomer | undefined;
  /** Renders the response that an order's idempotency key replays. */
  renderResponse: (order: StoredOrder, locale?: Locale) => RenderedResponse;
  /** Renders the order in events. */
  renderInvoice: RenderInvoice;
  /** Additional due work; none by default. */
  rooms?: readonly Room[];
  emit: EmitEvent;
  /** Maximum loss per unit of a sale with a promo: integer in the smallest unit; 0 by default. */
  promoMaxLoss?: number;
  /** True to reject an order for an account that certainly doesn't exist, before payment; false by default. */
  rejectUnknownAccounts?: boolean;
  /** Runs each background task, for a host that observes them. */
  watchWork?: RunTracked;
  /** This server's name among all servers of the store, new for each process. Needed only with several servers. */
  serverId?: string;
  /** Returns the number of servers that share the work, so that limits of requests to providers apply to all together; 1 by default. */
  countServers?: () => number;
  /** Keys that work although they are not in the store; none in live mode. */
  fixedKeys: readonly FixedKey[];
}

/** Default number of days for which an order's response is replayed (source: ours). */
export const defaultReplayDays = 30;

/** Maximum time of the store for a health check, in milliseconds of real time. */
const maxStoreReadMs = 1_500;

/** Creates a function that reads a value once, for a value that stays the same while a server runs. It reads again only after a failure. */
function once<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let known: Promise<Value> | undefined;
  return () => {
    known ??= read().catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };
}

/** The service's rules, without HTTP. */
export interface Engine {
  catalog(): Promise<CatalogView>;
  /** Rejects unless the store can be read within {@link maxStoreReadMs}. */
  checkStore(): Promise<void>;
  keys: Keyring;
  orders: Orders;
  dueWork: DueWork;
  accounts: Accounts;
  /** Returns the price of one unit with a promo code, without using the code up. */
  validatePromo(input: PromoInput): Promise<PromoValidation>;
  readEvents: ReadEvents;
  /** Applies a payment event whose origin was verified; null if no order has this payment. */
  handlePaymentEvent(event: PaymentEvent): Promise<StoredOrder | null>;
}

export function createEngine(dependencies: EngineDependencies): Engine {
  const deps = {
    ...dependencies,
    countServers: dependencies.countServers ?? (() => 1),
    serverId: dependencies.serverId ?? 'the only one',
    promoMaxLoss: dependencies.promoMaxLoss ?? 0,
  };
  const { store, worldClock, dialect = kitDialect } = deps;
  const catalog = createCatalogReader(deps);
  const keys = createKeyring(deps);
  const accounts = createAccounts({ ...deps, catalog });
  const orders = createOrders({
    ...deps,
    catalog,
    accounts: deps.rejectUnknownAccounts ? accounts : null,
    localTime: zonedTime(dialect.timezone ?? deps.timezone),
    expiryMinutes: dialect.expiryMinutes,
    replayMs: (deps.replayDays ?? defaultReplayDays) * 24 * 60 * 60_000,
  });
  return {
    catalog,
    async checkStore() {
      // The catalogue may come from memory, so the store is read as well.
      const read = Promise.all([catalog(), store.readWorldOffset()]);
      await withTimeout(read, maxStoreReadMs, 'the store did not respond in time');
    },
    keys,
    accounts,
    orders,
    dueWork: createDueWork({
      ...deps,
      catalog,
      restoredAt: once(() => store.readRestoredAt()),
      keys,
      orders,
      rooms: deps.rooms ?? [],
      watchWork: deps.watchWork ?? ((_kind, _item, work) => work()),
    }),
    validatePromo: (input) => validatePromo({ ...deps, catalog }, input),
    readEvents: createFeed({ ...deps, orders }),
    handlePaymentEvent: (event) => handlePaymentEvent({ store, now: worldClock(), emit: deps.emit }, event),
  };
}
