/** What orders earned. Servers of the format before go on: triggers note what they change. */
export const sales = /* sql */ `
  -- What orders earned, as lines to add up. They are made from the orders of sales_due, when a report needs them.
  CREATE TABLE sales (
    order_id TEXT COLLATE "C" NOT NULL REFERENCES orders (order_id),
    line BIGINT NOT NULL,
    at BIGINT NOT NULL,
    game TEXT COLLATE "C" NOT NULL,
    product TEXT COLLATE "C" NOT NULL,
    method TEXT COLLATE "C" NOT NULL,
    account TEXT COLLATE "C" NOT NULL,
    supplier TEXT COLLATE "C" NOT NULL,
    orders BIGINT NOT NULL,
    units BIGINT NOT NULL,
    turnover BIGINT NOT NULL,
    discounts BIGINT NOT NULL,
    returned BIGINT NOT NULL,
    gateway_fees BIGINT NOT NULL,
    reported_fees BIGINT NOT NULL,
    cost BIGINT NOT NULL,
    listed_cost BIGINT NOT NULL,
    unknown_costs BIGINT NOT NULL,
    PRIMARY KEY (order_id, line)
  );
  CREATE INDEX sales_by_time ON sales (at);

  -- Paid orders that changed since their lines were made. A new order is not paid, so that placing one costs nothing.
  CREATE TABLE sales_due (
    order_id TEXT COLLATE "C" PRIMARY KEY REFERENCES orders (order_id)
  );
  INSERT INTO sales_due (order_id) SELECT order_id FROM orders WHERE payment_status IN ('PAID', 'REFUND');

  -- The update locks the row: who makes the lines deletes it first, and so waits for the change that it then reads.
  CREATE FUNCTION note_due_sale() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO sales_due VALUES (NEW.order_id) ON CONFLICT (order_id) DO UPDATE SET order_id = excluded.order_id;
    RETURN NULL;
  END $$;
  CREATE TRIGGER sales_due_after_change AFTER UPDATE OF payment_status ON orders
    FOR EACH ROW WHEN (NEW.payment_status IN ('PAID', 'REFUND')) EXECUTE FUNCTION note_due_sale();
  CREATE TRIGGER sales_due_after_closing AFTER UPDATE OF state ON refunds
    FOR EACH ROW EXECUTE FUNCTION note_due_sale();
`;
