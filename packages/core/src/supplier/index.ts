export { parseFindResult, parseSupplyNews, parseSupplyResult } from './results.ts';
export { createSimulatedSupplier, magicIds } from './simulated.ts';
export {
  type FindRequest,
  type FindResult,
  readSupplyReference,
  type Supplier,
  type SupplierAbilities,
  type SupplierProduct,
  type SupplyNews,
  type SupplyRequest,
  type SupplyResult,
  supplyReference,
} from './supplier.ts';
