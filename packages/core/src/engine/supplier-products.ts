import type { Clock, MonotonicClock } from '../platform/index.ts';
import type { CatalogProduct, ReservedOrder, Store } from '../store/index.ts';
import { parseSupplierProducts, type Supplier, type SupplierProduct } from '../supplier/index.ts';
import { invalidFields } from './errors.ts';
import type { ReportCall } from './provider-problems.ts';
import { withTimeout } from './time.ts';

interface ProductsDependencies {
  store: Store;
  supplier: Supplier;
  worldClock: Clock;
  monotonicClock: MonotonicClock;
  reportError: (error: unknown, about: string) => void;
  reportWarning?: (warning: string) => void;
  reportCall: ReportCall;
  countServers: () => number;
}

/** The time between two questions for the products, when the supplier doesn't say it, in milliseconds. */
const defaultIntervalMs = 10 * 60_000;

/** How long a list of products may take, in milliseconds of real time. */
const timeoutMs = 60_000;

const dayMs = 86_400_000;
/** The suppliers of this field count days in Jakarta's time, which has no summer time, wherever a shop is. */
const supplierOffsetMs = 7 * 3_600_000;

const startOfDay = (moment: number): number =>
  Math.floor((moment + supplierOffsetMs) / dayMs) * dayMs - supplierOffsetMs;

/** The code by which a supplier knows a product. */
export const supplierCodeOf = ({
  code,
  supplier_code,
}: Pick<CatalogProduct, 'code'> & Partial<Pick<CatalogProduct, 'supplier_code'>>): string =>
  supplier_code ?? code;

type Purchase = Pick<ReservedOrder, 'target'> & { product: CatalogProduct; quantity: number };

const cut = (text: string): string => (text.length > 300 ? `${text.slice(0, 300)}…` : text);

/** What the supplier has, so that nothing is paid that can't be delivered. */
export interface SupplierProducts {
  /** Whether a product can be bought now, one at least; true while nothing is known. */
  isForSale(product: CatalogProduct): boolean;
  /**
   * Checks that so many can be bought for a target.
   *
   * @throws DomainError VALIDATION_ERROR
   */
  check(purchase: Purchase): Promise<void>;
  /** Asks the supplier again if it is time for it. */
  refresh(start: (name: string, task: () => Promise<unknown>) => void): void;
}

/** Keeps in memory what the supplier said last. When it can't be asked, its last list counts. */
export function createSupplierProducts({
  store,
  supplier,
  worldClock,
  monotonicClock,
  reportError,
  reportWarning = () => {},
  reportCall,
  countServers,
}: ProductsDependencies): SupplierProducts {
  const intervalMs = supplier.productsIntervalMs ?? defaultIntervalMs;
  let products: ReadonlyMap<string, SupplierProduct> | null = null;
  let askedAt = Number.NEGATIVE_INFINITY;
  let isFailing = false;
  let unlistedCodes = '';

  /** Says once which products of the catalogue can't be ordered, because their codes may be wrong. */
  async function reportUnlisted(listed: ReadonlyMap<string, SupplierProduct>): Promise<void> {
    const games = (await store.readCatalog())?.games ?? [];
    const active = games
      .filter(({ hidden, status }) => status && !hidden)
      .flatMap((game) => game.products.filter((product) => product.status));
    const unlisted = active.filter((product) => !listed.has(supplierCodeOf(product)));
    const hasNone = active.length > 0 && unlisted.length === active.length;
    reportCall(
      supplier.name,
      'products',
      hasNone ? new Error('It lists none of the active products in the catalogue.') : undefined,
    );
    const codes = unlisted.map(supplierCodeOf).join(', ');
    if (codes !== '' && codes !== unlistedCodes)
      reportWarning(
        `The supplier does not list ${unlisted.length} of the active products in the catalogue, so they can't be ordered: ${cut(codes)}`,
      );
    unlistedCodes = codes;
  }

  async function read(): Promise<void> {
    try {
      const response = supplier.readProducts?.(AbortSignal.timeout(timeoutMs));
      if (!response) return;
      const list = parseSupplierProducts(
        await withTimeout(response, timeoutMs, 'the supplier did not respond in time'),
      );
      products = new Map(list.map((product) => [product.code, product]));
      isFailing = false;
      await reportUnlisted(products);
    } catch (error) {
      if (!isFailing) reportError(error, 'products of the supplier');
      // Suppliers that give the list only once in some minutes reject it after a restart.
      else reportCall(supplier.name, 'products', error);
      isFailing = true;
    }
  }

  /** Whether an order is one that the supplier would deliver, or has delivered, today. */
  async function isForToday({ orderId, paymentStatus, buyStatus }: ReservedOrder, today: number) {
    if (paymentStatus === 'UNPAID') return true;
    if (paymentStatus !== 'PAID' || buyStatus === 'Gagal') return false;
    if (buyStatus !== 'Sukses') return true;
    return (await store.findUnits(orderId)).some(({ askedAt }) => askedAt !== null && askedAt >= today);
  }

  async function hasOneToday({ product, target }: Purchase): Promise<boolean> {
    const today = startOfDay(worldClock());
    // An order of yesterday may be paid and delivered today.
    const orders = await store.findOrdersOfTarget(target.id, today - 2 * dayMs);
    for (const order of orders)
      if (
        order.target.server === target.server &&
        supplierCodeOf(order.product) === supplierCodeOf(product) &&
        (await isForToday(order, today))
      )
        return true;
    return false;
  }

  return {
    isForSale(product) {
      if (!products) return true;
      const known = products.get(supplierCodeOf(product));
      if (!known?.isAvailable || known.stock === 0) return false;
      const now = worldClock();
      return known.pause === null || now < known.pause.from || now >= known.pause.until;
    },
    async check(purchase) {
      const known = products?.get(supplierCodeOf(purchase.product));
      if (!known) return;
      const limit = Math.min(known.stock ?? Number.POSITIVE_INFINITY, known.isOncePerDay ? 1 : Infinity);
      if (purchase.quantity > limit)
        throw invalidFields({ quantity: [{ rule: 'maximum', params: { limit } }] });
      if (known.isOncePerDay && (await hasOneToday(purchase)))
        throw invalidFields({ id: [{ rule: 'oncePerDay' }] });
    },
    refresh(start) {
      const now = monotonicClock();
      // Each server needs the list, and the supplier's limit is one for all of them.
      if (!supplier.readProducts || now < askedAt + intervalMs * countServers()) return;
      askedAt = now;
      start('products of the supplier', read);
    },
  };
}
