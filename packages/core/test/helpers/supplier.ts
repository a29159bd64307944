import type { Supplier, SupplierAbilities } from '../../src/supplier/index.ts';

/** A supplier that can be asked by our reference, and never has an outcome; with the given behaviour instead. */
export const supplierThat = ({
  abilities,
  ...behaviour
}: Partial<Omit<Supplier, 'abilities'>> & { abilities?: Partial<SupplierAbilities> }): Supplier => ({
  name: 'test',
  sandbox: true,
  submit: async () => ({ state: 'pending' }),
  find: async () => ({ state: 'pending' }),
  ...behaviour,
  abilities: { findBy: 'reference', findIntervalMs: 0, referenceLifetimeMs: null, ...abilities },
});
