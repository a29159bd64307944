import { another, change, moment, paid, place, unit } from '../../../suites/src/store/fixtures.ts';
import { askSoon, type DeliveryDependencies, deliverUnits } from '../../src/engine/delivery/deliver.ts';
import type { KnownOutcome } from '../../src/engine/delivery/purchase.ts';
import { storeKnownOutcome } from '../../src/engine/delivery/results.ts';
import type { EngineEvent } from '../../src/engine/events.ts';
import {
  createMemoryStore,
  type OrderState,
  type Store,
  type StoredOrder,
  type StoredUnit,
  type SupplierProduct,
} from '../../src/features/store.ts';
import type { Supplier } from '../../src/supplier/index.ts';
import { supplierThat } from './supplier.ts';

const { orderId } = another('A');

/** World time. */
export const now = moment + 60_000;

/** A unit that was submitted, and that is due. */
export const asked = { state: 'asked', supplier: 'test', askedAt: moment, nextAt: now } as const;
export const isDelivered = { state: 'delivered', nextAt: null, serialNumber: 'SN-1' } as const;
export const isFailed = { state: 'failed', nextAt: null, reason: 'out' } as const;

const listedProduct = (code: string, price: number | undefined): SupplierProduct => ({
  code,
  ...(price !== undefined && { price }),
  isAvailable: true,
  stock: null,
  isOncePerDay: false,
  pause: null,
});

/** A paid order whose units have these fields, and the steps of its delivery. */
export async function orderWith(
  units: Partial<StoredUnit>[],
  {
    to = paid,
    supplier = supplierThat({}),
    wrap = (store) => store,
    pricing = another('A').pricing,
    listedPrice,
  }: {
    to?: OrderState;
    supplier?: Supplier;
    wrap?: (store: Store) => Store;
    pricing?: StoredOrder['pricing'];
    listedPrice?: number;
  } = {},
) {
  const memory = createMemoryStore();
  await memory.placeOrder(place(another('A', { pricing })));
  const complete = units.map((over, index) => unit(index + 1, over));
  await memory.changeOrder(change({ to, units: complete }));
  const store = wrap(memory);
  const calls: unknown[][] = [];
  function noteEvent(event: EngineEvent): void {
    if (event.type === 'error') calls.push(['error', event.error, event.about]);
    else if (event.type === 'delivery') calls.push(['outcome', event.delivery]);
    else if (event.type === 'call')
      calls.push(['call', event.provider, event.call, ...(event.error === undefined ? [] : [event.error])]);
  }
  const deps: DeliveryDependencies = {
    ...{ store, supplier, worldClock: () => now },
    emit: noteEvent,
    restoredAt: async () => null,
    catalog: async () => ({ listing: { findAt: ({ code }) => listedProduct(code, listedPrice) } }),
  };
  return {
    calls,
    say: (known: KnownOutcome, { unit = 1, attempt = 1 } = {}, id = orderId) =>
      storeKnownOutcome(deps, id, { unit, attempt }, known),
    askSoon: (about: { unit: number; attempt: number }, supplierId: string | null = null, id = orderId) =>
      askSoon(deps, id, about, supplierId),
    /** The names of the tasks that are started. */
    async deliver(id = orderId): Promise<string[]> {
      const tasks: Promise<unknown>[] = [];
      const names: string[] = [];
      await deliverUnits(
        deps,
        (name, task) => {
          names.push(name);
          tasks.push(task());
        },
        id,
      );
      await Promise.all(tasks);
      return names;
    },
    readOrder: () => memory.findOrder(orderId),
    readHistory: () => memory.findHistory(orderId),
    readUnits: () => memory.findUnits(orderId),
    async read() {
      const [first] = await memory.findUnits(orderId);
      return { ...first, order: await memory.findOrder(orderId) };
    },
  };
}
