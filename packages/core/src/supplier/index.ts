export type { SupplierProduct } from '../store/index.ts';
export * from './results.ts';
export { createSimulatedSupplier, magicIds } from './simulated.ts';
export * from './supplier.ts';
