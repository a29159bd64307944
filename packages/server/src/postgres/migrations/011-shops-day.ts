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
`;
