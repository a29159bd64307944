export * from './activity.ts';
export * from './erasure.ts';
export { matchesFilter } from './memory/order-queries.ts';
export * from './sales.ts';
export { matchesSearch, readSearchedText, type SearchedText, searchTerms } from './search.ts';
export * from './store.ts';
export * from './types.ts';
