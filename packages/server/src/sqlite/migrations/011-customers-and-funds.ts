export const customersAndFunds = /* sql */ `
  -- The customer's phone number in its normal form: the digits with the country code. Null for a text without digits. What older
  -- versions stored is normalised here, digit by digit: a leading 00 is +, and an Indonesian number has 62 instead of its zero.
  ALTER TABLE orders ADD COLUMN customer TEXT;
  UPDATE orders SET customer = (
    WITH RECURSIVE
      -- A damaged row is no reason not to start.
      typed (text) AS (
        SELECT CASE WHEN json_valid(details) THEN json_extract(details, '$.contact.whatsapp') END
      ),
      characters (place, character) AS (
        SELECT 1, substr(text, 1, 1) FROM typed
        UNION ALL SELECT place + 1, substr(text, place + 1, 1) FROM characters, typed WHERE place < length(text)
      ),
      digits (text) AS (
        SELECT group_concat(character, '' ORDER BY place) FROM characters WHERE character BETWEEN '0' AND '9'
      ),
      number (text) AS (SELECT CASE WHEN text LIKE '00%' THEN substr(text, 3) ELSE text END FROM digits)
    SELECT nullif(
      CASE
        WHEN text LIKE '620%' THEN '62' || substr(text, 4)
        WHEN text LIKE '0%' THEN '62' || substr(text, 2)
        ELSE text
      END,
      ''
    )
    FROM number
  );
  CREATE INDEX orders_customer ON orders (customer, created_at, order_id) WHERE reserved = 0;

  -- What a unit that is asked about waits for: 'balance', when the supplier has said that the shop's balance is too low.
  ALTER TABLE units ADD COLUMN waits_for TEXT CHECK (waits_for = 'balance');
  CREATE INDEX units_unfunded ON units (order_id) WHERE waits_for IS NOT NULL AND next_at IS NOT NULL;
`;
