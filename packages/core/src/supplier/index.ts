export * from './simulated-supplier.ts';
export * from './supplier.ts';
