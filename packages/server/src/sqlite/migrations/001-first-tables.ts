/** Repeats the values of the contract instead of importing them, because a released migration must never change. */
export const firstTables = /* sql */ `
  PRAGMA application_id = 0x746f7075;

  -- The mode of the first server that used this file. Only servers of the same mode may use it.
  CREATE TABLE mode (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    mode TEXT NOT NULL CHECK (mode IN ('live', 'sandbox'))
  ) STRICT;

  CREATE TABLE revisions (
    name TEXT PRIMARY KEY,
    value INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  INSERT INTO revisions (name, value) VALUES ('catalog_and_keys', 0);

  -- The current catalogue, without its promos.
  CREATE TABLE catalog (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    document TEXT NOT NULL
  ) STRICT;

  -- A promo that left the catalogue keeps its row while it has uses; its position, definition and quota are then null.
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

  -- Details is JSON. A value has its own column when it changes, or when a constraint or an index needs it. A reserved
  -- order has no payment yet and is not visible to clients.
  CREATE TABLE orders (
    order_id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL,
    game_id INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    reserved INTEGER NOT NULL,
    version INTEGER NOT NULL,
    payment_status TEXT NOT NULL CHECK (payment_status IN ('UNPAID', 'PAID', 'EXPIRED', 'FAILED', 'REFUND')),
    buy_status TEXT NOT NULL CHECK (buy_status IN ('Pending', 'Proses', 'Sukses', 'Gagal', 'Batal')),
    payment_method_id INTEGER NOT NULL,
    total_price INTEGER NOT NULL,
    unique_code INTEGER NOT NULL,
    payment_reference TEXT UNIQUE,
    payment_code TEXT,
    payment_url TEXT,
    payment_qr_string TEXT,
    serial_number TEXT,
    details TEXT NOT NULL,
    CHECK (reserved = (payment_reference IS NULL)),
    CHECK (reserved = 0 OR payment_status = 'UNPAID')
  ) STRICT;
  CREATE UNIQUE INDEX orders_unique_total ON orders (payment_method_id, total_price)
    WHERE unique_code > 0 AND payment_status = 'UNPAID';
  CREATE INDEX orders_due ON orders (expires_at) WHERE payment_status = 'UNPAID' AND reserved = 0;
  CREATE INDEX orders_reserved ON orders (created_at) WHERE reserved = 1;
  CREATE INDEX orders_newest ON orders (created_at, order_id);
  CREATE INDEX orders_newest_of_account ON orders (account_id, created_at, order_id);

  -- A unit that is not delivered yet has the time of the next call to the supplier in next_at.
  CREATE TABLE units (
    order_id TEXT NOT NULL REFERENCES orders (order_id),
    unit INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'asked', 'delivered', 'failed')),
    asked_at INTEGER,
    next_at INTEGER,
    serial_number TEXT,
    reason TEXT,
    PRIMARY KEY (order_id, unit)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX units_due ON units (next_at) WHERE next_at IS NOT NULL;

  -- One entry for each change of an order; version is the version after the change.
  CREATE TABLE history (
    order_id TEXT NOT NULL REFERENCES orders (order_id),
    version INTEGER NOT NULL,
    entry TEXT NOT NULL,
    PRIMARY KEY (order_id, version)
  ) STRICT, WITHOUT ROWID;

  -- A released claim stays, so that its order can claim the use again.
  CREATE TABLE promo_claims (
    order_id TEXT PRIMARY KEY REFERENCES orders (order_id),
    code TEXT NOT NULL REFERENCES promos (code),
    customer TEXT NOT NULL,
    released INTEGER NOT NULL DEFAULT 0 CHECK (released IN (0, 1))
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX promo_claims_customer ON promo_claims (code, customer, released);

  -- Responses by idempotency key. The body is null while the order is reserved. A response may expire
  -- while its order remains; its key is then free for another order.
  CREATE TABLE idempotent_responses (
    account_id TEXT NOT NULL,
    key TEXT NOT NULL,
    order_id TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    body TEXT,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, key)
  ) STRICT;
  CREATE INDEX idempotent_responses_expired ON idempotent_responses (expires_at);
  CREATE INDEX idempotent_responses_in_flight ON idempotent_responses (order_id) WHERE body IS NULL;

  -- No reference to orders, because money is recorded whatever the state of its order.
  CREATE TABLE reconciliations (
    reconciliation_id TEXT PRIMARY KEY,
    order_id TEXT NOT NULL,
    reference TEXT NOT NULL,
    amount INTEGER NOT NULL,
    paid_at INTEGER NOT NULL,
    noticed_at INTEGER NOT NULL,
    reason TEXT NOT NULL CHECK (reason IN ('late', 'amount', 'closed')),
    state TEXT NOT NULL CHECK (state IN ('open', 'settled', 'returned')),
    note TEXT
  ) STRICT;
  CREATE INDEX reconciliations_oldest ON reconciliations (state, noticed_at);

  -- How far world time is ahead of real time, in milliseconds.
  CREATE TABLE world (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    ahead INTEGER NOT NULL
  ) STRICT;
  INSERT INTO world (id, ahead) VALUES (1, 0);
`;
