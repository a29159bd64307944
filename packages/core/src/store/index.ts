export * from './memory/memory-store.ts';
export * from './store.ts';
export * from './types/catalog.ts';
export * from './types/key.ts';
export * from './types/order.ts';
export * from './types/reconciliation.ts';
