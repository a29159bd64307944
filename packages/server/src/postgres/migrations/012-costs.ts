/** What purchases cost. Servers of the format before go on, and leave it as it is. */
export const costs = /* sql */ `
  -- What a purchase costs if it is delivered, and who said so: the supplier in its response, or its list; null of units before.
  ALTER TABLE units ADD COLUMN cost BIGINT;
  ALTER TABLE units ADD COLUMN cost_source TEXT;
`;
