import { DatabaseSync } from 'node:sqlite';

// This file adds the other data of a shop with many orders, for the measure of the console.

const products = 5_000;
/** Number of records of the last 30 days, because older ones are deleted. */
const kept = 100_000;
const edits = 10_000;
const payments = 5_000;
const month = 30 * 24 * 60 * 60_000;

interface Game {
  products: { id: number; code: string; title: string }[];
}

/** Adds products to a catalogue, a tenth of them for each of ten games. */
function growCatalog(db: DatabaseSync): void {
  const row = db.prepare('SELECT document FROM catalog').get();
  const catalog: { games: Game[] } = JSON.parse(String(row?.document));
  const [first] = catalog.games.flatMap((game) => game.products);
  if (!first) throw new Error('the catalogue of the sandbox has products');
  for (let number = 0; number < products; number += 1)
    catalog.games[number % 10]?.products.push({
      ...first,
      id: 1_000_000 + number,
      code: `BENCH${number}`,
      title: `${number} Diamonds`,
    });
  db.prepare('UPDATE catalog SET document = ?').run(JSON.stringify(catalog));
}

const numbers = (count: number): string =>
  `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})`;

/** Adds callbacks, webhooks, payments without an order, refunds and edits to a store file with orders. */
export function addShopData(path: string): void {
  const db = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  const [now, attempt] = [Date.now(), '[{"at":1,"ms":40,"status":200,"text":"ok"}]'];
  const at = (count: number): string => `${now - month} + n * ${month} / ${count}`;
  try {
    db.exec('BEGIN');
    growCatalog(db);
    db.exec(`
      CREATE TEMP TABLE newest AS
        SELECT row_number() OVER (ORDER BY created_at) AS n, order_id, payment_status, account_id
        FROM (SELECT * FROM orders ORDER BY created_at DESC LIMIT ${kept});
      CREATE INDEX temp.newest_by_n ON newest (n);

      INSERT INTO callbacks (callback_id, provider, received_at, address, headers, outcome, reason, order_id,
          handled_at, attempts, replay, body)
        SELECT printf('cb_%09d', n), 'bench', ${at(kept)}, '203.0.113.7', '{"content-type":"application/json"}',
          CASE WHEN n % 100 = 0 THEN 'rejected' WHEN n % 100 = 1 THEN 'ignored' ELSE 'applied' END,
          NULL, order_id, ${at(kept)}, 1, 0, CAST('{"status":"PAID"}' AS BLOB)
        FROM newest;

      INSERT INTO webhook_endpoints (endpoint_id, account_id, url, types, description, secret, created_at, version)
        VALUES ('we_bench', NULL, 'https://shop.example/hooks', '["order.paid"]', '', 'sealed', ${now - month}, 1);
      INSERT INTO webhook_events (event_id, place, type, account_id, order_id, created_at, body)
        SELECT printf('evt_%09d', n), n, 'order.paid', account_id, order_id, ${at(kept)}, '{"type":"order.paid"}'
        FROM newest;
      INSERT INTO webhook_deliveries (endpoint_id, event_id, place, order_id, state, attempts, step, next_at, log)
        SELECT 'we_bench', printf('evt_%09d', n), n, order_id,
          CASE WHEN n % 1000 = 0 THEN 'failed' ELSE 'delivered' END, 1, 1, NULL, '${attempt}'
        FROM newest;
      UPDATE event_progress SET place = ${kept}, edit = ${edits}, position = (SELECT position FROM last_change);

      INSERT INTO reconciliations (reconciliation_id, order_id, reference, amount, paid_at, noticed_at, reason, state)
        SELECT printf('PAY-%09d', n), order_id, 'bench-' || n, 20000, ${at(payments)}, ${at(payments)}, 'late',
          CASE WHEN n % 50 = 0 THEN 'open' ELSE 'settled' END
        FROM newest WHERE n <= ${payments};
      INSERT INTO refunds (refund_id, order_id, amount, units, created_at, state)
        SELECT 'REF-' || order_id, order_id, 1000, '[1]', ${now - month}, CASE WHEN n % 20 = 0 THEN 'to-pay' ELSE 'paid' END
        FROM newest WHERE payment_status = 'REFUND';

      ${numbers(edits)}
      INSERT INTO catalog_edits (number, edit)
        SELECT n, json_object('at', ${at(edits)}, 'by', 'bench', 'command', 'set-price ML86', 'values',
          json_array(json_object('kind', 'product', 'key', 'ML86', 'field', 'selling_price', 'from', 22000 + n, 'to', 22001 + n)))
        FROM numbers;
      COMMIT`);
  } finally {
    db.close();
  }
}
