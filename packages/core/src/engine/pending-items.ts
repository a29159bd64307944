import type { Store, StoredUnit } from '../store/index.ts';
import { supplyReference } from '../supplier/index.ts';
import { codeAt } from './suppliers.ts';

/** An item of which nobody knows for certain whether it was delivered, and by what it is found at its supplier. */
export interface PendingItem {
  orderId: string;
  unit: number;
  /** Null for items of earlier versions. */
  supplier: string | null;
  /** The supplier's code of the product. */
  productCode: string;
  /** Ours, which not every supplier keeps. */
  reference: string;
  /** The supplier's own id of the purchase, once it gave one. */
  supplierId: string | null;
}

/** How many items are read at most, so that an order of a hundred does not fill a log. */
const maxItems = 10;

const isPending = ({ state, contradiction }: StoredUnit): boolean =>
  state === 'asked' || state === 'unknown' || contradiction !== null;

/** The first items of orders that an operator may have to look for at their supplier. */
export async function findPendingItems(
  store: Pick<Store, 'findOrder' | 'findUnits'>,
  orderIds: readonly string[],
): Promise<PendingItem[]> {
  const pending = await Promise.all(
    orderIds.map(async (orderId) => {
      const [order, units] = await Promise.all([store.findOrder(orderId), store.findUnits(orderId)]);
      if (!order) return [];
      return units.filter(isPending).map(({ unit, attempt, supplier, supplierId }): PendingItem => {
        const reference = supplyReference({ orderId, unit, attempt });
        const productCode = codeAt(order.product, supplier);
        return { orderId, unit, supplier, productCode, reference, supplierId };
      });
    }),
  );
  return pending.flat().slice(0, maxItems);
}
