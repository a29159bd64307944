/** What the daily work of a shop needs: margin rules, the history of the catalogue, search, sales. Servers of the format before go on, and know nothing of it. */
export const shopsDay = /* sql */ `
  -- How prices are computed from costs; rule is JSON. key is '' for the shop.
  CREATE TABLE margins (
    scope TEXT COLLATE "C" NOT NULL CHECK (scope IN ('shop', 'game', 'category', 'product')),
    key TEXT COLLATE "C" NOT NULL,
    rule TEXT NOT NULL,
    PRIMARY KEY (scope, key)
  );

  -- Each edit of the catalogue by a command, as JSON.
  CREATE TABLE catalog_edits (
    number BIGINT PRIMARY KEY,
    edit TEXT NOT NULL
  );

  -- The lists of suppliers by which prices were computed last.
  CREATE TABLE priced_lists (
    supplier TEXT COLLATE "C" PRIMARY KEY,
    read_at BIGINT NOT NULL,
    products TEXT NOT NULL
  );

  -- By what an order is searched, beside its id, customer, account and payment, filled after its first change: an unpaid order has none.
  CREATE TABLE order_terms (
    term TEXT COLLATE "C" NOT NULL,
    order_id TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (term, order_id)
  );
  -- The place of the last change that order_terms has.
  CREATE TABLE search_progress (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    position BIGINT NOT NULL
  );
  INSERT INTO search_progress (id, position) VALUES (1, 0);

  -- What a purchase costs if it is delivered, and who said so: the supplier in its response, or its list; null of units before.
  ALTER TABLE units ADD COLUMN cost BIGINT;
  ALTER TABLE units ADD COLUMN cost_source TEXT;

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
