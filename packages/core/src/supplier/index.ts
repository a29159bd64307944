export type { SupplierProduct } from '../store/index.ts';
export {
  parseDeliveryCallback,
  parseFindResult,
  parseSupplierProducts,
  parseSupplyResult,
} from './results.ts';
export { createSimulatedSupplier, magicIds } from './simulated.ts';
export {
  type DeliveryCallback,
  type FindRequest,
  type FindResult,
  readSupplyReference,
  type Supplier,
  type SupplierAbilities,
  type SupplyRequest,
  type SupplyResult,
  supplyReference,
  type TooSoon,
} from './supplier.ts';
