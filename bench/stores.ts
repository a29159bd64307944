import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startBenchServer } from './bench-process.ts';
import { bodyWithoutPromo, keyHeaders, orderBody, postOrder, sendOnce } from './requests.ts';
import { temporaryFolder } from './temporary-folder.ts';

// Creating a store with a million orders through HTTP takes an hour. So a server creates one order of each kind, and SQL copies these
// orders with all of their columns and rows.

/** Order that is copied, the steps that follow it, and the number of its copies among 10,000 orders. */
interface Kind {
  share: number;
  body?: object;
  actions: string[];
  account?: string;
}

const withoutPromo = { ...bodyWithoutPromo, quantity: 1 };
/** Body of an order that is paid by virtual account, so that it stays open for a day. */
const byTransfer = { ...withoutPromo, payment_method_id: 14 };
const rareGame = { ...withoutPromo, game: 'free-fire', server: null, product_id: null };

const kinds: Kind[] = [
  { share: 7_500, body: withoutPromo, actions: ['pay', 'deliver'] },
  { share: 900, actions: ['pay', 'deliver'] },
  { share: 900, body: withoutPromo, actions: ['pay', 'deliver'], account: 'another-shop' },
  { share: 549, body: withoutPromo, actions: ['expire'] },
  { share: 50, body: withoutPromo, actions: ['fail'] },
  { share: 49, body: byTransfer, actions: [] },
  { share: 40, body: withoutPromo, actions: ['pay', 'fail-delivery'] },
  { share: 10, body: withoutPromo, actions: ['pay', 'fail-delivery', 'refund'] },
  { share: 1, body: withoutPromo, actions: ['pay', 'lose-delivery'] },
  { share: 1, body: rareGame, actions: ['pay', 'deliver'] },
];

/** Creates one order of each kind with a server. Returns their ids. */
async function makeKinds(path: string): Promise<string[]> {
  await using server = await startBenchServer('topup.ts', { TOPUP_STORE: `file:${path}` });
  const detail = await (await fetch(`${server.baseUrl}/games/free-fire`, { headers: keyHeaders })).json();
  const ids: string[] = [];
  for (const { body = orderBody, actions } of kinds) {
    const sent = body === rareGame ? { ...body, product_id: detail.data.products[0].id } : body;
    const { orderId } = await (await sendOnce(postOrder(server.baseUrl, sent))).json();
    for (const action of actions) {
      const url = new URL(`/sandbox/orders/${orderId}/${action}`, server.baseUrl).href;
      await sendOnce({ url, method: 'POST', headers: {}, expectStatus: 200 });
    }
    ids.push(orderId);
  }
  return ids;
}

const year = 365 * 24 * 60 * 60_000;
const hour = 60 * 60_000;

/** Expression for a number below 26^8 that looks random, and differs for each `n`. */
const scattered = '(n * 5000011 % 208827064576)';
const letters = [0, 1, 2, 3, 4, 5, 6, 7].map((place) => `65 + ${scattered} / ${26 ** place} % 26`).join(', ');

/** Plans which order is copied to which, with the values that differ: ids, times, the customer. Open orders are from the last hour. */
function planCopies(db: DatabaseSync, kindIds: readonly string[], count: number): void {
  db.exec('CREATE TEMP TABLE slots (slot INTEGER PRIMARY KEY, kind TEXT, account TEXT, open INTEGER)');
  const insert = db.prepare('INSERT INTO slots VALUES (?, ?, ?, ?)');
  let slot = 0;
  for (const [index, { share, account, actions }] of kinds.entries())
    for (let left = share; left > 0; left -= 1)
      insert.run(slot++, kindIds[index] ?? '', account ?? null, actions.length === 0 ? 1 : 0);
  const now = Date.now();
  db.exec(`
    CREATE TEMP TABLE copies AS
      WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
      SELECT n, kind, account, 'bench-' || ${scattered} AS reference, 100000000 + n % 200000 AS target,
        CASE WHEN open = 1 THEN ${now - hour} + n * ${hour} / ${count} ELSE ${now - year} + n * ${year} / ${count} END
          AS created_at,
        NULL AS order_id, NULL AS later
      FROM numbers JOIN slots ON slot = n * 7919 % 10000;
    UPDATE copies SET later = created_at - (SELECT created_at FROM orders WHERE order_id = copies.kind), order_id =
      'INV-' || strftime('%Y%m%d%H%M%S', created_at / 1000, 'unixepoch', '+7 hours') || '-' || (
        SELECT char(${letters}));
    CREATE INDEX temp.copies_by_id ON copies (order_id, kind);`);
}

/** Columns whose values differ between a copy and its original, in any table. */
const changed: Record<string, string> = {
  order_id: 'copies.order_id',
  account_id: 'coalesce(copies.account, original.account_id)',
  created_at: 'copies.created_at',
  expires_at: 'original.expires_at - original.created_at + copies.created_at',
  payment_reference: 'copies.reference',
  payment_code: 'replace(original.payment_code, original.payment_reference, copies.reference)',
  payment_url: 'replace(original.payment_url, original.payment_reference, copies.reference)',
  asked_at: 'original.asked_at + copies.later',
  refund_id: `copies.order_id || substr(original.refund_id, length(original.order_id) + 1)`,
  // Sales are dated at the time of the payment.
  entry: `json_replace(original.entry, '$.at', original.entry ->> 'at' + copies.later,
    '$.paidAt', original.entry ->> 'paidAt' + copies.later)`,
  details: `json_set(original.details, '$.target.id', cast(copies.target AS TEXT))`,
  // Positions are assigned again when the changes are read.
  position: 'NULL',
  target_id: 'cast(copies.target AS TEXT)',
  customer: `'62' || copies.target`,
};

/** Copies the rows of a table that belong to the copied orders. */
function copyRows(db: DatabaseSync, table: string): void {
  const columns = db
    .prepare('SELECT name FROM pragma_table_info(?)')
    .all(table)
    .map(({ name }) => String(name));
  const values = columns.map((column) => changed[column] ?? `original.${column}`);
  // Rows are copied in the order of the ids, which is the order of their creation.
  db.exec(`
    INSERT INTO ${table} (${columns.join(', ')})
    SELECT ${values.join(', ')} FROM copies CROSS JOIN ${table} AS original ON original.order_id = copies.kind
    ORDER BY copies.order_id`);
}

const tables = ['orders', 'units', 'history', 'promo_claims', 'refunds', 'sales_due'];

/** Drops the indexes of the tables, and returns the statements that create them again, which is faster after all rows are inserted. */
function dropIndexes(db: DatabaseSync): string {
  const indexes = db
    .prepare(
      `SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL
       AND tbl_name IN (SELECT value FROM json_each(?)) ORDER BY rowid`,
    )
    .all(JSON.stringify(tables));
  for (const { name } of indexes) db.exec(`DROP INDEX ${name}`);
  return indexes.map(({ sql }) => `${sql};`).join('\n');
}

function copyOrders(path: string, kindIds: readonly string[], count: number): void {
  const db = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  try {
    // A lost file is created again, so nothing here waits for the disk. A server applies its own settings when it opens the file.
    db.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -400000; BEGIN');
    planCopies(db, kindIds, count);
    const makeIndexes = dropIndexes(db);
    for (const table of tables) copyRows(db, table);
    db.exec(`
      ${makeIndexes}
      UPDATE promos SET used = (SELECT count(*) FROM promo_claims WHERE code = promos.code AND released = 0);
      COMMIT`);
  } finally {
    db.close();
  }
}

/** Copies a store file with the content of its log into a new file. */
export function copyStore(from: string, to: string): void {
  const db = new DatabaseSync(from);
  try {
    db.prepare('VACUUM INTO ?').run(to);
  } finally {
    db.close();
  }
}

let folder: ReturnType<typeof temporaryFolder> | undefined;
let kindIds: Promise<string[]> | undefined;
const made = new Map<number, Promise<string>>();

async function make(count: number): Promise<string> {
  folder ??= temporaryFolder();
  const { path } = await folder;
  const first = join(path, 'kinds.db');
  kindIds ??= makeKinds(first);
  const ids = await kindIds;
  const store = join(path, `${count}.db`);
  copyStore(first, store);
  copyOrders(store, ids, count);
  // Otherwise the measure would wait until the disk has written all data.
  await using file = await open(store);
  await file.sync();
  return store;
}

/** Returns the path of a file store with this number of orders, in the states of a shop's orders. A run of the bench creates it once. */
export function storeWith(count: number): Promise<string> {
  const store = made.get(count) ?? make(count);
  made.set(count, store);
  return store;
}

/** Deletes all stores of this run. */
export async function deleteStores(): Promise<void> {
  await (await folder)?.[Symbol.asyncDispose]();
}

/** Returns ids of orders that the key of the sandbox can read, spread over the whole age of a store. */
export function someOrderIds(path: string, count: number): string[] {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const all = db.prepare('SELECT count(*) AS orders FROM orders').get();
    const step = Math.max(1, Math.floor(Number(all?.orders) / count));
    return db
      .prepare(`SELECT order_id FROM orders WHERE account_id = 'sandbox' AND rowid % ? = 0 LIMIT ?`)
      .all(step, count)
      .map(({ order_id }) => String(order_id));
  } finally {
    db.close();
  }
}
