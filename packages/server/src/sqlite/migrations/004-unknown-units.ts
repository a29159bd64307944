/** A constraint of a column can't be changed, so the table is copied. */
export const unknownUnits = /* sql */ `
  CREATE TABLE units_with_unknown (
    order_id TEXT NOT NULL REFERENCES orders (order_id),
    unit INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'asked', 'unknown', 'delivered', 'failed')),
    asked_at INTEGER,
    next_at INTEGER,
    supplier_id TEXT,
    serial_number TEXT,
    reason TEXT,
    PRIMARY KEY (order_id, unit)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO units_with_unknown (order_id, unit, attempt, state, asked_at, next_at, serial_number, reason)
    SELECT order_id, unit, attempt, state, asked_at, next_at, serial_number, reason FROM units;
  DROP TABLE units;
  ALTER TABLE units_with_unknown RENAME TO units;
  CREATE INDEX units_due ON units (next_at) WHERE next_at IS NOT NULL;
  CREATE INDEX units_unknown ON units (order_id) WHERE state = 'unknown';
`;
