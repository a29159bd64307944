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

  -- By what an order is searched, beside its id, customer, account and payment, filled after its first change: an unpaid order has none.
  CREATE TABLE order_terms (
    term TEXT NOT NULL,
    order_id TEXT NOT NULL,
    PRIMARY KEY (term, order_id)
  ) STRICT, WITHOUT ROWID;
  -- The place of the last change that order_terms has.
  CREATE TABLE search_progress (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    position INTEGER NOT NULL
  ) STRICT;
  INSERT INTO search_progress (id, position) VALUES (1, 0);
`;
