export const supplierLists = /* sql */ `
  -- What each supplier listed when it was last asked, as JSON. read_at in unix milliseconds of real time.
  CREATE TABLE supplier_lists (
    supplier TEXT PRIMARY KEY,
    read_at INTEGER NOT NULL,
    products TEXT NOT NULL
  ) STRICT;
`;
