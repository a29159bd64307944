/** What an erasure of personal data needs (decisions/042). Servers of the format before go on, and know nothing of it. */
export const erasures = /* sql */ `
  -- What each erasure has erased: by an operator, or of a day by TOPUP_RETENTION_DAYS. Nothing says of whom.
  CREATE TABLE erasures (
    at BIGINT NOT NULL,
    operator TEXT COLLATE "C" NOT NULL,
    orders BIGINT NOT NULL,
    callbacks BIGINT NOT NULL,
    events BIGINT NOT NULL,
    PRIMARY KEY (at, operator)
  );

  -- The key of the hashes that stand for numbers in uses of promos; sealed where the server has a key for that.
  CREATE TABLE customer_secret (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    secret TEXT NOT NULL
  );

  CREATE INDEX webhook_events_of_order ON webhook_events (order_id) WHERE order_id IS NOT NULL;
`;
