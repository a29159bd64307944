import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import { type RandomBytes, randomBelow, seededRandom } from '@topup-kit/core/platform';
import { sandboxCatalog } from '@topup-kit/core/sandbox';
import type { Store, StoredOrder } from '@topup-kit/core/store';
import { sha256Hex } from '../../packages/server/src/internal.ts';
import { storeOver } from '../../packages/server/src/sqlite/sqlite-store.ts';
import { callback } from '../../packages/suites/src/store/callbacks/callback-cases.ts';
import {
  change,
  claim,
  delivered,
  entry,
  paid,
  place,
  promo,
  reserve,
  response,
  unit,
} from '../../packages/suites/src/store/fixtures.ts';
import { openRecorded, recordedLog } from '../disk/database.ts';
import { Disk } from '../disk/disk.ts';
import { type Dump, dump } from '../disk/dump.ts';
import { orderNumber } from '../disk/orders.ts';

/** Changes that a store made to its disk, and the commits that it had acknowledged at each moment. */
export interface Recording {
  changes: Disk['changes'];
  /** Content of the store: empty, and then at each commit. */
  dumps: Dump[];
  /** After this number of changes, the commit with this number was acknowledged. */
  acknowledged: { after: number; commit: number }[];
}

export interface RecordOptions {
  seed: string;
  /** Changes how the database is opened, to check that lost data is detected. */
  weaken?: ((db: DatabaseSync) => void) | undefined;
}

/** Sends commands as a server does, several in one turn of the event loop. */
class Shop {
  readonly #random: RandomBytes;
  #store: Store;
  #orders = 0;
  #callbacks = 0;
  /** Acknowledged orders. */
  readonly acknowledged: string[] = [];
  /** Orders that wait for their payment, and orders that wait for their delivery. */
  readonly #unpaid: StoredOrder[] = [];
  readonly #paid: StoredOrder[] = [];

  constructor(random: RandomBytes, store: Store) {
    this.#random = random;
    this.#store = store;
  }

  reopened(store: Store): void {
    this.#store = store;
  }

  /** Sends a few commands at the same time. Resolves when all are acknowledged. */
  async commands(): Promise<void> {
    const count = 1 + randomBelow(this.#random, 4);
    await Promise.all(Array.from({ length: count }, () => this.#command()));
  }

  async fill(): Promise<void> {
    await this.#store.replaceCatalog({ ...sandboxCatalog('en'), promos: [promo({ quota: 50 })] });
  }

  #command(): Promise<unknown> {
    const [unpaid] = this.#unpaid;
    const [waiting] = this.#paid;
    switch (randomBelow(this.#random, 8)) {
      case 0:
        if (unpaid) return this.#pay(this.#unpaid.splice(0, 1));
        return this.#place();
      case 1:
        if (waiting) return this.#deliver(this.#paid.splice(0, 1));
        return this.#place();
      case 2:
        return this.#reserve();
      case 3:
        return this.#receive();
      default:
        return this.#place();
    }
  }

  async #place(): Promise<void> {
    const placed = orderNumber(++this.#orders);
    const { orderId } = placed;
    await this.#store.placeOrder(
      place(placed, {
        response: response({ orderId, key: `key-${orderId}` }),
        promo: randomBelow(this.#random, 2) === 0 ? claim() : null,
      }),
    );
    this.#unpaid.push(placed);
    this.acknowledged.push(orderId);
  }

  async #reserve(): Promise<void> {
    const placed = orderNumber(++this.#orders);
    const { orderId, payment } = placed;
    await this.#store.reserveOrder(
      reserve(placed, { response: response({ orderId, key: `key-${orderId}`, body: null }) }),
    );
    if (randomBelow(this.#random, 4) === 0) {
      await this.#store.abandonOrder(orderId);
      return;
    }
    await this.#store.finaliseOrder({
      orderId,
      payment,
      response: { body: '{"success":true}', locale: 'id' },
    });
    this.acknowledged.push(orderId);
  }

  async #pay(orders: StoredOrder[]): Promise<void> {
    for (const { orderId, version } of orders)
      await this.#store.changeOrder(change({ orderId, version, entry: entry(), units: [unit(1)] }));
    this.#paid.push(...orders);
  }

  async #deliver(orders: StoredOrder[]): Promise<void> {
    for (const { orderId, version } of orders)
      await this.#store.changeOrder(
        change({
          orderId,
          version: version + 1,
          to: delivered,
          serialNumber: `sn-${orderId}`,
          entry: entry({ event: 'delivered', from: paid, to: delivered }),
          units: [unit(1, { state: 'delivered', nextAt: null, serialNumber: `sn-${orderId}` })],
        }),
      );
  }

  /** A callback's body may need several pages. */
  async #receive(): Promise<void> {
    const body = this.#random(1 + randomBelow(this.#random, 12_000));
    await this.#store.addCallback(callback({ callbackId: `cb_${++this.#callbacks}`, body, orderId: null }));
  }
}

/** Number of rounds of commands in a recording. */
const rounds = 12;

/** Runs a store on a recording disk. Its log is written to the database after a few commands, and the store is stopped and started once. */
export async function record({ seed, weaken }: RecordOptions): Promise<Recording> {
  const random = seededRandom(sha256Hex, seed);
  const disk = new Disk();
  const dumps: Dump[] = [];
  const acknowledged: Recording['acknowledged'] = [];
  const path = join('recorded', 'topup.db');
  const logLimit = 50_000 + 4 * randomBelow(random, 50_000);
  const beforeCommit = (db: DatabaseSync): void => void dumps.push(dump(db));
  const open = (life: number): Store => {
    const db = openRecorded({ disk, seed: `${seed}-${life}`, path, beforeCommit });
    weaken?.(db);
    if (dumps.length === 0) dumps.push(dump(db));
    return storeOver(db, { path }, recordedLog(disk, logLimit));
  };
  let store = open(1);
  const shop = new Shop(random, store);
  const acknowledge = (): void => {
    const missing = shop.acknowledged.filter((orderId) => !dumps.at(-1)?.orders.includes(orderId));
    if (missing.length > 0) throw new Error(`${missing} was acknowledged before it was committed`);
    acknowledged.push({ after: disk.changes.length, commit: dumps.length - 1 });
  };

  await shop.fill();
  acknowledge();
  for (let round = 0; round < rounds; round += 1) {
    await shop.commands();
    acknowledge();
    // The log is written to the database after the commands are acknowledged.
    await turn();
    if (round !== rounds >> 1) continue;
    await store.close();
    store = open(2);
    shop.reopened(store);
  }
  await store.close();
  return { changes: disk.changes, dumps, acknowledged };
}
