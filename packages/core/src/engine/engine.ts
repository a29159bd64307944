import type { PaymentGroup } from '../contract/index.ts';
import type { PaymentGateway } from '../gateway/index.ts';
import type { Clock, Hash, Random } from '../platform/index.ts';
import type { Store } from '../store/index.ts';
import { createCatalogReader } from './catalog/catalog-reader.ts';
import type { CatalogView } from './catalog/catalog-view.ts';
import { createKeyring, type FixedKey, type Keyring } from './keys/keyring.ts';
import { createOrders, type Orders } from './orders/orders.ts';
import { defaultPaymentTime } from './orders/payment-time.ts';
import { zonedTime } from './zoned-time.ts';

/** All that the rules need of the world they run in. */
export interface EngineDependencies {
  store: Store;
  gateway: PaymentGateway;
  /** The moment it is for orders, promos and expiry; a sandbox may move it. */
  worldClock: Clock;
  random: Random;
  hash: Hash;
  /** IANA name of the zone that order ids and times are told in. */
  timezone: string;
  /** How long an order waits for its payment, in milliseconds by group; `defaultPaymentTime` unless said. */
  paymentTime?: Partial<Record<PaymentGroup, number>>;
  /** Keys that work without being in the store; none in live mode. */
  fixedKeys: readonly FixedKey[];
}

/** The rules of the service, without HTTP. */
export interface Engine {
  catalog(): Promise<CatalogView>;
  keys: Keyring;
  orders: Orders;
}

export function createEngine(deps: EngineDependencies): Engine {
  const { store } = deps;
  const catalog = createCatalogReader(store);
  return {
    catalog,
    keys: createKeyring(deps),
    orders: createOrders({
      ...deps,
      catalog,
      localTime: zonedTime(deps.timezone),
      paymentTime: { ...defaultPaymentTime, ...deps.paymentTime },
    }),
  };
}
