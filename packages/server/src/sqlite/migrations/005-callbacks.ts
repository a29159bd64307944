/** The constraints of a column can't be changed, so the reconciliations are copied. */
export const callbacks = /* sql */ `
  -- Money for a reference that no order has belongs to no order until an operator names one.
  CREATE TABLE reconciliations_with_unknown (
    reconciliation_id TEXT PRIMARY KEY,
    order_id TEXT,
    reference TEXT NOT NULL,
    amount INTEGER NOT NULL,
    paid_at INTEGER NOT NULL,
    noticed_at INTEGER NOT NULL,
    reason TEXT NOT NULL CHECK (reason IN ('late', 'amount', 'closed', 'unknown', 'refunded')),
    state TEXT NOT NULL CHECK (state IN ('open', 'settled', 'returned')),
    note TEXT
  ) STRICT;
  INSERT INTO reconciliations_with_unknown SELECT * FROM reconciliations ORDER BY rowid;
  DROP TABLE reconciliations;
  ALTER TABLE reconciliations_with_unknown RENAME TO reconciliations;
  CREATE INDEX reconciliations_oldest ON reconciliations (state, noticed_at);

  -- Every callback as it arrived, and what came of it. An operator asks for another attempt by replay = 1.
  CREATE TABLE callbacks (
    callback_id TEXT PRIMARY KEY,
    provider TEXT NOT NULL,
    received_at INTEGER NOT NULL,
    address TEXT NOT NULL,
    headers TEXT NOT NULL,
    outcome TEXT NOT NULL,
    reason TEXT,
    order_id TEXT,
    handled_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    replay INTEGER NOT NULL CHECK (replay IN (0, 1)),
    body BLOB NOT NULL
  ) STRICT;
  CREATE INDEX callbacks_newest ON callbacks (received_at, callback_id);
  CREATE INDEX callbacks_of_outcome ON callbacks (outcome, received_at, callback_id);
  CREATE INDEX callbacks_of_provider ON callbacks (provider, received_at, callback_id);
  CREATE INDEX callbacks_rejected ON callbacks (received_at, callback_id) WHERE outcome = 'rejected' AND attempts = 1;
  CREATE INDEX callbacks_ignored ON callbacks (received_at, callback_id) WHERE outcome = 'ignored' AND attempts = 1;
  CREATE INDEX callbacks_replay ON callbacks (received_at, callback_id) WHERE replay = 1;

  -- What a supplier said after the outcome of a unit was known, if it contradicts the outcome.
  ALTER TABLE units ADD COLUMN contradiction TEXT;
  CREATE INDEX units_contradicted ON units (order_id) WHERE contradiction IS NOT NULL;
  -- Where a unit was submitted, and by what it is found there. Units of earlier versions don't tell.
  ALTER TABLE units ADD COLUMN supplier TEXT;
  ALTER TABLE units ADD COLUMN find_by TEXT CHECK (find_by IN ('reference', 'supplierId', 'none'));
  CREATE INDEX units_supplier_id ON units (supplier_id) WHERE supplier_id IS NOT NULL;

  -- Payments are followed page by page in the order of their expiry, for a while also those that expired.
  DROP INDEX orders_due;
  CREATE INDEX orders_due ON orders (expires_at, order_id) WHERE payment_status = 'UNPAID' AND reserved = 0;
  CREATE INDEX orders_expired ON orders (expires_at, order_id) WHERE payment_status = 'EXPIRED';

  -- Some products are sold only once a day for the same account.
  CREATE INDEX orders_target ON orders (json_extract(details, '$.target.id'), created_at);

  -- For alerts: which orders in delivery have waited for long, and which failed.
  CREATE INDEX units_open ON units (coalesce(asked_at, next_at), order_id) WHERE next_at IS NOT NULL;
  CREATE INDEX orders_failed ON orders (order_id) WHERE payment_status = 'PAID' AND buy_status = 'Gagal';

  -- What the supplier's account held when it was last asked, and below which amount an operator is told.
  CREATE TABLE supplier_balance (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    supplier TEXT NOT NULL,
    balance INTEGER NOT NULL,
    alert_below INTEGER NOT NULL,
    read_at INTEGER NOT NULL
  ) STRICT;

  -- Which kinds of requests a provider does not handle at the moment; written by the running server.
  CREATE TABLE provider_problems (
    provider TEXT NOT NULL,
    call TEXT NOT NULL,
    problem TEXT NOT NULL,
    since INTEGER NOT NULL,
    PRIMARY KEY (provider, call)
  ) STRICT;
`;
