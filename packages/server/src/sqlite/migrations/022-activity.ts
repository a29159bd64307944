/** What operators did, also what the histories of earlier versions say of it. */
export const activity = /* sql */ `
  -- In the order in which it was done. at is in unix milliseconds, amount in the smallest unit.
  CREATE TABLE activity (
    at INTEGER NOT NULL,
    operator TEXT NOT NULL,
    action TEXT NOT NULL,
    subject TEXT NOT NULL,
    amount INTEGER
  ) STRICT;
  -- An index of SQLite ends with the rowid, by which the list is sorted.
  CREATE INDEX activity_of_operator ON activity (operator);
  CREATE INDEX activity_by_time ON activity (at);

  INSERT INTO activity (at, operator, action, subject, amount)
  SELECT at, operator, action, subject, amount FROM (
    SELECT entry ->> 'at' AS at, coalesce(entry ->> 'operator', '') AS operator,
      'order.' || (entry ->> 'event') AS action, order_id AS subject, entry ->> 'amount' AS amount
    -- A damaged row is no reason not to start.
    FROM (SELECT order_id, CASE WHEN json_valid(entry) THEN entry END AS entry FROM history)
    WHERE entry ->> 'by' = 'operator'
    UNION ALL
    SELECT edit ->> 'at', edit ->> 'by', 'catalog.edited', edit ->> 'command', NULL
    FROM (SELECT CASE WHEN json_valid(edit) THEN edit END AS edit FROM catalog_edits)
    WHERE edit ->> 'by' IS NOT NULL
    UNION ALL
    SELECT closed_at, closed_by, 'refund.' || state, refund_id, amount FROM refunds
    WHERE closed_at IS NOT NULL AND closed_by IS NOT NULL
    UNION ALL
    SELECT closed_at, closed_by, 'payment.returned', reconciliation_id, amount FROM reconciliations
    WHERE state = 'returned' AND closed_at IS NOT NULL AND closed_by IS NOT NULL
  )
  ORDER BY at;
`;
