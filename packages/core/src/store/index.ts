export * from './memory-store.ts';
export * from './store.ts';
export * from './types/catalog.ts';
export * from './types/key.ts';
export * from './types/order.ts';
