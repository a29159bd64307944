export const shopsDay = /* sql */ `
  -- How prices are computed from costs; rule is JSON. key is '' for the shop.
  CREATE TABLE margins (
    scope TEXT NOT NULL CHECK (scope IN ('shop', 'game', 'category', 'product')),
    key TEXT NOT NULL,
    rule TEXT NOT NULL,
    PRIMARY KEY (scope, key)
  ) STRICT;

  -- Each edit of the catalogue by a command, as JSON.
  CREATE TABLE catalog_edits (
    number INTEGER PRIMARY KEY,
    edit TEXT NOT NULL
  ) STRICT;

  -- The lists of suppliers by which prices were computed last.
  CREATE TABLE priced_lists (
    supplier TEXT PRIMARY KEY,
    read_at INTEGER NOT NULL,
    products TEXT NOT NULL
  ) STRICT;

  -- By what an order is searched, beside its id, customer, account and payment, filled after its first change: an unpaid order has none.
  CREATE TABLE order_terms (
    term TEXT NOT NULL,
    order_id TEXT NOT NULL,
    PRIMARY KEY (term, order_id)
  ) STRICT, WITHOUT ROWID;
  -- The place of the last change that order_terms has.
  CREATE TABLE search_progress (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    position INTEGER NOT NULL
  ) STRICT;
  INSERT INTO search_progress (id, position) VALUES (1, 0);

  -- What a purchase costs if it is delivered, and who said so: the supplier in its response, or its list; null of units before.
  ALTER TABLE units ADD COLUMN cost INTEGER;
  ALTER TABLE units ADD COLUMN cost_source TEXT;

  -- What orders earned, as lines to add up. They are made from the orders of sales_due, when a report needs them.
  CREATE TABLE sales (
    order_id TEXT NOT NULL REFERENCES orders (order_id),
    line INTEGER NOT NULL,
    at INTEGER NOT NULL,
    game TEXT NOT NULL,
    product TEXT NOT NULL,
    method TEXT NOT NULL,
    account TEXT NOT NULL,
    supplier TEXT NOT NULL,
    orders INTEGER NOT NULL,
    units INTEGER NOT NULL,
    turnover INTEGER NOT NULL,
    discounts INTEGER NOT NULL,
    returned INTEGER NOT NULL,
    gateway_fees INTEGER NOT NULL,
    reported_fees INTEGER NOT NULL,
    cost INTEGER NOT NULL,
    listed_cost INTEGER NOT NULL,
    unknown_costs INTEGER NOT NULL,
    PRIMARY KEY (order_id, line)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX sales_by_time ON sales (at);

  -- Paid orders that changed since their lines were made. A new order is not paid, so that placing one costs nothing.
  CREATE TABLE sales_due (
    order_id TEXT PRIMARY KEY REFERENCES orders (order_id)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO sales_due (order_id) SELECT order_id FROM orders WHERE payment_status IN ('PAID', 'REFUND');

  CREATE TRIGGER sales_due_after_change AFTER UPDATE OF payment_status ON orders
    WHEN NEW.payment_status IN ('PAID', 'REFUND') BEGIN
    INSERT INTO sales_due VALUES (NEW.order_id) ON CONFLICT DO NOTHING;
  END;
  CREATE TRIGGER sales_due_after_closing AFTER UPDATE OF state ON refunds BEGIN
    INSERT INTO sales_due VALUES (NEW.order_id) ON CONFLICT DO NOTHING;
  END;

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
