import { readCatalogFile } from '@topup-kit/core/engine';
import { generateCatalog } from '@topup-kit/mock/catalog';
import { expect, it } from 'vitest';

// Smaller ones are in generate-catalog.test.ts.
it('reads 10000 games as a catalogue file, and keeps them unchanged', { timeout: 30_000 }, () => {
  const { format, ...catalog } = generateCatalog({ games: 10_000, products: 2 });
  expect(catalog.games).toHaveLength(10_000);
  expect(readCatalogFile({ format, ...catalog })).toEqual({ catalog });
});
