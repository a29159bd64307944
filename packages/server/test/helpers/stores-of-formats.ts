/**
 * Stores that earlier versions wrote, with what those responded. Run as a program before a migration is added, it keeps a
 * store of the present format: `node --conditions=@topup-kit/source packages/server/test/helpers/stores-of-formats.ts`.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { scopes } from '@topup-kit/core/contract';
import { issueKey } from '@topup-kit/core/engine';
import { secureRandom } from '@topup-kit/core/platform';
import { sandboxCatalogFile } from '@topup-kit/core/sandbox';
import { openStore, readConfig, type ServerParts, startServer } from '../../src/index.ts';
import { sha256Hex } from '../../src/service.ts';
import { migrations } from '../../src/sqlite/migrate.ts';

const folder = fileURLToPath(new URL('../fixtures', import.meta.url));

/** What a server responded over a store of a format. */
export interface Recorded {
  /** When, in unix milliseconds. */
  now: number;
  key: string;
  /** A request of an order with an idempotency key, and its response. */
  order: { headers: Record<string, string>; body: unknown; response: unknown };
  /** Responses by path. */
  reads: Record<string, unknown>;
}

/** Starts a sandbox over a store file, with a clock that stands still. */
export const startAt = (path: string, realClock: ServerParts['realClock'], catalog?: string) =>
  startServer(
    readConfig({
      ...{
        TOPUP_MODE: 'sandbox',
        TOPUP_STORE: `file:${path}`,
        TOPUP_PUBLIC_URL: 'http://shop.example',
        PORT: '0',
      },
      ...{ TOPUP_LOG_LEVEL: 'silent', ...(catalog !== undefined && { TOPUP_CATALOG: catalog }) },
    }),
    { ...(realClock && { realClock }) },
  );

export const send = (localUrl: string, key: string, path: string, sent: RequestInit = {}) =>
  fetch(localUrl + path, {
    ...sent,
    headers: { 'X-API-KEY': key, 'Content-Type': 'application/json', ...sent.headers },
  });

/** The formats of which a store is kept. */
export const keptFormats = readdirSync(folder).flatMap((name) => {
  const [, format] = /^format-(\d+)\.sql$/.exec(name) ?? [];
  return format === undefined ? [] : [Number(format)];
});

/** Writes the kept store of a format to a file, and returns what was recorded with it. */
export function writeKept(format: number, path: string): Recorded {
  using db = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  db.exec(readFileSync(join(folder, `format-${format}.sql`), 'utf8'));
  // safe: written by `record`
  return JSON.parse(readFileSync(join(folder, `format-${format}.json`), 'utf8')) as Recorded;
}

/** The content of a database as SQL. */
function dump(path: string): string {
  using db = new DatabaseSync(path);
  const pragma = (name: string): string =>
    `PRAGMA ${name} = ${Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0]};`;
  const objects = db
    .prepare(
      `SELECT name, type, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid`,
    )
    .all();
  const tables = objects.filter(({ type }) => type === 'table').map(({ name }) => String(name));
  const rows = tables.flatMap((table) => {
    const columns = db
      .prepare(`SELECT name FROM pragma_table_info(?)`)
      .all(table)
      .map(({ name }) => `quote(${name})`);
    return db
      .prepare(`SELECT ${columns.join(` || ', ' || `)} AS row FROM ${table}`)
      .all()
      .map(({ row }) => `INSERT INTO ${table} VALUES (${row});`);
  });
  const create = (wanted: boolean): string[] =>
    objects.filter(({ type }) => (type === 'table') === wanted).map(({ sql }) => `${sql};`);
  return [
    pragma('application_id'),
    pragma('user_version'),
    ...create(true),
    ...rows,
    ...create(false),
    '',
  ].join('\n');
}

/** Lets a sandbox have orders in several states, and keeps its store and its responses. */
async function record(): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'topup-format-'));
  const path = join(work, 'topup.db');
  const now = Date.parse('2026-11-20T10:00:00Z');
  const catalog = join(work, 'catalog.json');
  // safe: the sandbox's own file, with more in it
  const file = sandboxCatalogFile as { games: { slug: string }[]; promos: { code: string }[] };
  const games = file.games.filter(({ slug }) => slug === 'mobile-legends');
  const promos = file.promos.filter(({ code }) => code === 'RAMADAN10');
  writeFileSync(catalog, JSON.stringify({ ...file, games, promos }));
  const server = await startAt(path, () => now, catalog);
  const store = openStore({ kind: 'file', path });
  const { key } = await issueKey(
    { store, hash: sha256Hex, random: secureRandom, realClock: () => now },
    { name: 'web shop', mode: 'test', accountId: 'shop', scopes },
  );
  await store.close();
  const call = async (path: string, sent?: RequestInit) =>
    (await send(server.localUrl, key, path, sent)).json();
  const body = {
    id: '12345678',
    server: '2012',
    game: 'mobile-legends',
    product_id: 901,
    payment_method_id: 12,
    whatsapp: '081234567890',
  };
  const place = (changes: object, headers: Record<string, string> = {}) =>
    call('/api/order', { method: 'POST', headers, body: JSON.stringify({ ...body, ...changes }) });
  const control = (id: string, action: string) => call(`/sandbox/orders/${id}/${action}`, { method: 'POST' });

  const headers = { 'Idempotency-Key': 'kept-with-the-store' };
  const first = { promo_code: 'RAMADAN10', quantity: 2 };
  const response = await place(first, headers);
  const ids: string[] = [response.orderId];
  for (const changes of [{}, { payment_method_id: 13 }, { payment_method_id: 21 }, { quantity: 3 }])
    ids.push((await place(changes)).orderId);
  const [, delivered = '', expired = '', refunded = '', inDelivery = ''] = ids;
  await control(delivered, 'pay');
  await control(delivered, 'deliver');
  await control(delivered, 'pay-again');
  await control(expired, 'expire');
  await control(refunded, 'pay');
  await control(refunded, 'fail-delivery');
  await control(refunded, 'refund');
  await control(inDelivery, 'pay');
  const paths = ['/api/games', '/api/games/mobile-legends', ...ids.flatMap((id) => [`/api/invoice/${id}`])];
  const reads: Recorded['reads'] = {};
  for (const path of paths) reads[path] = await call(path);
  await server.close();
  const recorded: Recorded = { now, key, order: { headers, body: { ...body, ...first }, response }, reads };
  writeFileSync(join(folder, `format-${migrations.length}.sql`), dump(path));
  writeFileSync(join(folder, `format-${migrations.length}.json`), `${JSON.stringify(recorded, null, 1)}\n`);
  rmSync(work, { recursive: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await record();
