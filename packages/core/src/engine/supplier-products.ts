import type { Clock } from '../platform/index.ts';
import type { Store, SupplierList, SupplierProduct } from '../store/index.ts';
import { parseSupplierProducts, type Supplier } from '../supplier/index.ts';
import { isCurrent } from './catalog/supplier-lists.ts';
import type { CatalogView } from './catalog/view.ts';
import type { Emit } from './events.ts';
import { isOfStore } from './failures.ts';
import { createProductWatch, soldProducts } from './product-changes.ts';
import { allSuppliers, type ConfiguredSuppliers, offersOf } from './suppliers.ts';
import { askSupplier } from './waiting.ts';

interface ProductsDependencies extends ConfiguredSuppliers {
  store: Pick<Store, 'claimWork' | 'saveSupplierList'>;
  catalog: () => Promise<CatalogView>;
  realClock: Clock;
  /** The name of this server among all that use the store. */
  serverId: string;
  emit: Emit;
}

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

const claimOf = ({ name }: Supplier): string => `products of ${name}`;

const readProducts = async (supplier: Supplier): Promise<SupplierProduct[]> =>
  parseSupplierProducts(
    await askSupplier(async (signal) => supplier.readProducts?.(signal), productsTimeoutMs),
  );

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
  store: Pick<Store, 'claimWork' | 'saveSupplierList' | 'readSupplierLists'>;
  supplier: Supplier;
  realClock: Clock;
  /** A name of this process among those that use the store. */
  by: string;
}): Promise<ListNow> {
  const claim = async (until: number): Promise<boolean> =>
    (await store.claimWork([claimOf(supplier)], { by, until }, realClock())).length > 0;
  const lastList = async (waitMs: number | undefined, error: unknown): Promise<ListNow> => {
    const lists = await store.readSupplierLists();
    const list = lists.find((list) => list.supplier === supplier.name && isCurrent(list, realClock()));
    if (!list || waitMs === undefined) throw error;
    return { list, waitMs };
  };
  if (!(await claim(realClock() + claimMs)))
    return lastList(
      claimMs,
      new Error(`A server is asking ${supplier.name} just now. Try again in a minute.`),
    );
  try {
    const products = await readProducts(supplier);
    const list = { supplier: supplier.name, readAt: realClock(), products };
    await store.saveSupplierList(list);
    return { list, waitMs: null };
  } catch (error) {
    if (isOfStore(error)) throw error;
    return await lastList(retryAfterOf(error), error);
  } finally {
    await claim(realClock());
  }
}

/** What the supplier has, so that nothing is paid that can't be delivered. */
export interface SupplierProducts {
  /** Asks the supplier if it is time for it, and reports what can no longer be ordered, or can be again. */
  refresh(start: (name: string, task: () => Promise<unknown>) => void): Promise<void>;
}

/** Keeps in the store what one supplier said last. */
function createListReader(
  deps: ProductsDependencies,
  supplier: Supplier,
  watch: (view: CatalogView) => void,
): SupplierProducts {
  const { store, catalog, realClock, serverId, emit } = deps;
  const intervalMs = supplier.productsIntervalMs ?? defaultIntervalMs;
  const claimName = claimOf(supplier);
  let notBefore = Number.NEGATIVE_INFINITY;
  let isFailing = false;

  /** Claims the question for this server, or keeps it claimed. */
  async function claim(ms: number): Promise<boolean> {
    const now = realClock();
    return (await store.claimWork([claimName], { by: serverId, until: now + ms }, now)).length > 0;
  }

  const noteCall = (error: unknown): void =>
    emit({ type: 'call', provider: supplier.name, call: 'products', error });

  async function read(): Promise<void> {
    const products = await readProducts(supplier);
    await store.saveSupplierList({ supplier: supplier.name, readAt: realClock(), products });
    isFailing = false;
    const view = await catalog();
    const codes = soldProducts(view)
      .flatMap((product) => offersOf(product, deps))
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

  return {
    async refresh(start) {
      const { listing } = await catalog();
      if (supplier.readProducts && isDue(listing.readAt(supplier.name))) start(taskName(deps, supplier), ask);
    },
  };
}

/** The name of a task, by which no two of them run at once. */
const taskName = (deps: ConfiguredSuppliers, { name }: Supplier): string =>
  deps.supplier.name === name ? 'products of the supplier' : `products of the supplier ${name}`;

/** Keeps in the store what the suppliers said last. Of several servers one asks, and all read it from there. */
export function createSupplierProducts(deps: ProductsDependencies): SupplierProducts {
  const watch = createProductWatch(deps);
  const readers = allSuppliers(deps).map((supplier) => createListReader(deps, supplier, watch));
  return {
    async refresh(start) {
      watch(await deps.catalog());
      for (const reader of readers) await reader.refresh(start);
    },
  };
}
