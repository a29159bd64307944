import { isCurrent } from '../../engine/catalog/supplier-lists.ts';
import type { CatalogView } from '../../engine/catalog/view.ts';
import { isOfStore } from '../../engine/failures.ts';
import type { House, Room, StartTask } from '../../engine/rooms.ts';
import { allSuppliers, offersOf } from '../../engine/suppliers.ts';
import { askSupplier } from '../../engine/waiting.ts';
import type { Clock } from '../../platform/index.ts';
import type { Store, SupplierList } from '../../store/index.ts';
import { parseSupplierProducts, type Supplier } from '../../supplier/index.ts';
import { createProductWatch, soldProducts } from './product-changes.ts';
import type { CatalogStore } from './store.ts';

/** Where lists are kept. */
type Lists = Pick<Store, 'claimWork'> & Pick<CatalogStore, 'saveSupplierList'>;

/** The time between two questions for the products, when the supplier doesn't say it, in milliseconds. */
const defaultIntervalMs = 10 * 60_000;

/** How long a list of products may take, in milliseconds of real time. */
const productsTimeoutMs = 60_000;

/** How long a server has the question to itself; longer than it takes. */
const claimMs = 90_000;

/** How long a server waits before it tries again to claim a question that another one has. */
const claimPauseMs = 5_000;

/** The shortest time until a question is asked again, whatever the supplier says. */
const shortestPauseMs = 1_000;

/** When the supplier says that it may be asked again, in milliseconds from now; undefined when it doesn't say it. */
function retryAfterOf(error: unknown): number | undefined {
  const isTold = typeof error === 'object' && error !== null && 'retryAfterMs' in error;
  return isTold && typeof error.retryAfterMs === 'number' ? error.retryAfterMs : undefined;
}

/** Claims the question for what a supplier sells, or keeps it claimed, for so many milliseconds. */
const createClaim =
  (store: Lists, { name }: Supplier, { by, realClock }: { by: string; realClock: Clock }) =>
  async (ms: number): Promise<boolean> => {
    const now = realClock();
    return (await store.claimWork([`products of ${name}`], { by, until: now + ms }, now)).length > 0;
  };

/** Reads everything that a supplier sells, and keeps it for the servers of the store. */
async function readList(store: Lists, supplier: Supplier, realClock: Clock): Promise<SupplierList> {
  const products = parseSupplierProducts(
    await askSupplier(async (signal) => supplier.readProducts?.(signal), productsTimeoutMs),
  );
  const list = { supplier: supplier.name, readAt: realClock(), products };
  await store.saveSupplierList(list);
  return list;
}

/** A list that an operator asked for. */
export interface ListNow {
  list: SupplierList;
  /** Null for a list that was read just now; else how long the supplier wants no other question, in milliseconds. */
  waitMs: number | null;
}

/**
 * Reads everything that the supplier sells, and keeps it for the servers of the store. Where the supplier wants no question yet, or a
 * server is asking, it is the last list, if that still counts.
 *
 * @throws what the supplier's adapter throws, when there is no such list.
 */
export async function readListNow({
  store,
  supplier,
  realClock,
  by,
}: {
  store: Lists & Pick<Store, 'readSupplierLists'>;
  supplier: Supplier;
  realClock: Clock;
  /** A name of this process among those that use the store. */
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
      new Error(`A server is asking ${supplier.name} just now. Try again in a minute.`),
    );
  try {
    return { list: await readList(store, supplier, realClock), waitMs: null };
  } catch (error) {
    if (isOfStore(error)) throw error;
    return await lastList(retryAfterOf(error), error);
  } finally {
    await claim(0);
  }
}

type ListHouse = Pick<
  House,
  'supplier' | 'otherSuppliers' | 'catalog' | 'realClock' | 'serverId' | 'emit' | 'start'
>;

/** Returns a function that asks one supplier if it is time for it, and keeps its list in the store. */
function createListReader(
  store: Lists,
  house: ListHouse,
  supplier: Supplier,
  watch: (view: CatalogView) => void,
): (start: StartTask) => Promise<void> {
  const { catalog, realClock, serverId, emit } = house;
  const intervalMs = supplier.productsIntervalMs ?? defaultIntervalMs;
  const claim = createClaim(store, supplier, { by: serverId, realClock });
  /** By which no two of them run at once. */
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
      // The host is told of a problem of the store by the store itself.
      if (isOfStore(error)) throw error;
      if (!isFailing) emit({ type: 'error', error, about: 'products of the supplier' });
      // The first time, somebody else may just have asked with the shop's account.
      else noteCall(error);
      isFailing = true;
      const pauseMs = Math.min(intervalMs, Math.max(shortestPauseMs, retryAfterOf(error) ?? intervalMs));
      notBefore = realClock() + pauseMs;
      await claim(pauseMs);
    }
  }

  /** Whether it is time to ask, also after the clock was set back. */
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

/** Keeps in the store what the suppliers sell, and reports what can no longer be ordered, or can be again. Of several servers one asks. */
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
