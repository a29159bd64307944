export const returnedFees = /* sql */ `
  -- Which rules made a line: 1 lacked what gateways paid back, and the fees of returned payments. Lines of 1 are made anew by and by.
  ALTER TABLE sales ADD COLUMN made_by INTEGER NOT NULL DEFAULT 1;
  CREATE INDEX sales_made_before ON sales (order_id) WHERE made_by < 2;

  -- What the gateway keeps of a payment that it paid back before it was noticed is of an order that failed.
  CREATE TRIGGER sales_due_after_failing AFTER UPDATE OF payment_status ON orders
    WHEN NEW.payment_status = 'FAILED' BEGIN
    INSERT INTO sales_due VALUES (NEW.order_id) ON CONFLICT DO NOTHING;
  END;

  -- What the gateway keeps of the payment, if it said it.
  ALTER TABLE reconciliations ADD COLUMN fee INTEGER;

  -- The lines of an order depend on the payments to reconcile that are of it, or have a reference of its money.
  CREATE TRIGGER sales_due_after_reconciling AFTER INSERT ON reconciliations BEGIN
    INSERT INTO sales_due
      SELECT order_id FROM orders WHERE reserved = 0 AND payment_reference = NEW.reference
      UNION SELECT order_id FROM orders WHERE reserved = 0 AND order_id IN (
        SELECT order_id FROM reconciliations WHERE reference = NEW.reference)
      ON CONFLICT DO NOTHING;
  END;
  CREATE TRIGGER sales_due_after_reconciled AFTER UPDATE OF state ON reconciliations BEGIN
    INSERT INTO sales_due
      SELECT order_id FROM orders WHERE reserved = 0 AND payment_reference = NEW.reference
      UNION SELECT order_id FROM orders WHERE reserved = 0 AND order_id IN (
        SELECT order_id FROM reconciliations WHERE reference = NEW.reference)
      ON CONFLICT DO NOTHING;
  END;

  -- Orders that were never paid have no lines yet.
  INSERT INTO sales_due
    SELECT order_id FROM orders WHERE reserved = 0 AND order_id IN (SELECT order_id FROM reconciliations)
    ON CONFLICT DO NOTHING;
`;
