import fc from 'fast-check';
import type { SupplierProduct } from '../../src/features/store.ts';

/** Texts that a supplier may send and a catalogue may not take. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ maxLength: 4 }),
  fc.constantFrom(
    'ml86',
    'ml86 ',
    ' ml86',
    'ML 86',
    'a-1',
    'A/1',
    '',
    '   ',
    '\n',
    'x'.repeat(256),
    '\ud83d',
  ),
);
const brand = fc.oneof(
  text,
  fc.constantFrom(
    'MOBILE LEGENDS',
    'Free Fire',
    'SOME GAME',
    'some-game',
    'ß'.repeat(200),
    'a'.repeat(255),
    'é',
  ),
);
const price = fc.oneof(
  fc.integer({ min: 1, max: 2_000_000 }),
  fc.maxSafeNat(),
  fc.constantFrom(0, 1, 999_999_999, 1_000_000_000, Number.MAX_SAFE_INTEGER),
);

/** A row of a supplier's list, as strange as an adapter lets it pass. */
export const oddRow: fc.Arbitrary<SupplierProduct> = fc
  .record(
    {
      code: text,
      price,
      name: fc.oneof(text, fc.string({ minLength: 250, maxLength: 300 })),
      brand,
      category: fc.constantFrom('Games', 'Pulsa', ''),
    },
    { requiredKeys: ['code'] },
  )
  .map((row) => ({ isAvailable: true, stock: null, isOncePerDay: false, pause: null, ...row }));
