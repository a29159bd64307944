export const sales = /* sql */ `
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
`;
