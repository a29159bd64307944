import { type CatalogFile, readCatalogFile } from '@topup-kit/core/engine';
import type { Catalog } from '@topup-kit/core/store';

/**
 * Reads a catalogue document.
 *
 * @throws Error that names every rule the document breaks, and where.
 */
export function parseCatalog(document: CatalogFile): Catalog {
  const read = readCatalogFile(document);
  if ('catalog' in read) return read.catalog;
  const problems = read.problems.map(({ path, rule }) => `\n  ${path} ${rule}`);
  throw new Error(`The catalogue is not valid:${problems.join('')}`);
}

/** A catalogue as a document that is the caller's to change. */
export const toDocument = (catalog: Catalog): CatalogFile =>
  structuredClone({ format: 'topup-kit/catalog@1', ...catalog });
