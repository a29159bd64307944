import type { OrderInput } from '../../contract/index.ts';
import type { Clock } from '../../platform/index.ts';
import type { CatalogProduct, ReservedOrder, Store, SupplierProduct } from '../../store/index.ts';
import { invalidFields } from '../errors.ts';
import { supplierCodeOf } from '../suppliers.ts';

const dayMs = 86_400_000;
/** Offset of Jakarta's time, by which suppliers count days wherever the shop is. It has no summer time. */
const supplierOffsetMs = 7 * 3_600_000;

const startOfDay = (moment: number): number =>
  Math.floor((moment + supplierOffsetMs) / dayMs) * dayMs - supplierOffsetMs;

export interface LimitDependencies {
  store: Pick<Store, 'findUnits' | 'findOrdersOfTarget'>;
  worldClock: Clock;
}

/** Tells whether the supplier would deliver an order, or has delivered it, today. */
async function isForToday(
  { store }: LimitDependencies,
  { orderId, paymentStatus, buyStatus }: ReservedOrder,
  today: number,
): Promise<boolean> {
  if (paymentStatus === 'UNPAID') return true;
  if (paymentStatus !== 'PAID' || buyStatus === 'Gagal') return false;
  if (buyStatus !== 'Sukses') return true;
  return (await store.findUnits(orderId)).some(({ askedAt }) => askedAt !== null && askedAt >= today);
}

async function hasOneToday(
  deps: LimitDependencies,
  product: CatalogProduct,
  { id, server }: Pick<OrderInput, 'id' | 'server'>,
): Promise<boolean> {
  const today = startOfDay(deps.worldClock());
  // Yesterday's order may be paid and delivered today.
  for (const order of await deps.store.findOrdersOfTarget(id, today - 2 * dayMs))
    if (
      order.target.server === (server ?? null) &&
      supplierCodeOf(order.product) === supplierCodeOf(product) &&
      (await isForToday(deps, order, today))
    )
      return true;
  return false;
}

/**
 * Checks that the supplier has enough of a product for an account, so that nobody pays for an order that can't be delivered.
 *
 * @throws DomainError VALIDATION_ERROR
 */
export async function checkSupplierLimits(
  deps: LimitDependencies,
  { product, listed }: { product: CatalogProduct; listed: SupplierProduct },
  input: Pick<OrderInput, 'id' | 'server' | 'quantity'>,
): Promise<void> {
  const limit = Math.min(listed.stock ?? Number.POSITIVE_INFINITY, listed.isOncePerDay ? 1 : Infinity);
  if (input.quantity > limit) throw invalidFields({ quantity: [{ rule: 'maximum', params: { limit } }] });
  if (listed.isOncePerDay && (await hasOneToday(deps, product, input)))
    throw invalidFields({ id: [{ rule: 'oncePerDay' }] });
}
