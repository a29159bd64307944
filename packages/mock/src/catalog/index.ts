export { type GenerateCatalogOptions, type GeneratedCatalog, generateCatalog } from './generate-catalog.ts';
export type * from './types.ts';
