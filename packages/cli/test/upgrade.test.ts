import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createSqliteStore, lockForServer, openStore } from '@topup-kit/server/internal';
import { describe, expect, it, onTestFinished } from 'vitest';
import { newestFormat } from '../../server/src/postgres/migrate.ts';
import { migrations } from '../../server/src/sqlite/migrate.ts';
import { restoreDatabase } from '../../server/test/formats/database-dump.ts';
import { formats, keptStore } from '../../server/test/formats/formats.ts';
import { connectTo } from '../../server/test/helpers/postgres.ts';
import { usePostgres } from '../../server/test/helpers/shared-postgres.ts';
import { ownStore } from './helpers/own-store.ts';
import { run } from './helpers/run.ts';

const database = usePostgres();
const own = ownStore();

const newest = migrations.length;

function keptBytes(name: string): Buffer {
  const format = formats.find((one) => one.name === name);
  if (!format) throw new Error(`no form ${name}`);
  return keptStore(format);
}

/** The store of a sandbox as the format before the newest left it. */
function oldStore(): Buffer {
  const bytes = keptBytes('sqlite-8');
  writeFileSync(own.path, bytes);
  return bytes;
}

const topup = (...args: string[]) => run(args, { environment: { TOPUP_STORE: own.url } });

const steady = (text: string): string =>
  text.replaceAll(own.folder, '<folder>').replaceAll(/format-8-\w+/g, 'format-8-<time>');

const isUntouched = (bytes: Buffer): boolean => readFileSync(own.path).equals(bytes);

describe('a store of an older format', () => {
  const commands = [
    'orders list',
    'orders show INV-1 --history',
    'orders retry INV-1 --yes',
    'orders abandon INV-1 --note none --yes',
    'payments list',
    'keys list',
    'keys create --name till',
    'keys revoke key_1 --yes',
    'promos list',
    'promos disable RAMADAN10',
    'catalog export',
    'callbacks list',
    'callbacks replay cb_1',
  ];
  it.each(commands)(
    'rejects `%s` without changing the store, explains the next step, and exits with 6',
    async (command) => {
      const bytes = oldStore();
      expect(await topup(...command.split(' '))).toEqual({
        code: 6,
        stdout: '',
        stderr: `Error: ${own.path} has format 8 and needs an upgrade to format ${newest}: topup db upgrade --store file:${own.path}
Stop its server first. The command first copies the file.
A server of this version does the same when it starts.
`,
      });
      expect(isUntouched(bytes)).toBe(true);
    },
  );

  it('has a separate error code for programs', async () => {
    oldStore();
    const { stdout } = await topup('keys', 'list', '--json');
    expect(JSON.parse(stdout).error).toMatchObject({ code: 'NEEDS_UPGRADE' });
  });

  it('shows as much of an old store as possible in `db status`, and reports the store in `doctor`', async () => {
    const bytes = oldStore();
    const { code, stdout, stderr } = await topup('db', 'status');
    expect(code).toBe(0);
    expect(steady(stdout).replaceAll(/\d+ \w+ \d{4}, .*/g, '<time>')).toBe(`  File      <folder>/topup.db
  Format    8 of ${newest}
  Mode      sandbox
  Server    none runs on it
  Keys      2
  Games     1
  Orders    6
  Newest    <time>
`);
    expect(steady(stderr)).toContain('  topup db upgrade\n');
    const { stdout: json } = await topup('db', 'status', '--json');
    expect(JSON.parse(json)).toMatchObject({
      format_version: 8,
      newest_format: newest,
      orders: 6,
      server: null,
    });
    const { stdout: found } = await topup('doctor', '--json');
    const { checks } = JSON.parse(found);
    const check = checks.find(({ name }: { name: string }) => name === 'store');
    expect(check).toMatchObject({ state: 'failed', found: expect.stringContaining('needs an upgrade') });
    expect(isUntouched(bytes)).toBe(true);
  });

  it('backs up an old store unchanged, and copies it to PostgreSQL only after an upgrade', async () => {
    const bytes = oldStore();
    expect(await topup('backup', own.fileIn('friday.db'))).toMatchObject({ code: 0 });
    const url = await database.newSchema();
    expect(await run(['db', 'copy', '--from', own.url, '--to', url])).toMatchObject({ code: 6 });
    expect(isUntouched(bytes)).toBe(true);
  });
});

describe('db upgrade', () => {
  it('upgrades a store to the newest format, and prints the path of the old store', async () => {
    oldStore();
    const { code, stdout, stderr } = await topup('db', 'upgrade');
    expect(code).toBe(0);
    expect(steady(stdout)).toBe(`  Store     <folder>/topup.db
  Format    ${newest}, was 8
  Kept      <folder>/topup.db.format-8-<time>
`);
    expect(steady(stderr)).toBe(
      '\nUpgraded. The previous version can restore the copy at the path above. Delete it\nwhen you have checked that nothing is missing.\nVerified: 6 orders, and all records agree.\n',
    );
    expect(await topup('keys', 'list')).toMatchObject({ code: 0 });
  });

  it('prints one document under --json, even if nothing changed', async () => {
    oldStore();
    const upgrade = async () => JSON.parse((await topup('db', 'upgrade', '--json')).stdout);
    expect(await upgrade()).toEqual({
      ...{ store: own.path, upgraded: true, from_format: 8, to_format: newest },
      kept_at: expect.stringContaining(`${own.path}.format-8-`),
    });
    expect(await upgrade()).toEqual({
      ...{ store: own.path, upgraded: false, from_format: null, to_format: null, kept_at: null },
    });
  });

  it('exits with 3 without a store, and creates none', async () => {
    expect(await topup('db', 'upgrade')).toMatchObject({ code: 3, stdout: '' });
    expect(readdirSync(own.folder)).toEqual([]);
  });

  it('exits with 6 while a server uses the store', async () => {
    const bytes = oldStore();
    const lock = lockForServer(own.path, { pid: 4711, address: '127.0.0.1:4000' });
    onTestFinished(() => lock.release());
    const { code, stderr } = await topup('db', 'upgrade');
    expect(code).toBe(6);
    expect(stderr).toContain('Another server (pid 4711, 127.0.0.1:4000) already serves');
    expect(stderr).toContain('Stop the server, upgrade the store, and start this version of the server.');
    expect(isUntouched(bytes)).toBe(true);
  });

  it("exits with 2 if the environment sets another mode, and uses the store's mode if no mode is set", async () => {
    const bytes = oldStore();
    const environment = { TOPUP_STORE: own.url, TOPUP_MODE: 'live' };
    const rejected = await run(['db', 'upgrade'], { environment });
    expect(rejected.code).toBe(2);
    expect(rejected.stderr).toContain("The store belongs to a sandbox server and can't serve live mode");
    expect(isUntouched(bytes)).toBe(true);
  });

  it('asks for confirmation before it upgrades a database, and explains how to copy the database', async () => {
    const url = await database.newSchema();
    {
      await using sql = connectTo(url);
      await restoreDatabase(keptBytes('postgres-3'), sql);
    }
    const upgrade = (...args: string[]) => run(['db', 'upgrade', '--store', url, ...args]);

    const asked = await upgrade();
    expect(asked.code).toBe(2);
    expect(asked.stderr).toMatch(
      /This needs --yes: An upgrade of .* from format 3 to \d+ can't be undone, and makes no copy. To make a copy: pg_dump --format custom --file topup-format-3\.dump URL\./,
    );
    expect(asked.stderr).toContain(`from format 3 to ${newestFormat} `);
    const rejected = await run(['keys', 'list', '--store', url]);
    expect(rejected).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('Make a backup with pg_dump first.'),
    });
    expect((await run(['db', 'status', '--store', url])).stdout).toContain(
      `  Format    3 of ${newestFormat}\n`,
    );

    const { code, stdout } = await upgrade('--yes');
    expect(code).toBe(0);
    expect(stdout).toContain(`  Format    ${newestFormat}, was 3\n`);
    expect((await upgrade()).code).toBe(0);
    const store = openStore({ kind: 'postgres', url });
    expect(await store.readMode()).toBe('sandbox');
    await store.close();
  });
});

it('creates a new store in the newest format', async () => {
  await createSqliteStore({ path: own.path }).close();
  expect(await topup('db', 'upgrade')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('the newest already'),
  });
});
