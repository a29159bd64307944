/** Servers of the format before go on: they leave out the fee, and make lines without it. */
export const returnedFees = /* sql */ `
  -- What the gateway keeps of the payment, if it said it.
  ALTER TABLE reconciliations ADD COLUMN fee BIGINT;

  -- The lines of an order depend on the payments to reconcile that are of it, or have a reference of its money.
  CREATE FUNCTION note_due_sale_of_reference() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO sales_due
      SELECT order_id FROM orders WHERE reserved = 0 AND (payment_reference = NEW.reference OR order_id IN (
        SELECT order_id FROM reconciliations WHERE reference = NEW.reference))
      ORDER BY order_id
      ON CONFLICT (order_id) DO UPDATE SET order_id = excluded.order_id;
    RETURN NULL;
  END $$;
  CREATE TRIGGER sales_due_after_reconciling AFTER INSERT OR UPDATE OF state ON reconciliations
    FOR EACH ROW EXECUTE FUNCTION note_due_sale_of_reference();

  -- The lines are made anew: they lacked what gateways paid back, and the fees of returned payments.
  INSERT INTO sales_due
    SELECT order_id FROM orders WHERE reserved = 0 AND (payment_status IN ('PAID', 'REFUND')
      OR order_id IN (SELECT order_id FROM reconciliations WHERE order_id IS NOT NULL))
    ON CONFLICT DO NOTHING;
`;
