// Exports the engine with the rules of all rooms, for hosts.
export * from '../engine/index.ts';
export * from './activity/words.ts';
export * from './alerts.ts';
export * from './callbacks/index.ts';
export * from './catalog/index.ts';
export { followPrices } from './catalog/prices/scheduled-sync.ts';
export * from './console/sessions.ts';
export * from './customers/erasure.ts';
export * from './payments/index.ts';
export * from './promos/promos.ts';
export * from './promos/save.ts';
export * from './webhooks/index.ts';
