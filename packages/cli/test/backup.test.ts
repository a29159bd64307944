import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createSqliteStore, lockForServer, verifyBackup } from '@topup-kit/server/internal';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { migrations } from '../../server/src/sqlite/migrate.ts';
import { formats, keptStore } from '../../server/test/formats/formats.ts';
import { fixtureOrder } from './helpers/order.ts';
import { ownStore } from './helpers/own-store.ts';
import { openTerminal } from './helpers/pseudo-terminal.ts';
import { run } from './helpers/run.ts';
import { withoutTimes } from './helpers/screens.ts';
import { startSandbox } from './helpers/servers.ts';

let file: string;
const own = ownStore();
beforeEach(() => {
  file = own.fileIn('friday.db');
});

const topup = (...args: string[]) => run(args, { environment: { TOPUP_STORE: own.url } });

/** Replaces what differs between runs. */
const steady = (text: string): string =>
  withoutTimes(text)
    .replaceAll(own.folder, '<folder>')
    .replaceAll(/before-\w+/g, 'before-<time>')
    .replaceAll(/\d+(\.\d)? kB/g, '<size>')
    .replaceAll(/pid \d+/g, 'pid <pid>');

/** The store of a sandbox with this many orders. */
async function storeWith(orders: number): Promise<void> {
  await using server = await startSandbox(own.url);
  for (let count = 0; count < orders; count += 1) await run([...fixtureOrder, '--base-url', server.baseUrl]);
}

/** A store with two orders, and a backup from when it had one. */
async function storeAndBackup(): Promise<void> {
  await storeWith(1);
  expect(await topup('backup', file)).toMatchObject({ code: 0 });
  await storeWith(1);
}

const ordersOf = async (): Promise<number> => {
  const { stdout } = await topup('db', 'status', '--json');
  return JSON.parse(stdout).orders;
};

describe('backup', () => {
  it.each(['', 'backups/'])('rejects a backup to %j without creating a file', async (file) => {
    expect(await run(['backup', file])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'Error: backup needs the name of the file to write.\n',
    });
  });

  it('backs up next to a running server, and describes the file', async () => {
    await using server = await startSandbox(own.url);
    await run([...fixtureOrder, '--base-url', server.baseUrl]);

    const { code, stdout, stderr } = await topup('backup', file);

    expect(code).toBe(0);
    expect(steady(stdout)).toMatchInlineSnapshot(`
      "  File      <folder>/friday.db
        Size      <size>
        Orders    1
        Newest    <time>
        Keys      0
        Games     34
        Mode      sandbox
      "
    `);
    expect(steady(stderr)).toMatchInlineSnapshot(`
      "
      Backed up and verified: <folder>/topup.db.
      "
    `);
    expect(await verifyBackup(file)).toMatchObject({ orders: 1, sealed: true });
  });

  it("prints one document for a backup under --json, and only the file's name under --quiet", async () => {
    await storeWith(0);

    expect(JSON.parse((await topup('backup', file, '--json')).stdout)).toEqual({
      file,
      store: own.path,
      bytes: readFileSync(file).length,
      recorded: true,
      format_version: migrations.length,
      mode: 'sandbox',
      orders: 0,
      newest_order_at: null,
      keys: 0,
      games: 34,
    });
    expect(await topup('backup', file, '--force', '--quiet')).toEqual({
      code: 0,
      stdout: `${file}\n`,
      stderr: '',
    });
  });

  it('reports that a store of an earlier format did not record its backup, even with --quiet and --json', async () => {
    const format = formats.find(({ name }) => name === 'sqlite-9') ?? expect.fail();
    writeFileSync(own.path, keptStore(format));
    const warning = 'The store could not record this backup';
    const { code, stderr } = await topup('backup', file, '--quiet');
    expect([code, stderr.includes(warning)]).toEqual([0, true]);
    const json = await topup('backup', file, '--force', '--json');
    expect([JSON.parse(json.stdout).recorded, json.stderr.includes(warning)]).toEqual([false, true]);
  });

  it('makes a backup even if TOPUP_OPERATOR is invalid, but rejects an invalid --operator', async () => {
    await storeWith(0);
    const environment = { TOPUP_STORE: own.url, TOPUP_OPERATOR: 'a\nb' };
    const made = await run(['backup', file, '--quiet'], { environment });
    expect([made.code, made.stdout]).toEqual([0, `${file}\n`]);
    expect(made.stderr).toMatch(/^TOPUP_OPERATOR takes a name .* for this backup\.\n$/);
    expect(await run(['backup', file, '--force', '--operator', ''], { environment })).toMatchObject({
      code: 2,
    });
  });

  it('replaces a backup only with --force', async () => {
    await storeWith(0);
    writeFileSync(file, 'last week');

    const rejected = await topup('backup', file);

    expect(rejected).toMatchObject({ code: 6, stdout: '' });
    expect(steady(rejected.stderr)).toMatchInlineSnapshot(`
      "Error: <folder>/friday.db already exists.
      Use another file, or replace it with --force.
      "
    `);
    expect(readFileSync(file, 'utf8')).toBe('last week');
  });

  it('exits with 3 if there is no store to back up', async () => {
    const rejected = await topup('backup', file);

    expect(rejected.code).toBe(3);
    expect(steady(rejected.stderr)).toMatchInlineSnapshot(`
      "Error: There is no file <folder>/topup.db.
      Name the store with --store or TOPUP_STORE.
      "
    `);
    expect(readdirSync(own.folder)).toEqual([]);
  });

  it('exits with 6 for a backup over the store itself', async () => {
    await storeWith(0);

    expect(JSON.parse((await topup('backup', own.path, '--force', '--json')).stdout)).toEqual({
      error: {
        code: 'STORE_IN_USE',
        message: `${own.path} belongs to the store that the backup copies.`,
        hint: 'Use another file for the backup.',
        request_id: null,
        fields: null,
        idempotency_key: null,
      },
    });
  });

  it('leaves no file and exits with 130 when a signal stops a backup', async () => {
    await storeWith(0);

    const environment = { TOPUP_STORE: own.url };
    const stopped = await run(['backup', file], { environment, signal: AbortSignal.abort('SIGINT') });

    expect(stopped).toEqual({ code: 130, stdout: '', stderr: 'Error: Cancelled. Nothing was done.\n' });
    expect(existsSync(file)).toBe(false);
  });
});

describe('restore', () => {
  it('restores a backup, and prints the new path of the former store', async () => {
    await storeAndBackup();

    const { code, stdout, stderr } = await topup('restore', file, '--yes');

    expect(code).toBe(0);
    expect(steady(stdout)).toMatchInlineSnapshot(`
      "  Store     <folder>/topup.db
        Orders    1
        Newest    <time>
        Keys      0
        Games     34
        Mode      sandbox
        Kept      <folder>/topup.db.before-<time>
      "
    `);
    expect(steady(stderr)).toMatchInlineSnapshot(`
      "
      Restored from <folder>/friday.db. The old store is kept at the
      path above. Delete it when you have checked that nothing is missing.
      Verified: 1 order, and all records agree.
      "
    `);
    expect(await ordersOf()).toBe(1);
  });

  it('restores over the files of a killed server or over the log of a lost file, and prints their new path', async () => {
    await storeAndBackup();
    const open = createSqliteStore({ path: own.path });
    onTestFinished(() => open.close());
    const leave = (...suffixes: string[]): void => {
      for (const suffix of suffixes) copyFileSync(own.path + suffix, `${own.path}.left${suffix}`);
    };
    await open.saveDisplay({ currency: 'IDR', timezone: 'Asia/Makassar' });
    const restoreLeft = () => topup('restore', file, '--yes', '--store', `file:${own.path}.left`);

    leave('', '-wal');
    const killed = await restoreLeft();
    expect(killed.code).toBe(0);
    expect(steady(killed.stdout)).toContain(`
  Kept      <folder>/topup.db.left.before-<time>
            <folder>/topup.db.left.before-<time>-wal
`);
    expect(steady(killed.stderr)).toContain(`The old store and its log are kept at
the paths above. Delete them when you have checked that nothing is missing.`);

    rmSync(`${own.path}.left`);
    leave('-wal');
    const lost = await restoreLeft();
    expect(lost.code).toBe(0);
    // A second restore within a second has a name of its own.
    expect(steady(lost.stdout)).toMatch(/^ {2}Kept {6}<folder>\/topup\.db\.left\.before-<time>(-2)?-wal$/m);
    expect(steady(lost.stderr)).toContain('The log of the old store is kept at\nthe path above');
  });

  it('describes a restore and exits with 2 if there is neither --yes nor a terminal', async () => {
    await storeAndBackup();

    const { code, stdout, stderr } = await topup('restore', file);

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(steady(stderr)).toMatchInlineSnapshot(`
      "Error: This needs --yes: A restore puts the backup <folder>/friday.db (orders: 1, newest: <time>) in place of the store <folder>/topup.db (orders: 2, newest: <time>).
      Nothing was done.
      "
    `);
    expect(await ordersOf()).toBe(2);
  });

  it('says that the replaced store is unreadable, not missing, in a restore without --yes', async () => {
    await storeAndBackup();
    writeFileSync(own.path, 'no store');

    const { code, stderr } = await topup('restore', file);

    expect(code).toBe(2);
    expect(steady(stderr)).toContain('in place of the store <folder>/topup.db (unreadable).');
    expect(readFileSync(own.path, 'utf8')).toBe('no store');
  });

  it('shows the store and the backup, and asks before a restore at a terminal', async () => {
    await storeAndBackup();
    const environment = { TOPUP_STORE: own.url, TZ: 'Asia/Jakarta' };
    await using terminal = openTerminal(['restore', file], { columns: 80, environment });

    const asked = steady(await terminal.until('Go on?', 20_000));
    expect(asked).toMatch(/STORE NOW +BACKUP/);
    expect(asked).toMatch(/Orders +2 +1/);
    terminal.type('y');

    expect(await terminal.ended).toBe(0);
    expect(terminal.screen()).toContain('Restored from');
    expect(await ordersOf()).toBe(1);
  }, 30_000);

  it('compares the store and the backup with restore --dry-run, even while a server runs', async () => {
    await storeAndBackup();
    await using _server = await startSandbox(own.url);

    const { code, stdout, stderr } = await topup('restore', file, '--dry-run');

    expect(code).toBe(0);
    expect(steady(stdout)).toMatchInlineSnapshot(`
      "          STORE NOW                 BACKUP
        Orders  2                         1
        Newest  <time>  <time>
        Keys    0                         0
        Games   34                        34
        Mode    sandbox                   sandbox
      "
    `);
    expect(steady(stderr)).toMatchInlineSnapshot(`
      "
      The backup is complete. Nothing was changed.
      A server (pid <pid>) serves the store: stop it before you restore.
      "
    `);
    expect(await ordersOf()).toBe(2);
  });

  it('prints one document for a restore under --json', async () => {
    await storeAndBackup();
    const held = (orders: number) => ({
      format_version: migrations.length,
      mode: 'sandbox',
      orders,
      newest_order_at: expect.stringMatching(/Z$/),
      keys: 0,
      games: 34,
    });

    expect(JSON.parse((await topup('restore', file, '--yes', '--json')).stdout)).toEqual({
      file,
      store: own.path,
      dry_run: false,
      replaced: held(2),
      restored: { bytes: readFileSync(file).length, has_checksum: true, ...held(1) },
      kept_at: expect.stringContaining(`${own.path}.before-`),
      kept_files: [expect.stringContaining(`${own.path}.before-`)],
      open_orders: [],
    });
  });

  it('rejects a restore without a prompt and exits with 6 while a server uses the store', async () => {
    await storeAndBackup();
    const lock = lockForServer(own.path, { pid: 4711, address: '127.0.0.1:4000' });
    onTestFinished(() => lock.release());

    for (const args of [[], ['--yes']]) {
      const rejected = await topup('restore', file, ...args);
      expect(rejected).toMatchObject({ code: 6, stdout: '' });
      expect(rejected.stderr.replaceAll(own.folder, '<folder>')).toBe(
        "Error: A server (pid 4711, 127.0.0.1:4000) serves <folder>/topup.db, so it can't be replaced.\n" +
          'Nothing was changed. Stop the server, restore, and start it again.\n',
      );
    }
  });

  it('keeps the store and exits with 1 when a backup is damaged', async () => {
    await storeAndBackup();
    const bytes = readFileSync(file);
    // In a part of the header that SQLite does not use.
    bytes.write('?', 80);
    writeFileSync(file, bytes);

    const rejected = await topup('restore', file, '--yes');

    expect(rejected.code).toBe(1);
    expect(steady(rejected.stderr)).toMatchInlineSnapshot(`
      "Error: <folder>/friday.db is damaged: its content does not match its checksum.
      Nothing was changed. Use another backup.
      "
    `);
    expect(await ordersOf()).toBe(2);
  });

  it('exits with 3 for a missing backup', async () => {
    await storeWith(0);

    expect(await topup('restore', own.fileIn('none.db'), '--yes')).toEqual({
      code: 3,
      stdout: '',
      stderr: `Error: There is no file ${own.folder}/none.db.\nCheck the name of the backup.\n`,
    });
  });

  it('warns about a backup without a checksum, and about a store of another mode', async () => {
    await storeWith(0);
    renameSync(own.path, file);
    const live = createSqliteStore({ path: own.path });
    await live.claimMode('live');
    await live.close();

    const { stderr } = await topup('restore', file, '--dry-run');

    expect(stderr).toMatchInlineSnapshot(`
      "
      The backup is complete. Nothing was changed.
      The backup has no checksum, so it is a plain copy and not from \`topup backup\`.
      The backup comes from a sandbox store, but the store is a live store.
      "
    `);
  });

  it('restores a backup where no store exists', async () => {
    await storeAndBackup();
    rmSync(own.path);

    const { stdout, stderr } = await topup('restore', file, '--yes');

    expect(steady(stdout)).not.toContain('Kept');
    expect(stderr).toBe(`\nRestored from ${file}.\nVerified: 1 order, and all records agree.\n`);
    expect(await ordersOf()).toBe(1);
  });
});

describe('restore of a store onto itself', () => {
  it.each([['--yes'], ['--dry-run'], ['--no-input']])(
    'rejects the restore of a store onto itself with a useful hint: %s',
    async (flag) => {
      await createSqliteStore({ path: own.path }).close();

      const { code, stderr } = await topup('restore', own.path, flag);

      expect(code).toBe(6);
      expect(steady(stderr)).toBe(
        'Error: <folder>/topup.db belongs to the store that the restore replaces.\nNothing was changed. Give a backup, and with --store the store to replace.\n',
      );
    },
  );
});

it('rejects an empty name for a backup', async () => {
  expect((await topup('backup', '')).code).toBe(2);
});

it('explains how to back up another store that is in use', async () => {
  const other = createSqliteStore({ path: own.fileIn('other.db') });
  await other.claimMode('live');

  const { code, stderr } = await topup('restore', own.fileIn('other.db'), '--yes');
  await other.close();

  expect(code).toBe(6);
  expect(steady(stderr)).toContain(
    'Back it up first.\nNothing was changed. Restore a backup of it instead: see `topup backup --help`.\n',
  );
});
