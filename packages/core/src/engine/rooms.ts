import type { Clock, Hash, MonotonicClock, Random } from '../platform/index.ts';
import type { CatalogView } from './catalog/view.ts';
import type { Emit } from './events.ts';
import type { RenderInvoice } from './feed.ts';
import type { Orders } from './orders/orders.ts';
import type { ConfiguredSuppliers } from './suppliers.ts';

/** Runs a task in the background, at most one of a name at a time; resolves when it has ended, however it did. */
export type StartTask = (name: string, task: () => Promise<unknown>, item?: string) => Promise<void>;

export interface House extends ConfiguredSuppliers {
  catalog: () => Promise<CatalogView>;
  worldClock: Clock;
  realClock: Clock;
  monotonicClock: MonotonicClock;
  random: Random;
  hash: Hash;
  emit: Emit;
  orders: Pick<Orders, 'invoiced'>;
  renderInvoice: RenderInvoice;
  /** The name of this server among all that use the store, and how many they are. */
  serverId: string;
  countServers: () => number;
  /** Whether this server has a piece of work to itself for the next half minute. */
  isOurs: (name: string) => Promise<boolean>;
  /** Starts tasks of this kind in the background. */
  start: (kind: string) => StartTask;
  /** The same, unless another server has the same task. */
  startClaimed: (kind: string) => StartTask;
  /** How many more tasks may be started now. */
  capacity: () => number;
}

/** How many items of each kind one round handles, so that requests are served even during a long backlog. */
export const batchSize = 100;

/**
 * Work of a room that falls due, by the name that the log gives it. Each function does one batch of at most {@link batchSize} items, and
 * returns how many it had; after a full batch it is called again at once.
 */
export type RoomWork = Readonly<Record<string, () => Promise<unknown> | undefined>>;

export type Room = (house: House) => RoomWork;
