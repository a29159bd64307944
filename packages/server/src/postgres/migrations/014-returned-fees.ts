/**
 * Servers of the format before go on: they leave out the fee, and make lines without it. Their lines have the version 1, so that they are
 * made anew.
 */
export const returnedFees = /* sql */ `
  -- Which rules made a line: 1 lacked what gateways paid back, and the fees of returned payments. Lines of 1 are made anew by and by.
  ALTER TABLE sales ADD COLUMN made_by BIGINT NOT NULL DEFAULT 1;
  CREATE INDEX sales_made_before ON sales (order_id) WHERE made_by < 2;

  -- What the gateway keeps of a payment that it paid back before it was noticed is of an order that failed.
  CREATE TRIGGER sales_due_after_failing AFTER UPDATE OF payment_status ON orders
    FOR EACH ROW WHEN (NEW.payment_status = 'FAILED') EXECUTE FUNCTION note_due_sale();

  -- What the gateway keeps of the payment, if it said it.
  ALTER TABLE reconciliations ADD COLUMN fee BIGINT;

  -- The lines of an order depend on the payments to reconcile that are of it, or have a reference of its money.
  CREATE FUNCTION note_due_sale_of_reference() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO sales_due
      SELECT order_id FROM orders WHERE reserved = 0 AND payment_reference = NEW.reference
      UNION SELECT order_id FROM orders WHERE reserved = 0 AND order_id IN (
        SELECT order_id FROM reconciliations WHERE reference = NEW.reference)
      ORDER BY order_id
      ON CONFLICT (order_id) DO UPDATE SET order_id = excluded.order_id;
    RETURN NULL;
  END $$;
  CREATE TRIGGER sales_due_after_reconciling AFTER INSERT OR UPDATE OF state ON reconciliations
    FOR EACH ROW EXECUTE FUNCTION note_due_sale_of_reference();

  -- Orders that were never paid have no lines yet.
  INSERT INTO sales_due
    SELECT order_id FROM orders WHERE reserved = 0 AND order_id IN (SELECT order_id FROM reconciliations)
    ON CONFLICT DO NOTHING;
`;
