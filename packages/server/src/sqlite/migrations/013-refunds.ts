export const refunds = /* sql */ `
  -- Money of an order that goes back to its customer; units is a JSON list of numbers.
  CREATE TABLE refunds (
    refund_id TEXT PRIMARY KEY,
    order_id TEXT NOT NULL REFERENCES orders (order_id),
    amount INTEGER NOT NULL CHECK (amount > 0),
    units TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    operator TEXT,
    note TEXT,
    state TEXT NOT NULL CHECK (state IN ('to-pay', 'paid', 'cancelled')),
    reference TEXT,
    closed_at INTEGER,
    closed_by TEXT
  ) STRICT;
  CREATE INDEX refunds_of_order ON refunds (order_id);
  CREATE INDEX refunds_oldest ON refunds (state, created_at);

  -- Who settled or returned a payment, and when.
  ALTER TABLE reconciliations ADD COLUMN closed_at INTEGER;
  ALTER TABLE reconciliations ADD COLUMN closed_by TEXT;
`;
