/** Several suppliers. Servers of the format before go on with supplier_balance, which this version never reads again. */
export const severalSuppliers = /* sql */ `
  -- Attempts that another one followed, by the supplier's id: it may still say something of them.
  CREATE TABLE earlier_attempts (
    supplier_id TEXT COLLATE "C" NOT NULL,
    order_id TEXT COLLATE "C" NOT NULL,
    unit BIGINT NOT NULL,
    attempt BIGINT NOT NULL,
    PRIMARY KEY (supplier_id, order_id, unit, attempt)
  );

  -- What the account at each supplier held when it was last asked, and below which amount an operator is told.
  CREATE TABLE supplier_balances (
    supplier TEXT COLLATE "C" PRIMARY KEY,
    balance BIGINT NOT NULL,
    alert_below BIGINT NOT NULL,
    read_at BIGINT NOT NULL
  );

  INSERT INTO supplier_balances (supplier, balance, alert_below, read_at)
    SELECT supplier, balance, alert_below, read_at FROM supplier_balance;
`;
