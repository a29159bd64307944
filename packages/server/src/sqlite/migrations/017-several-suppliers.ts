export const severalSuppliers = /* sql */ `
  -- Attempts that another one followed, by the supplier's id: it may still say something of them.
  CREATE TABLE earlier_attempts (
    supplier_id TEXT NOT NULL,
    order_id TEXT NOT NULL,
    unit INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    PRIMARY KEY (supplier_id, order_id, unit, attempt)
  ) STRICT, WITHOUT ROWID;

  -- What the account at each supplier held when it was last asked, and below which amount an operator is told.
  CREATE TABLE supplier_balances (
    supplier TEXT PRIMARY KEY,
    balance INTEGER NOT NULL,
    alert_below INTEGER NOT NULL,
    read_at INTEGER NOT NULL
  ) STRICT;

  INSERT INTO supplier_balances (supplier, balance, alert_below, read_at)
    SELECT supplier, balance, alert_below, read_at FROM supplier_balance;
  DROP TABLE supplier_balance;
`;
