/**
 * The customer's phone number in its normal form, as in the column `customer` of the file store: the digits with the country
 * code, null for a text without digits. It is computed from the details and kept in the index, so that no row is written again, orders
 * of servers of the format before have it as well, and an operator may have built it before (docs/deployment.md).
 *
 * The text is cut out of the JSON, because PostgreSQL rejects a document with an escaped NUL, and takes longer to parse one. Without
 * escaped quotes, the next quote ends the text; the digits of other escapes don't count.
 */
export const customersAndFunds = /* sql */ `
  CREATE OR REPLACE FUNCTION order_customer(details TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT nullif(regexp_replace(regexp_replace(number, '^00', ''), '^(620|0)', '62'), '')
    FROM (SELECT regexp_replace(
      split_part(split_part(replace(details, '\\"', ''), '"whatsapp":"', 2), '"', 1),
      '\\\\(u[0-9a-f]{4}|[^u])|[^0-9]', '', 'gi')) AS phone (number)
  $$;
  -- Of all orders: an index of some would seem to be short, and PostgreSQL would use it for what it was not made for.
  CREATE INDEX IF NOT EXISTS orders_customer ON orders ((order_customer(details) COLLATE "C"), created_at, order_id);

  -- What a unit that is asked about waits for: 'balance', when the supplier has said that the shop's balance is too low.
  ALTER TABLE units ADD COLUMN waits_for TEXT CHECK (waits_for = 'balance');
  CREATE INDEX units_unfunded ON units (order_id) WHERE waits_for IS NOT NULL AND next_at IS NOT NULL;
`;
