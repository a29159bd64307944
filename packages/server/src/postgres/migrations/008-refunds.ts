/** Refunds of orders, and who closed a payment to reconcile. Servers of the format before go on, and make no refund. */
export const refunds = /* sql */ `
  -- Money of an order that goes back to its customer; units is a JSON list of numbers.
  CREATE TABLE refunds (
    refund_id TEXT COLLATE "C" PRIMARY KEY,
    order_id TEXT COLLATE "C" NOT NULL REFERENCES orders (order_id),
    amount BIGINT NOT NULL CHECK (amount > 0),
    units TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    operator TEXT,
    note TEXT,
    state TEXT NOT NULL CHECK (state IN ('to-pay', 'paid', 'cancelled')),
    reference TEXT,
    closed_at BIGINT,
    closed_by TEXT,
    sequence BIGINT GENERATED ALWAYS AS IDENTITY
  );
  CREATE INDEX refunds_of_order ON refunds (order_id);
  CREATE INDEX refunds_oldest ON refunds (state, created_at);

  -- Who settled or returned a payment, and when.
  ALTER TABLE reconciliations ADD COLUMN closed_at BIGINT;
  ALTER TABLE reconciliations ADD COLUMN closed_by TEXT;
`;
