/**
 * Makes the stores of this folder, each with the code of the commit that stands in `formats.ts`, and keeps what that version said
 * about it: `node --conditions=@topup-kit/source packages/server/test/formats/record.ts [NAME...]`.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type OldServer, type OldVersion, takeVersion } from '../helpers/old-version.ts';
import { startPostgres } from '../helpers/postgres.ts';
import { dumpDatabase } from './database-dump.ts';
import { formats, type Recorded, type RecordedOrder, writeKept } from './formats.ts';

/** Part of the sandbox catalogue of that version, so that stores stay small. */
function writeCatalog({ folder }: OldVersion, file: string): void {
  // Safe: each version has its sandbox's catalogue there, in this form.
  const catalog = JSON.parse(
    readFileSync(join(folder, 'packages/core/src/sandbox/catalog.json'), 'utf8'),
  ) as { games: { slug: string }[]; promos: { code: string }[] };
  const games = catalog.games.filter(({ slug }) => slug === 'mobile-legends');
  const promos = catalog.promos.filter(({ code }) => code === 'RAMADAN10');
  writeFileSync(file, JSON.stringify({ ...catalog, games, promos }));
}

const order = {
  id: '12345678',
  server: '2012',
  game: 'mobile-legends',
  product_id: 901,
  payment_method_id: 12,
  whatsapp: '081234567890',
};

/** Sends requests to a server with a key, and returns the bytes of its responses as text. */
const caller =
  ({ baseUrl }: OldServer, key: string) =>
  async (path: string, sent: RequestInit = {}): Promise<string> => {
    const url = path.startsWith('/sandbox') ? new URL(path, baseUrl) : `${baseUrl}${path}`;
    const response = await fetch(url, {
      ...sent,
      headers: { 'X-API-KEY': key, 'Content-Type': 'application/json', ...sent.headers },
    });
    return response.text();
  };

/** Lets a shop have orders in all states that a version knows, and keeps what it says of them. */
async function trade(server: OldServer, key: string): Promise<Pick<Recorded, 'placed' | 'orders'>> {
  const call = caller(server, key);
  const placed: Recorded['placed'] = [];
  async function place(changes: object, idempotencyKey?: string): Promise<string> {
    const headers: Record<string, string> =
      idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey };
    const body = JSON.stringify({ ...order, ...changes });
    const response = await call('/order', { method: 'POST', headers, body });
    if (idempotencyKey !== undefined) placed.push({ headers, body, response });
    // Safe: every version responds to an order in this form.
    return (JSON.parse(response) as { orderId: string }).orderId;
  }
  const ids = [
    await place({ promo_code: 'RAMADAN10', quantity: 2, nickname: 'Kak Raya' }, 'kept-with-the-store'),
    await place(
      { whatsapp: '+62 812-3456-7890', email: 'raya@shop.example' },
      'another-way-to-write-a-number',
    ),
    await place({}),
    await place({ payment_method_id: 13 }),
    await place({ payment_method_id: 21 }),
    await place({ quantity: 3 }, 'in-delivery'),
  ];
  const [, , delivered, expired, refunded, inDelivery] = ids;
  // A version that does not know an action rejects it.
  for (const [id, action] of [
    [delivered, 'pay'],
    [delivered, 'deliver'],
    [delivered, 'pay-again'],
    [expired, 'expire'],
    [expired, 'pay'],
    [refunded, 'pay'],
    [refunded, 'fail-delivery'],
    [refunded, 'refund'],
    [inDelivery, 'pay'],
  ])
    await call(`/sandbox/orders/${id}/${action}`, { method: 'POST' });
  const orders: RecordedOrder[] = [];
  for (const id of ids)
    orders.push({
      id,
      invoice: await call(`/invoice/${id}`),
      status: await call(`/invoice/${id}/payment-status`),
    });
  return { placed, orders };
}

interface MadeKey {
  key: string;
  key_id: string;
}

/** How the version makes a key whose commands work on files alone. */
const makeKey = `
  import { createHash } from 'node:crypto';
  import { issueKey } from '@topup-kit/core/engine';
  import { secureRandom } from '@topup-kit/core/platform';
  import { scopes } from '@topup-kit/core/contract';
  import { openStore } from './src/index.ts';
  const [url, name, isRevoked] = process.argv.slice(1);
  const store = openStore({ kind: 'postgres', url });
  const hash = (text) => createHash('sha256').update(text).digest('hex');
  const deps = { store, hash, random: secureRandom, realClock: Date.now };
  const { key, stored } = await issueKey(deps, { name, mode: 'test', accountId: 'shop', scopes });
  const { keyId } = stored ?? (await store.listKeys()).find((one) => one.name === name);
  if (isRevoked) await store.revokeKey(keyId, Date.now());
  await store.close();
  console.log(JSON.stringify({ key, key_id: keyId }));`;

async function createKey(
  version: OldVersion,
  store: string,
  { name, isRevoked = false }: { name: string; isRevoked?: boolean },
): Promise<string> {
  const words = ['--name', name, '--account', 'shop', '--store', store];
  try {
    // Safe: every version of `keys create --json` prints both.
    const { key, key_id } = (await version.topup('keys', 'create', ...words)) as MadeKey;
    const revoke = ['keys', 'revoke', key_id, '--store', store];
    // The first versions do not ask.
    if (isRevoked) await version.topup(...revoke, '--yes').catch(() => version.topup(...revoke));
    return key;
  } catch (error) {
    if (!String(error).includes('must be file:PATH')) throw error;
    // Safe: the module printed it.
    const made = await version.evaluate(makeKey, store, name, ...(isRevoked ? ['revoked'] : []));
    return (made as MadeKey).key;
  }
}

async function record(version: OldVersion, store: string, catalog: string): Promise<Recorded> {
  const now = Date.now();
  await using server = await version.serve(
    store,
    ...['--catalog', catalog, '--public-url', 'http://shop.example'],
  );
  const made = await createKey(version, store, { name: 'web shop' });
  const games = await fetch(`${server.baseUrl}/games`, { headers: { 'X-API-KEY': made } });
  // The first version of PostgreSQL could not read the keys that it stored.
  const key = games.ok ? made : server.key;
  const revokedKey = await createKey(version, store, { name: 'lost phone', isRevoked: true });
  return { now, key, revokedKey, ...(await trade(server, key)) };
}

const wanted = process.argv.slice(2);
const work = mkdtempSync(join(tmpdir(), 'topup-formats-'));
await using resources = new AsyncDisposableStack();
resources.defer(async () => rmSync(work, { recursive: true }));
const database = resources.use(await startPostgres());
for (const format of formats.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  const version = takeVersion(format.commit, work);
  const folder = mkdtempSync(join(work, 'store-'));
  const catalog = join(folder, 'catalog.json');
  writeCatalog(version, catalog);
  const path = join(folder, 'topup.db');
  const url = await database.newSchema();
  const isFile = format.engine === 'sqlite';
  const recorded = await record(version, isFile ? `file:${path}` : url, catalog);
  const store = isFile ? readFileSync(path) : await dumpDatabase(url, version);
  const bytes = writeKept(format, recorded, store);
  process.stdout.write(`${format.name}: ${bytes} bytes\n`);
}
