/**
 * An older file doesn't say who made its promos. They count as the operator's: if an import keeps too many, `topup promos disable` can
 * correct this, but promos that it deletes can't be restored.
 */
export const promoOrigin = /* sql */ `
  -- A promo of the operator stays when a catalogue file is imported.
  ALTER TABLE promos ADD COLUMN origin TEXT NOT NULL DEFAULT 'catalog' CHECK (origin IN ('catalog', 'operator'));
  UPDATE promos SET origin = 'operator' WHERE position IS NOT NULL;
`;
