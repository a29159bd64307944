/** What operators did, also what the histories say of it. Servers of the format before go on, and add nothing to it. */
export const activity = /* sql */ `
  -- In the order in which it was done. at is in unix milliseconds, amount in the smallest unit.
  CREATE TABLE activity (
    at BIGINT NOT NULL,
    operator TEXT COLLATE "C" NOT NULL,
    action TEXT COLLATE "C" NOT NULL,
    subject TEXT COLLATE "C" NOT NULL,
    amount BIGINT,
    sequence BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY
  );
  CREATE INDEX activity_of_operator ON activity (operator, sequence);
  CREATE INDEX activity_by_time ON activity (at);

  INSERT INTO activity (at, operator, action, subject, amount)
  SELECT at, operator, action, subject, amount FROM (
    SELECT (entry::json ->> 'at')::bigint AS at, coalesce(entry::json ->> 'operator', '') AS operator,
      'order.' || (entry::json ->> 'event') AS action, order_id AS subject, (entry::json ->> 'amount')::bigint AS amount
    FROM history WHERE entry LIKE '%"by":"operator"%'
    UNION ALL
    SELECT (edit::json ->> 'at')::bigint, edit::json ->> 'by', 'catalog.edited', edit::json ->> 'command', NULL
    FROM catalog_edits WHERE edit::json ->> 'by' IS NOT NULL
    UNION ALL
    SELECT closed_at, closed_by, 'refund.' || state, refund_id, amount FROM refunds
    WHERE closed_at IS NOT NULL AND closed_by IS NOT NULL
    UNION ALL
    SELECT closed_at, closed_by, 'payment.returned', reconciliation_id, amount FROM reconciliations
    WHERE state = 'returned' AND closed_at IS NOT NULL AND closed_by IS NOT NULL
  ) AS earlier
  ORDER BY at;
`;
