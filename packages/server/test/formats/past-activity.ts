/** What an operator of format 21 (16 of PostgreSQL) did, as that format keeps it. */
export const pastActivity = `
  INSERT INTO history (order_id, version, entry)
    SELECT min(order_id), 90, '{"at":3000,"event":"refunded","by":"operator","operator":"ani","amount":7000}' FROM orders;
  INSERT INTO history (order_id, version, entry)
    SELECT min(order_id), 91, '{"at":1000,"event":"noted","by":"operator","note":"no name then"}' FROM orders;
  INSERT INTO history (order_id, version, entry)
    SELECT min(order_id), 92, '{"at":1500,"event":"paid","by":"gateway","amount":7000}' FROM orders;
  INSERT INTO catalog_edits (number, edit) VALUES
    (90, '{"at":2000,"by":"rina","command":"set-price ML86","values":[]}'),
    (91, '{"at":2500,"by":null,"command":"sync","values":[]}');
  INSERT INTO refunds (refund_id, order_id, amount, units, created_at, state, closed_at, closed_by)
    SELECT 'R-1', min(order_id), 500, '[]', 1, 'paid', 4000, 'budi' FROM orders;
  INSERT INTO reconciliations
    (reconciliation_id, order_id, reference, amount, paid_at, noticed_at, reason, state, closed_at, closed_by)
    VALUES ('rec-1', NULL, 'ref', 600, 1, 1, 'unknown', 'returned', 5000, 'budi'),
      ('rec-2', NULL, 'ref', 600, 1, 1, 'unknown', 'open', NULL, NULL);`;

/** The same, newest first, with the id of its order. */
export const pastActivityOf = (orderId: unknown) => [
  { at: 5000, operator: 'budi', action: 'payment.returned', subject: 'rec-1', amount: 600 },
  { at: 4000, operator: 'budi', action: 'refund.paid', subject: 'R-1', amount: 500 },
  { at: 3000, operator: 'ani', action: 'order.refunded', subject: orderId, amount: 7000 },
  { at: 2000, operator: 'rina', action: 'catalog.edited', subject: 'set-price ML86', amount: null },
  { at: 1000, operator: '', action: 'order.noted', subject: orderId, amount: null },
];
