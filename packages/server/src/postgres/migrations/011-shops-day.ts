/** Margin rules and the history of the catalogue. Servers of the format before go on, and know nothing of them. */
export const shopsDay = /* sql */ `
  -- How prices are computed from costs; rule is JSON. key is '' for the shop.
  CREATE TABLE margins (
    scope TEXT COLLATE "C" NOT NULL CHECK (scope IN ('shop', 'game', 'category', 'product')),
    key TEXT COLLATE "C" NOT NULL,
    rule TEXT NOT NULL,
    PRIMARY KEY (scope, key)
  );

  -- Each edit of the catalogue by a command, as JSON.
  CREATE TABLE catalog_edits (
    number BIGINT PRIMARY KEY,
    edit TEXT NOT NULL
  );

  -- The lists of suppliers by which prices were computed last.
  CREATE TABLE priced_lists (
    supplier TEXT COLLATE "C" PRIMARY KEY,
    read_at BIGINT NOT NULL,
    products TEXT NOT NULL
  );

  -- By what an order is searched, beside its id, customer, account and payment, filled after its first change: an unpaid order has none.
  CREATE TABLE order_terms (
    term TEXT COLLATE "C" NOT NULL,
    order_id TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (term, order_id)
  );
  -- The place of the last change that order_terms has.
  CREATE TABLE search_progress (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    position BIGINT NOT NULL
  );
  INSERT INTO search_progress (id, position) VALUES (1, 0);
`;
