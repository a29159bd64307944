export const returnedFees = /* sql */ `
  -- What the gateway keeps of the payment, if it said it.
  ALTER TABLE reconciliations ADD COLUMN fee INTEGER;

  -- The lines of an order depend on the payments to reconcile that are of it, or have a reference of its money.
  CREATE TRIGGER sales_due_after_reconciling AFTER INSERT ON reconciliations BEGIN
    INSERT INTO sales_due
      SELECT order_id FROM orders WHERE reserved = 0 AND (payment_reference = NEW.reference OR order_id IN (
        SELECT order_id FROM reconciliations WHERE reference = NEW.reference))
      ON CONFLICT DO NOTHING;
  END;
  CREATE TRIGGER sales_due_after_reconciled AFTER UPDATE OF state ON reconciliations BEGIN
    INSERT INTO sales_due
      SELECT order_id FROM orders WHERE reserved = 0 AND (payment_reference = NEW.reference OR order_id IN (
        SELECT order_id FROM reconciliations WHERE reference = NEW.reference))
      ON CONFLICT DO NOTHING;
  END;

  -- The lines are made anew: they lacked what gateways paid back, and the fees of returned payments.
  INSERT INTO sales_due
    SELECT order_id FROM orders WHERE reserved = 0 AND (payment_status IN ('PAID', 'REFUND')
      OR order_id IN (SELECT order_id FROM reconciliations))
    ON CONFLICT DO NOTHING;
`;
