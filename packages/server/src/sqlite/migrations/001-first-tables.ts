/** Spelt out rather than imported: what a released migration says must not change with the code around it. */
export const firstTables = /* sql */ `
  PRAGMA application_id = 0x746f7075;

  -- Whether a live or a sandbox server served this file first; no other may.
  CREATE TABLE mode (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    mode TEXT NOT NULL CHECK (mode IN ('live', 'sandbox'))
  ) STRICT;

  CREATE TABLE revisions (
    name TEXT PRIMARY KEY,
    value INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  INSERT INTO revisions (name, value) VALUES ('catalog_and_keys', 0);

  -- The catalogue in force, without its promos.
  CREATE TABLE catalog (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    document TEXT NOT NULL
  ) STRICT;

  -- A promo out of the catalogue keeps its row while it has uses; position, definition and quota are null then.
  CREATE TABLE promos (
    code TEXT PRIMARY KEY,
    position INTEGER,
    definition TEXT,
    quota INTEGER,
    used INTEGER NOT NULL DEFAULT 0,
    CHECK (used >= 0 AND (quota IS NULL OR used <= quota))
  ) STRICT;

  CREATE TABLE keys (
    hash TEXT PRIMARY KEY,
    key_id TEXT NOT NULL UNIQUE,
    account_id TEXT NOT NULL,
    name TEXT NOT NULL,
    scopes TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER
  ) STRICT;

  -- The columns beside details are what changes, and what a constraint or an index needs.
  CREATE TABLE orders (
    order_id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    payment_status TEXT NOT NULL CHECK (payment_status IN ('UNPAID', 'PAID', 'EXPIRED', 'FAILED', 'REFUND')),
    buy_status TEXT NOT NULL CHECK (buy_status IN ('Pending', 'Proses', 'Sukses', 'Gagal', 'Batal')),
    payment_method_id INTEGER NOT NULL,
    total_price INTEGER NOT NULL,
    unique_code INTEGER NOT NULL,
    payment_reference TEXT NOT NULL UNIQUE,
    serial_number TEXT,
    details TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX orders_unique_total ON orders (payment_method_id, total_price)
    WHERE unique_code > 0 AND payment_status = 'UNPAID';
  CREATE INDEX orders_due ON orders (expires_at) WHERE payment_status = 'UNPAID';

  CREATE TABLE promo_claims (
    order_id TEXT PRIMARY KEY REFERENCES orders (order_id),
    code TEXT NOT NULL REFERENCES promos (code),
    customer TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX promo_claims_customer ON promo_claims (code, customer);

  CREATE TABLE answers (
    account_id TEXT NOT NULL,
    key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    body TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, key)
  ) STRICT;
`;
