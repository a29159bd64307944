/**
 * What one order costs a PostgreSQL, whatever the machine: bytes in tables and indexes, bytes of its log (WAL), and transactions.
 * For docs/past-one-database.md: `node --conditions=@topup-kit/source packages/server/test/order-size.ts`.
 */
import { setTimeout as wait } from 'node:timers/promises';
import postgres from 'postgres';
import type { PaymentEvent } from '../src/index.ts';
import { startPostgres } from './helpers/postgres.ts';
import { fixtureOrder, startSandbox } from './helpers/sandbox.ts';

const orders = 500;
const clients = 16;

await using database = await startPostgres({ durable: true });
const url = await database.newSchema();
const sql = postgres(url, { max: 1, onnotice: () => {} });
const server = await startSandbox({ TOPUP_STORE: url });
const headers = { 'X-API-KEY': server.sandboxKey ?? '', 'Content-Type': 'application/json' };

/** PostgreSQL's counts: bytes of its log, and transactions, which each connection reports within a second. */
async function read() {
  await wait(1_500);
  const [row] = await sql`
    SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS wal, xact_commit::float8 AS commits
    FROM pg_stat_database WHERE datname = current_database()`;
  return { wal: Number(row?.wal), commits: Number(row?.commits), at: performance.now() };
}

/** Transactions of a server that has nothing to do, per millisecond. */
const idleFrom = await read();
await wait(5_000);
const idleTo = await read();
const idle = (idleTo.commits - idleFrom.commits) / (idleTo.at - idleFrom.at);

/** Does something for each order, some at a time, and prints what it cost. */
async function measure(name: string, count: number, task: (index: number) => Promise<void>): Promise<void> {
  await sql`CHECKPOINT`;
  const before = await read();
  const begun = performance.now();
  const entries = Array.from({ length: count }, (_, index) => index).values();
  const client = async (): Promise<void> => {
    for (const index of entries) await task(index);
  };
  await Promise.all(Array.from({ length: clients }, client));
  const perSecond = (count / (performance.now() - begun)) * 1_000;
  const after = await read();
  const commits = after.commits - before.commits - idle * (after.at - before.at);
  process.stdout.write(
    `${name}: ${Math.round((after.wal - before.wal) / count)} bytes of WAL, ${(commits / count).toFixed(1)} transactions, ${Math.round(perSecond)} per second with ${clients} clients\n`,
  );
}

const ids: string[] = [];
const payments: PaymentEvent[] = [];
await measure('an order with a key', orders, async (index) => {
  const response = await fetch(`${server.baseUrl}/order`, {
    method: 'POST',
    headers: { ...headers, 'Idempotency-Key': `key-${index}` },
    body: JSON.stringify({ ...fixtureOrder, promo_code: undefined, quantity: 1 }),
  });
  if (response.status !== 201) throw new Error(await response.text());
  const { orderId, data } = await response.json();
  ids.push(orderId);
  payments.push({
    reference: data.payment_reference,
    status: 'paid',
    amount: data.total_price,
    at: Date.now(),
  });
});
await measure('a poll of its status', orders, async (index) => {
  const response = await fetch(`${server.baseUrl}/invoice/${ids[index]}/payment-status`, { headers });
  await response.text();
});
// As a gateway reports it: a sandbox's own command does one after the other, and looks for due work each time.
await measure('its payment, and its delivery', orders, async (index) => {
  const payment = payments[index];
  if (!payment || !(await server.handlePaymentEvent(payment))) throw new Error('a payment has no order');
  const isOpen = () => sql`SELECT 1 FROM orders WHERE buy_status <> 'Sukses' LIMIT 1`;
  if (index === orders - 1) while ((await isOpen()).length > 0) await wait(100);
});
const sizes = await sql`
  SELECT relname AS name, pg_total_relation_size(relid)::float8 / ${orders} AS bytes FROM pg_stat_user_tables
  WHERE schemaname = current_schema() AND relname IN ('orders', 'units', 'history', 'idempotent_responses', 'used_keys') ORDER BY 2 DESC`;
for (const { name, bytes } of sizes) process.stdout.write(`${name}: ${Math.round(bytes)} bytes an order\n`);
process.stdout.write(`idle: ${(idle * 1_000).toFixed(1)} transactions a second for a server\n`);
await server.close();
await sql.end();
