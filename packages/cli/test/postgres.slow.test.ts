import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openStore } from '@topup-kit/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../../test/free-port.ts';
import { newestFormat } from '../../server/src/postgres/migrate.ts';
import { startPostgres, type TestPostgres } from '../../server/test/helpers/postgres.ts';
import { fixtureOrder, startSandbox, temporaryFolder } from '../../server/test/helpers/sandbox.ts';
import { type Ran, run } from './helpers/run.ts';

let database: TestPostgres;
let url: string;
let server: Awaited<ReturnType<typeof startSandbox>>;
beforeAll(async () => {
  database = await startPostgres();
  url = await database.newSchema();
  server = await startSandbox({ TOPUP_STORE: url });
}, 60_000);
afterAll(async () => {
  await server.close();
  await database[Symbol.asyncDispose]();
});

const topup = (...args: string[]): Promise<Ran> => run(args, { environment: { TOPUP_STORE: url } });
const json = async (...args: string[]) => {
  const { code, stdout, stderr } = await topup(...args, '--json');
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
};

const shown = 'postgres://127.0.0.1';

describe("operators' commands on a PostgreSQL store", () => {
  it('creates, lists and revokes keys of a running server', async () => {
    const made = await json('keys', 'create', '--name', 'checkout', '--account', 'web-shop');
    expect(made.key).toMatch(/^tk_test_/);
    const list = () => fetch(`${server.baseUrl}/games`, { headers: { 'X-API-KEY': made.key } });
    expect((await list()).status).toBe(200);
    expect((await json('keys', 'list')).keys).toMatchObject([{ key_id: made.key_id, name: 'checkout' }]);
    await json('keys', 'revoke', made.key_id, '--yes');
    await expect.poll(async () => (await list()).status, { timeout: 1_000 }).toBe(401);
  });

  it('shows and changes orders, promos and the catalogue', async () => {
    const response = await fetch(`${server.baseUrl}/order`, {
      method: 'POST',
      headers: { 'X-API-KEY': server.sandboxKey ?? '', 'Content-Type': 'application/json' },
      body: JSON.stringify(fixtureOrder),
    });
    const { data } = await response.json();
    expect((await topup('orders', 'list', '-q')).stdout).toBe(`${data.order_id}\n`);
    expect(await topup('orders', 'show', data.order_id, '--history')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Mobile Legends'),
    });
    await json('promos', 'create', '--code', 'TEN', '--percent', '10');
    expect((await topup('promos', 'list', '-q')).stdout).toContain('TEN\n');
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'catalog.json');
    await writeFile(file, (await topup('catalog', 'export')).stdout);
    expect((await topup('catalog', 'diff', file)).code).toBe(0);
    expect((await topup('catalog', 'import', file, '--yes')).stderr).toContain(shown);
  });

  it.each([
    ['backup', ['backup', 'topup.backup']],
    ['restore', ['restore', 'topup.backup', '--yes']],
  ])('explains that %s needs a file, and names the alternative', async (_name, args) => {
    const { code, stdout, stderr } = await topup(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(
      /^Error: This works on a store file, and postgres:\/\/127.* is a PostgreSQL database\.\n/,
    );
    expect(stderr).toContain('pg_dump');
  });

  it('shows the content of the database and the servers that use it', async () => {
    const where = expect.stringMatching(/^.+, 127\.0\.0\.1:\d+$/);
    expect(await json('db', 'status')).toMatchObject({
      store: expect.stringContaining(shown),
      mode: 'sandbox',
      format_version: newestFormat,
      newest_format: newestFormat,
      servers: [where],
      orders: 1,
      states: [{ payment_status: 'UNPAID', buy_status: 'Pending', count: 1 }],
    });
    const { stdout } = await topup('db', 'status');
    expect(stdout).toMatch(/^ +Database +postgres:\/\/127\.0\.0\.1:\d+\/postgres\n/);
    expect(stdout).toMatch(/\n +Servers +\S+, 127\.0\.0\.1:\d+\n/);
    expect(await topup('db', 'status', '--check')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('pg_amcheck'),
    });
  });

  it('reports whether a server delivers the due orders', async () => {
    const { whoDelivers } = await import('../src/store/open.ts');
    const deliveredOn = (address: string) =>
      whoDelivers({ address: { kind: 'postgres', url: address } }, 'it');
    expect(await deliveredOn(url)).toBe('The running server delivers it.');
    const unserved = await database.newSchema();
    const store = openStore({ kind: 'postgres', url: unserved });
    await store.readMode();
    await store.close();
    expect(await deliveredOn(unserved)).toMatch(/^No server runs on this store/);
  });

  it('checks the database and its pending work', async () => {
    const store = openStore({ kind: 'postgres', url });
    await store.addReconciliation({
      reconciliationId: 'rec-1',
      orderId: null,
      reference: 'nobody',
      amount: 5_000,
      fee: null,
      paidAt: 1,
      noticedAt: 1,
      reason: 'unknown',
      state: 'open',
      note: null,
      closedAt: null,
      closedBy: null,
    });
    await store.close();
    const { checks } = JSON.parse((await topup('doctor', '--json')).stdout);
    expect(checks).toContainEqual({
      name: 'store',
      state: 'ok',
      found: expect.stringMatching(
        /^postgres:.* responds: 1 order, no key in addition to the well-known one; a server runs on it$/,
      ),
      fix: null,
    });
    expect(checks).toContainEqual(
      expect.objectContaining({ name: 'money', state: 'failed', found: expect.stringContaining('rec-1') }),
    );
  });

  it('completes names that are in the database', async () => {
    const offered = async (...words: string[]) =>
      (await topup('__complete', 'fish', ...words)).stdout.split('\n').map((line) => line.split('\t')[0]);
    expect(await offered('promos', 'disable', 'TE')).toContain('TEN');
    expect(await offered('orders', 'show', 'INV-')).toEqual([expect.stringMatching(/^INV-\d+-\w+$/), '']);
  });

  it('reads the address from the file in TOPUP_STORE_FILE, as the server does', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'address');
    await writeFile(file, `${url}\n`);
    const environment = { TOPUP_STORE_FILE: file };
    expect((await run(['orders', 'list', '-q'], { environment })).stdout).toMatch(/^INV-/);
    const missing = { TOPUP_STORE_FILE: join(folder.path, 'missing') };
    const { code, stderr } = await run(['orders', 'list'], { environment: missing });
    expect([code, stderr.split('\n')[0]]).toEqual([
      2,
      `Error: TOPUP_STORE_FILE names ${missing.TOPUP_STORE_FILE}, which can't be read.`,
    ]);
  });

  it("never shows the database's password", async () => {
    const secret = `postgres://topup:pass%40word@127.0.0.1:${await freePort()}/shop`;
    const environment = { TOPUP_STORE: secret };
    const ran = [
      await run(['config', 'list'], { environment }),
      await run(['config', 'get', 'store'], { environment }),
      await run(['keys', 'list'], { environment }),
      await run(['keys', 'list', '--store', secret]),
      await run(['keys', 'list', '--store', secret.replace('postgres:', 'postgre:')]),
      await run(['serve', '--sandbox', '--port', '0'], { environment }),
      await run(['backup', 'x'], { environment }),
      await run(['doctor'], { environment }),
      await run(['db', 'status'], { environment }),
      await run(['db', 'copy', '--from', secret, '--to', 'file:/nowhere/x.db']),
    ];
    for (const { stdout, stderr } of ran) expect(stdout + stderr).not.toMatch(/pass(%40|@)word/);
    for (const index of [2, 3, 5])
      expect(ran[index]).toMatchObject({
        code: 5,
        stderr: expect.stringMatching(
          /^Error: PostgreSQL at [\w.:/]+ can't be reached \(ECONNREFUSED\)\.\nCheck that it runs, and that TOPUP_STORE \(or --store\) names it\.\n$/,
        ),
      });
  });
});
