/**
 * Nothing says who made the promos of an older file. They count as the operator's: an import that keeps too many can be
 * corrected with `topup promos disable`, one that deletes too many can't.
 */
export const promoOrigin = /* sql */ `
  -- A promo of the operator stays when a catalogue file is imported.
  ALTER TABLE promos ADD COLUMN origin TEXT NOT NULL DEFAULT 'catalog' CHECK (origin IN ('catalog', 'operator'));
  UPDATE promos SET origin = 'operator' WHERE position IS NOT NULL;
`;
