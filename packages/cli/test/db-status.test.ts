import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { StoreFileError } from '@topup-kit/server';
import { expect, it } from 'vitest';
import { migrations } from '../../server/src/sqlite/migrate.ts';
import { onStoreFile } from '../src/commands/database/store-file.ts';
import type { Io } from '../src/io.ts';
import { fixtureOrder } from './helpers/order.ts';
import { ownStore } from './helpers/own-store.ts';
import { run } from './helpers/run.ts';
import { withoutTimes } from './helpers/screens.ts';
import { startSandbox } from './helpers/servers.ts';

const own = ownStore();

const status = (...args: string[]) =>
  run(['db', 'status', ...args], { environment: { TOPUP_STORE: own.url } });

/** Replaces what differs between runs. */
const steady = (text: string): string =>
  withoutTimes(text)
    .replaceAll(own.folder, '<folder>')
    .replaceAll(/\d+(\.\d)? kB/g, '<size>')
    .replace(`Format    ${migrations.length},`, 'Format    <newest>,')
    .replaceAll(/pid \d+/g, 'pid <pid>');

const order = async (baseUrl: string): Promise<string> =>
  JSON.parse((await run([...fixtureOrder, '--base-url', baseUrl, '--json'])).stdout).orderId;

const sandbox = (baseUrl: string, ...args: string[]) => run(['sandbox', ...args, '--base-url', baseUrl]);

it('shows the content and the pending work of a store while a server runs', async () => {
  await using server = await startSandbox(own.url);
  await order(server.baseUrl);
  await sandbox(server.baseUrl, 'pay', await order(server.baseUrl));
  await sandbox(server.baseUrl, 'advance', '1m');

  const { code, stdout, stderr } = await status();

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(steady(stdout)).toMatchInlineSnapshot(`
    "  File      <folder>/topup.db
      Size      <size>, and <size> in its log
      Format    <newest>, the newest
      Check     not done; --check looks for damage
      Mode      sandbox
      Server    pid <pid>, 127.0.0.1:0
      Clock     1 minute ahead of real time
      Catalog   games: 34, products: 256, promos: 11
      Keys      active: 0, revoked or expired: 0
      Orders    2
      Newest    <time>
      Next due  <time>

      PAYMENT  DELIVERY  ORDERS
      UNPAID   Pending        1
      PAID     Sukses         1
    "
  `);
});

it('prints db status as one document under --json', async () => {
  await startSandbox(own.url).then((server) => server.close());

  expect(JSON.parse((await status('--json')).stdout)).toEqual({
    store: own.path,
    check: null,
    bytes: readFileSync(own.path).length,
    log_bytes: 0,
    format_version: migrations.length,
    mode: 'sandbox',
    orders: 0,
    newest_order_at: null,
    keys: 0,
    games: 34,
    newest_format: migrations.length,
    server: null,
    world_ahead_ms: 0,
    active_keys: 0,
    products: expect.any(Number),
    promos: expect.any(Number),
    states: [],
    reserved: 0,
    next_due_at: null,
    overdue: 0,
    open_reconciliations: 0,
    unknown_units: 0,
  });
});

it('explains the next steps when no server runs', async () => {
  const server = await startSandbox(own.url);
  await order(server.baseUrl);
  await server.close();
  own.edit(`UPDATE orders SET expires_at = 1;
    INSERT INTO reconciliations VALUES ('r', 'INV-1', 'ref', 5, 1, 1, 'late', 'open', NULL, NULL, NULL, NULL)`);

  const { code, stdout, stderr } = await status('--store', own.url);

  expect(code).toBe(0);
  expect(steady(stdout)).toContain('Payments  to reconcile: 1\n');
  expect(steady(stdout)).toMatch(/Next due {2}.*, overdue: 1\n/);
  expect(steady(stderr)).toMatchInlineSnapshot(`
    "
    A server must run to handle overdue and reserved orders: start one:
      topup serve --sandbox --store file:<folder>/topup.db
    See the payments to reconcile:
      topup payments list --store file:<folder>/topup.db
    "
  `);
});

it('counts items with an unknown outcome, and says where to look', async () => {
  const server = await startSandbox(own.url);
  await sandbox(server.baseUrl, 'pay', await order(server.baseUrl));
  await server.close();
  own.edit(`UPDATE units SET state = 'unknown', next_at = NULL`);

  const { stdout, stderr } = await status('--store', own.url);

  expect(stdout).toContain('Items     with unknown outcome: 2\n');
  expect(steady(stderr)).toContain('topup orders list --buy-status Proses --store file:<folder>/topup.db');
  expect(JSON.parse((await status('--json')).stdout)).toMatchObject({ unknown_units: 2 });
});

it('finds a damaged page with --check, exits with 1, and prints the next step', async () => {
  const server = await startSandbox(own.url);
  await server.close();
  const bytes = readFileSync(own.path);
  bytes.fill(0xff, bytes.length - 4_096, bytes.length - 4_000);
  writeFileSync(own.path, bytes);

  const { code, stdout, stderr } = await status('--check');

  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(steady(stderr)).toMatchInlineSnapshot(`
    "Error: <folder>/topup.db is damaged: Tree 4 page 4 cell 0: invalid page number 4294967295.
    Stop the server, copy the file and the files next to it, and restore
    the last good backup:
      topup restore <backup>
    "
  `);
});

it('reports that an undamaged file was checked', async () => {
  await startSandbox(own.url).then((server) => server.close());

  expect((await status('--check')).stdout).toContain('  Check     no damage found\n');
  expect(JSON.parse((await status('--check', '--json')).stdout)).toMatchObject({ check: 'full' });
});

it('finds a broken reference only with --check', async () => {
  const server = await startSandbox(own.url);
  await server.close();
  own.edit(
    `PRAGMA foreign_keys = OFF; INSERT INTO history (order_id, version, entry) VALUES ('INV-none', 1, '{}')`,
  );

  expect(await status()).toMatchObject({ code: 0 });
  expect(await status('--check')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('history: 1 rows refer to missing rows of orders'),
  });
});

it('exits with 3 without a store, and creates none', async () => {
  const { code, stderr } = await status();

  expect(code).toBe(3);
  expect(steady(stderr)).toMatchInlineSnapshot(`
    "Error: There is no file <folder>/topup.db.
    Use another store with --store or TOPUP_STORE.
    "
  `);
  expect(existsSync(own.path)).toBe(false);
});

it('rejects memory: as a store, and gives the reason', async () => {
  expect(await status('--store', 'memory:')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("memory: exists only inside the server's process"),
  });
});

it('names the system user to run as if a file is inaccessible', async () => {
  const io = { signal: undefined } as Io; // Safe: the code uses nothing else of this value.
  const rejected = onStoreFile(io, {}, async () => {
    throw new StoreFileError('not_writable', 'x.db can not be written.');
  });

  await expect(rejected).rejects.toMatchObject({
    details: { hint: expect.stringContaining("Run the command as the server's user") },
  });
});
