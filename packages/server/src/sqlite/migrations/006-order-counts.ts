export const orderCounts = /* sql */ `
  -- How many orders are in each state, without reserved ones. Kept by triggers, because counting a million orders for every
  -- look at the metrics would hold up everything else.
  CREATE TABLE order_counts (
    payment_status TEXT NOT NULL,
    buy_status TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (payment_status, buy_status)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO order_counts
    SELECT payment_status, buy_status, count(*) FROM orders WHERE reserved = 0 GROUP BY payment_status, buy_status;

  CREATE TRIGGER orders_counted_on_insert AFTER INSERT ON orders WHEN NEW.reserved = 0 BEGIN
    INSERT INTO order_counts VALUES (NEW.payment_status, NEW.buy_status, 1)
      ON CONFLICT DO UPDATE SET count = count + 1;
  END;
  CREATE TRIGGER orders_counted_on_update AFTER UPDATE OF reserved, payment_status, buy_status ON orders
    WHEN NEW.reserved = 0 AND (OLD.reserved = 1 OR OLD.payment_status <> NEW.payment_status
      OR OLD.buy_status <> NEW.buy_status) BEGIN
    UPDATE order_counts SET count = count - 1
      WHERE OLD.reserved = 0 AND payment_status = OLD.payment_status AND buy_status = OLD.buy_status;
    INSERT INTO order_counts VALUES (NEW.payment_status, NEW.buy_status, 1)
      ON CONFLICT DO UPDATE SET count = count + 1;
  END;
  CREATE TRIGGER orders_counted_on_delete AFTER DELETE ON orders WHEN OLD.reserved = 0 BEGIN
    UPDATE order_counts SET count = count - 1
      WHERE payment_status = OLD.payment_status AND buy_status = OLD.buy_status;
  END;
`;
