import type { Clock } from '../../platform/index.ts';
import type { ReservedOrder, Store } from '../../store/index.ts';
import { invalidFields } from '../errors.ts';
import { supplierCodeOf } from '../suppliers.ts';
import type { Choice } from './choose.ts';

const dayMs = 86_400_000;
/** The suppliers of this field count days in Jakarta's time, which has no summer time, wherever a shop is. */
const supplierOffsetMs = 7 * 3_600_000;

const startOfDay = (moment: number): number =>
  Math.floor((moment + supplierOffsetMs) / dayMs) * dayMs - supplierOffsetMs;

type Purchase = Pick<Choice, 'product' | 'listed'> & Pick<ReservedOrder, 'target'> & { quantity: number };

interface Dependencies {
  store: Pick<Store, 'findUnits' | 'findOrdersOfTarget'>;
  worldClock: Clock;
}

/** Whether an order is one that the supplier would deliver, or has delivered, today. */
async function isForToday(
  { store }: Dependencies,
  { orderId, paymentStatus, buyStatus }: ReservedOrder,
  today: number,
): Promise<boolean> {
  if (paymentStatus === 'UNPAID') return true;
  if (paymentStatus !== 'PAID' || buyStatus === 'Gagal') return false;
  if (buyStatus !== 'Sukses') return true;
  return (await store.findUnits(orderId)).some(({ askedAt }) => askedAt !== null && askedAt >= today);
}

async function hasOneToday(deps: Dependencies, { product, target }: Purchase): Promise<boolean> {
  const today = startOfDay(deps.worldClock());
  // An order of yesterday may be paid and delivered today.
  const orders = await deps.store.findOrdersOfTarget(target.id, today - 2 * dayMs);
  for (const order of orders)
    if (
      order.target.server === target.server &&
      supplierCodeOf(order.product) === supplierCodeOf(product) &&
      (await isForToday(deps, order, today))
    )
      return true;
  return false;
}

/**
 * Checks that the supplier has so many of a product for a target, so that nothing is paid that can't be delivered.
 *
 * @throws DomainError VALIDATION_ERROR
 */
export async function checkSupplierLimits(deps: Dependencies, purchase: Purchase): Promise<void> {
  const { listed, quantity } = purchase;
  if (!listed) return;
  const limit = Math.min(listed.stock ?? Number.POSITIVE_INFINITY, listed.isOncePerDay ? 1 : Infinity);
  if (quantity > limit) throw invalidFields({ quantity: [{ rule: 'maximum', params: { limit } }] });
  if (listed.isOncePerDay && (await hasOneToday(deps, purchase)))
    throw invalidFields({ id: [{ rule: 'oncePerDay' }] });
}
