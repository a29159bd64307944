import { keepSupplierLists } from '@topup-kit/core/engine';
import type { Feature } from '../../service/feature.ts';

/** Asks the suppliers what they sell, by which products are closed and prices follow. */
export const catalog: Feature = async () => ({
  inWorld: ({ store }) => ({ work: keepSupplierLists(store) }),
});
