import type { Clock, Hash, MonotonicClock, RandomBytes } from '../platform/index.ts';
import type { CatalogView } from './catalog/view.ts';
import type { EmitEvent } from './events.ts';
import type { RenderInvoice } from './feed.ts';
import type { Orders } from './orders/orders.ts';
import type { ConfiguredSuppliers } from './suppliers.ts';

/** Runs a task in the background, unless a task with this name is running. Resolves when it ends, even if it fails. */
export type StartTask = (name: string, task: () => Promise<unknown>, item?: string) => Promise<void>;

export interface House extends ConfiguredSuppliers {
  catalog: () => Promise<CatalogView>;
  worldClock: Clock;
  realClock: Clock;
  monotonicClock: MonotonicClock;
  random: RandomBytes;
  hash: Hash;
  emit: EmitEvent;
  orders: Pick<Orders, 'invoiced'>;
  renderInvoice: RenderInvoice;
  /** This server's name among all servers of the store, and their number. */
  serverId: string;
  countServers: () => number;
  /** Claims work for this server for the next 30 seconds. Resolves with true if no other server has it. */
  isOurs: (name: string) => Promise<boolean>;
  /** Starts tasks of this kind in the background. */
  start: (kind: string) => StartTask;
  /** Starts tasks of this kind in the background, unless another server has the same task. */
  startClaimed: (kind: string) => StartTask;
  /** Number of additional tasks that may start now. */
  capacity: () => number;
}

/** Maximum number of items of a kind per round, so that requests are served even during a long backlog. */
export const batchSize = 100;

/**
 * The due work of a room, by its name in the log. Each function does one batch of at most {@link batchSize} items, and returns their
 * number; after a full batch it is called again immediately.
 */
export type RoomWork = Readonly<Record<string, () => Promise<unknown> | undefined>>;

export type Room = (house: House) => RoomWork;
