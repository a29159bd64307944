export type { SupplierProduct } from '../store/index.ts';
export { parseFindResult, parseSupplierProducts, parseSupplyNews, parseSupplyResult } from './results.ts';
export { createSimulatedSupplier, magicIds } from './simulated.ts';
export {
  type FindRequest,
  type FindResult,
  readSupplyReference,
  type Supplier,
  type SupplierAbilities,
  type SupplyNews,
  type SupplyRequest,
  type SupplyResult,
  supplyReference,
  type TooSoon,
} from './supplier.ts';
