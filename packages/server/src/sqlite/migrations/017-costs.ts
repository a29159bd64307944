export const costs = /* sql */ `
  -- What a purchase costs if it is delivered, and who said so: the supplier in its response, or its list; null of units before.
  ALTER TABLE units ADD COLUMN cost INTEGER;
  ALTER TABLE units ADD COLUMN cost_source TEXT;
`;
