export { type GenerateCatalogOptions, type GeneratedCatalog, generateCatalog } from './generate-catalog.ts';
