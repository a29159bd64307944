export const shopsDay = /* sql */ `
  -- How prices are computed from costs; rule is JSON. key is '' for the shop.
  CREATE TABLE margins (
    scope TEXT NOT NULL CHECK (scope IN ('shop', 'game', 'category', 'product')),
    key TEXT NOT NULL,
    rule TEXT NOT NULL,
    PRIMARY KEY (scope, key)
  ) STRICT;

  -- Each edit of the catalogue by a command, as JSON.
  CREATE TABLE catalog_edits (
    number INTEGER PRIMARY KEY,
    edit TEXT NOT NULL
  ) STRICT;

  -- The lists of suppliers by which prices were computed last.
  CREATE TABLE priced_lists (
    supplier TEXT PRIMARY KEY,
    read_at INTEGER NOT NULL,
    products TEXT NOT NULL
  ) STRICT;
`;
