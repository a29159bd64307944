import { keepSupplierLists } from '@topup-kit/core/engine';
import type { Feature } from '../../service/feature.ts';

/** Reads the suppliers' lists, which close products and set prices. */
export const catalog: Feature = async () => ({
  inWorld: ({ store }) => ({ work: keepSupplierLists(store) }),
});
