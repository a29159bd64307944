/** What an erasure of personal data needs (decisions/042). */
export const erasures = /* sql */ `
  -- What each erasure has erased: by an operator, or of a day by TOPUP_RETENTION_DAYS. Nothing says of whom.
  CREATE TABLE erasures (
    at INTEGER NOT NULL,
    operator TEXT NOT NULL,
    orders INTEGER NOT NULL,
    callbacks INTEGER NOT NULL,
    events INTEGER NOT NULL,
    PRIMARY KEY (at, operator)
  ) STRICT, WITHOUT ROWID;

  -- The key of the hashes that stand for numbers in uses of promos; sealed where the server has a key for that.
  CREATE TABLE customer_secret (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    secret TEXT NOT NULL
  ) STRICT;

  CREATE INDEX webhook_events_of_order ON webhook_events (order_id) WHERE order_id IS NOT NULL;
`;
