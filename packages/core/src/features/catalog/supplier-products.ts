import { isCurrent } from '../../engine/catalog/supplier-lists.ts';
import type { CatalogView } from '../../engine/catalog/view.ts';
import { isStoreFailure } from '../../engine/failures.ts';
import type { House, Room, StartTask } from '../../engine/rooms.ts';
import { allSuppliers, offersOf } from '../../engine/suppliers.ts';
import { askSupplier } from '../../engine/waiting.ts';
import type { Clock } from '../../platform/index.ts';
import type { Store, SupplierList } from '../../store/index.ts';
import { parseSupplierProducts, type Supplier } from '../../supplier/index.ts';
import { createProductWatch, soldProducts } from './product-changes.ts';
import type { CatalogStore } from './store.ts';

/** The part of a store that keeps lists. */
type Lists = Pick<Store, 'claimWork'> & Pick<CatalogStore, 'saveSupplierList'>;

/** The default time between two requests for the products, in milliseconds. */
const defaultIntervalMs = 10 * 60_000;

/** Time-out of a list of products, in milliseconds of real time. */
const productsTimeoutMs = 60_000;

/** Duration of a server's claim on the request, in milliseconds: longer than the request takes. */
const claimMs = 90_000;

/** Pause before a server tries again to claim a request that another server has. */
const claimPauseMs = 5_000;

/** Minimum pause before a request is repeated, even if the supplier allows an earlier repetition. */
const shortestPauseMs = 1_000;

/** Returns the time until the supplier allows another request, in milliseconds; undefined if unknown. */
function retryAfterOf(error: unknown): number | undefined {
  const isTold = typeof error === 'object' && error !== null && 'retryAfterMs' in error;
  return isTold && typeof error.retryAfterMs === 'number' ? error.retryAfterMs : undefined;
}

/** Creates a function that claims the request for a supplier's products, or extends the claim by a number of milliseconds. */
const createClaim =
  (store: Lists, { name }: Supplier, { by, realClock }: { by: string; realClock: Clock }) =>
  async (ms: number): Promise<boolean> => {
    const now = realClock();
    return (await store.claimWork([`products of ${name}`], { by, until: now + ms }, now)).length > 0;
  };

/** Reads everything that a supplier sells, and stores it for all servers. */
async function readList(store: Lists, supplier: Supplier, realClock: Clock): Promise<SupplierList> {
  const products = parseSupplierProducts(
    await askSupplier(async (signal) => supplier.readProducts?.(signal), productsTimeoutMs),
  );
  const list = { supplier: supplier.name, readAt: realClock(), products };
  await store.saveSupplierList(list);
  return list;
}

/** The result of an operator's request for a list. */
export interface ListNow {
  list: SupplierList;
  /** Null for a new list; otherwise, the time until the supplier allows another request, in milliseconds. */
  waitMs: number | null;
}

/**
 * Reads everything that the supplier sells, and stores it for all servers. If the supplier allows no request yet, or a server is reading
 * the list, it returns the last list if it is still valid.
 *
 * @throws the adapter's error if there is no valid list.
 */
export async function refreshSupplierList({
  store,
  supplier,
  realClock,
  by,
}: {
  store: Lists & Pick<Store, 'readSupplierLists'>;
  supplier: Supplier;
  realClock: Clock;
  /** Name of this process among all processes that use the store. */
  by: string;
}): Promise<ListNow> {
  const claim = createClaim(store, supplier, { by, realClock });
  const lastList = async (waitMs: number | undefined, error: unknown): Promise<ListNow> => {
    const lists = await store.readSupplierLists();
    const list = lists.find((list) => list.supplier === supplier.name && isCurrent(list, realClock()));
    if (!list || waitMs === undefined) throw error;
    return { list, waitMs };
  };
  if (!(await claim(claimMs)))
    return lastList(
      claimMs,
      new Error(`A server is asking ${supplier.name} right now. Try again in a minute.`),
    );
  try {
    return { list: await readList(store, supplier, realClock), waitMs: null };
  } catch (error) {
    if (isStoreFailure(error)) throw error;
    return await lastList(retryAfterOf(error), error);
  } finally {
    await claim(0);
  }
}

type ListHouse = Pick<
  House,
  'supplier' | 'otherSuppliers' | 'catalog' | 'realClock' | 'serverId' | 'emit' | 'start'
>;

/** Creates a function that reads a supplier's list when it is due, and stores it. */
function createListReader(
  store: Lists,
  house: ListHouse,
  supplier: Supplier,
  watch: (view: CatalogView) => void,
): (start: StartTask) => Promise<void> {
  const { catalog, realClock, serverId, emit } = house;
  const intervalMs = supplier.productsIntervalMs ?? defaultIntervalMs;
  const claim = createClaim(store, supplier, { by: serverId, realClock });
  /** Name of the task, which prevents two simultaneous runs. */
  const taskName = `products of the supplier${supplier === house.supplier ? '' : ` ${supplier.name}`}`;
  let notBefore = Number.NEGATIVE_INFINITY;
  let isFailing = false;

  const noteCall = (error: unknown): void =>
    emit({ type: 'call', provider: supplier.name, call: 'products', error });

  async function read(): Promise<void> {
    const { products } = await readList(store, supplier, realClock);
    isFailing = false;
    const view = await catalog();
    const codes = soldProducts(view)
      .flatMap((product) => offersOf(product, house))
      .flatMap((offer) => (offer.supplier === supplier.name ? offer.code : []));
    const listedCodes = new Set(products.map(({ code }) => code));
    const hasNone = codes.length > 0 && !codes.some((code) => listedCodes.has(code));
    noteCall(hasNone ? new Error('It lists none of the active products in the catalogue.') : undefined);
    watch(view);
  }

  async function ask(): Promise<void> {
    notBefore = realClock() + claimPauseMs;
    if (!(await claim(claimMs))) return;
    notBefore = realClock() + intervalMs;
    try {
      await read();
    } catch (error) {
      // The store reports its own problems.
      if (isStoreFailure(error)) throw error;
      if (!isFailing) emit({ type: 'error', error, about: 'products of the supplier' });
      // A first rejection is not reported, because another user of the shop's account may have sent a request.
      else noteCall(error);
      isFailing = true;
      const pauseMs = Math.min(intervalMs, Math.max(shortestPauseMs, retryAfterOf(error) ?? intervalMs));
      notBefore = realClock() + pauseMs;
      await claim(pauseMs);
    }
  }

  /** Tells whether a request is due, even if the clock was set back. */
  function isDue(readAt: number | null): boolean {
    const now = realClock();
    const isWaiting = (since: number): boolean => now < since + intervalMs && now >= since;
    return !isWaiting(notBefore - intervalMs) && (readAt === null || !isWaiting(readAt));
  }

  return async (start) => {
    const { listing } = await catalog();
    if (supplier.readProducts && isDue(listing.readAt(supplier.name))) void start(taskName, ask);
  };
}

/** Creates the due work that stores suppliers' lists and reports closed and opened products. Only one of several servers does it. */
export const keepSupplierLists =
  (store: Lists) =>
  (house: ListHouse): ReturnType<Room> => {
    const watch = createProductWatch(house);
    const start = house.start('read products');
    const readers = allSuppliers(house).map((supplier) => createListReader(store, house, supplier, watch));
    return {
      async 'look at the products'() {
        watch(await house.catalog());
        for (const read of readers) await read(start);
      },
    };
  };
