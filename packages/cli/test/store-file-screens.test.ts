import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { copyWords, fileSize } from '../src/commands/database/store-file.ts';
import { converse } from './helpers/converse.ts';
import { fixtureOrder } from './helpers/order.ts';
import { edit, ownStore } from './helpers/own-store.ts';
import { run } from './helpers/run.ts';
import { screensOf, withoutAnyTimes } from './helpers/screens.ts';
import { startSandbox } from './helpers/servers.ts';

const own = ownStore(async (path) => {
  await using server = await startSandbox(`file:${path}`);
  await run([...fixtureOrder, '--base-url', server.baseUrl]);
});

const plain = (text: string): string =>
  withoutAnyTimes(text)
    .replaceAll(own.path, '<store>')
    .replaceAll(`${own.folder}/`, '<file>')
    .replaceAll(/\d+(\.\d)? kB/g, '<n> kB')
    .replaceAll(/\d{8}T\d{6}Z/g, '<stamp>')
    .replaceAll(
      /(ormat (?:\d+ to |\d+ and needs an upgrade to format )?|Format +|supports up to )\d+\b(?=[ ,).:;\n]|$)/gm,
      '$1<n>',
    )
    .replaceAll(/pid \d+/g, 'pid <n>')
    .replaceAll(/127\.0\.0\.1:\d+/g, '<host>');
const options = () => ({ environment: { TOPUP_STORE: own.url } });
const { shown, failing } = screensOf((args) => args, options, plain);
/** What differs from format to format is left out. */
const changing: readonly string[] = ['bytes', 'format_version', 'newest_format'];
const json = async (...args: string[]) =>
  JSON.parse(plain((await run([...args, '--json'], options())).stdout), (name, value) =>
    changing.includes(name) ? '<n>' : value,
  );
const backUp = async (name = 'b.db'): Promise<string> => {
  await run(['backup', own.fileIn(name)], options());
  return own.fileIn(name);
};

describe('backup', () => {
  it('describes the content of a backup', async () => {
    expect(await shown('backup', own.fileIn('b.db'))).toMatchInlineSnapshot(`
      "  File      <file>b.db
        Size      <n> kB
        Orders    1
        Newest    <time>
        Keys      0
        Games     34
        Mode      sandbox

      Backed up and verified: <store>.
      exit 0"
    `);
    expect(await failing('backup', own.fileIn('b.db'))).toMatchInlineSnapshot(`
      "Error: <file>b.db already exists.
      Use another file, or replace it with --force.
      exit 6, FILE_EXISTS"
    `);
    const document = await json('backup', own.fileIn('b.db'), '--force');
    expect(document).toMatchInlineSnapshot(`
      {
        "bytes": "<n>",
        "file": "<file>b.db",
        "format_version": "<n>",
        "games": 34,
        "keys": 0,
        "mode": "sandbox",
        "newest_order_at": "<time>",
        "orders": 1,
        "recorded": true,
        "store": "<store>",
      }
    `);
    expect((await run(['backup', own.fileIn('c.db'), '--quiet'], options())).stdout).toBe(
      `${own.fileIn('c.db')}\n`,
    );
  });

  it.each([[''], ['x/']])('rejects the command backup %j', async (file) => {
    expect(await failing('backup', file)).toBe(
      'Error: backup needs the name of the file to write.\nexit 2, USAGE',
    );
  });

  it("rejects a source or a target that can't be a store or a backup", async () => {
    expect(await failing('backup', own.path)).toMatchInlineSnapshot(`
      "Error: <store> belongs to the store that the backup copies.
      Use another file for the backup.
      exit 6, STORE_IN_USE"
    `);
    expect(await failing('backup', `${own.fileIn('none')}/b.db`)).toMatchInlineSnapshot(`
      "Error: There is no folder <file>none.
      Create the folder, or name a file in another folder.
      exit 3, NOT_FOUND"
    `);
    expect(
      await failing('backup', own.fileIn('b.db'), '--store', `file:${own.fileIn('none.db')}`),
    ).toMatchInlineSnapshot(`
      "Error: There is no file <file>none.db.
      Name the store with --store or TOPUP_STORE.
      exit 3, NOT_FOUND"
    `);
    expect(
      await failing('backup', own.fileIn('b.db'), '--store', 'postgres://u:p@db/shop'),
    ).toMatchInlineSnapshot(`
      "Error: This works on a store file, and postgres://db/shop is a PostgreSQL database.
      Use PostgreSQL's own tools: pg_dump, pg_restore and pg_isready.
      exit 2, STORE"
    `);
    mkdirSync(own.fileIn('folder'));
    expect(await failing('backup', own.fileIn('folder'), '--force')).toMatchInlineSnapshot(`
      "Error: <file>folder is a folder, not a file.
      exit 2, STORE_FILE"
    `);
    writeFileSync(own.fileIn('text.db'), 'a text'.repeat(1_000));
    expect(
      await failing('backup', own.fileIn('b.db'), '--store', `file:${own.fileIn('text.db')}`),
    ).toMatchInlineSnapshot(`
      "Error: <file>text.db is not a store of this kit, or it is damaged.
      exit 1, STORE_FILE"
    `);
  });
});

describe('restore', () => {
  it('compares the store and the backup in a dry run', async () => {
    const file = await backUp();
    await run(['keys', 'create', '--name', 'x'], options());
    expect(
      (await shown('restore', file, '--dry-run')).replaceAll(/(?<=\S) {2,}/g, '  '),
    ).toMatchInlineSnapshot(`
      "          STORE NOW  BACKUP
        Orders  1  1
        Newest  <time>  <time>
        Keys  1  0
        Games  34  34
        Mode  sandbox  sandbox

      The backup is complete. Nothing was changed.
      exit 0"
    `);
    expect(await json('restore', file, '--dry-run')).toMatchInlineSnapshot(`
      {
        "dry_run": true,
        "file": "<file>b.db",
        "kept_at": null,
        "kept_files": [],
        "replaced": {
          "format_version": "<n>",
          "games": 34,
          "keys": 1,
          "mode": "sandbox",
          "newest_order_at": "<time>",
          "orders": 1,
        },
        "restored": {
          "bytes": "<n>",
          "format_version": "<n>",
          "games": 34,
          "has_checksum": true,
          "keys": 0,
          "mode": "sandbox",
          "newest_order_at": "<time>",
          "orders": 1,
        },
        "store": "<store>",
      }
    `);
    expect(await failing('restore', file)).toMatchInlineSnapshot(`
      "Error: This needs --yes: A restore puts the backup <file>b.db (orders: 1, newest: <time>) in place of the store <store> (orders: 1, newest: <time>).
      Nothing was done.
      exit 2, USAGE"
    `);
  });

  it('restores the backup, and keeps the former store', async () => {
    const file = await backUp();
    expect(await shown('restore', file, '--yes')).toMatchInlineSnapshot(`
      "  Store     <store>
        Orders    1
        Newest    <time>
        Keys      0
        Games     34
        Mode      sandbox
        Kept      <store>.before-<stamp>

      Restored from <file>b.db. The old store is kept at the
      path above. Delete it when you have checked that nothing is missing.
      Verified: 1 order, and all records agree.
      exit 0"
    `);
  });

  it('restores a backup where no store exists, or over a damaged file', async () => {
    const file = await backUp();
    const none = `file:${own.fileIn('none.db')}`;
    expect(await shown('restore', file, '--dry-run', '--store', none)).toMatchInlineSnapshot(`
      "          STORE NOW  BACKUP
        Orders  nothing    1
        Newest  nothing    <time>
        Keys    nothing    0
        Games   nothing    34
        Mode    nothing    sandbox

      The backup is complete. Nothing was changed.
      exit 0"
    `);
    expect(await failing('restore', file, '--store', none)).toMatchInlineSnapshot(`
      "Error: This needs --yes: A restore puts the backup <file>b.db (orders: 1, newest: <time>) in place of <file>none.db, where there is no store.
      Nothing was done.
      exit 2, USAGE"
    `);
    const document = await json('restore', file, '--yes', '--store', none);
    expect(document).toMatchInlineSnapshot(`
      {
        "dry_run": false,
        "file": "<file>b.db",
        "kept_at": null,
        "kept_files": [],
        "open_orders": [],
        "replaced": null,
        "restored": {
          "bytes": "<n>",
          "format_version": "<n>",
          "games": 34,
          "has_checksum": true,
          "keys": 0,
          "mode": "sandbox",
          "newest_order_at": "<time>",
          "orders": 1,
        },
        "store": "<file>none.db",
      }
    `);
    writeFileSync(own.fileIn('text.db'), 'a text'.repeat(1_000));
    const text = `file:${own.fileIn('text.db')}`;
    expect(await shown('restore', file, '--dry-run', '--store', text)).toMatchInlineSnapshot(`
      "          STORE NOW   BACKUP
        Orders  unreadable  1
        Newest  unreadable  <time>
        Keys    unreadable  0
        Games   unreadable  34
        Mode    unreadable  sandbox

      The backup is complete. Nothing was changed.
      exit 0"
    `);
    expect(await failing('restore', file, '--store', text)).toMatchInlineSnapshot(`
      "Error: This needs --yes: A restore puts the backup <file>b.db (orders: 1, newest: <time>) in place of the store <file>text.db (unreadable).
      Nothing was done.
      exit 2, USAGE"
    `);
    writeFileSync(own.fileIn('log.db-wal'), 'left');
    expect(await failing('restore', file, '--store', `file:${own.fileIn('log.db')}`)).toContain(
      'in place of the store <file>log.db (unreadable).',
    );
  });

  it('warns about a plain copy, and about a store of another mode', async () => {
    const file = await backUp();
    copyFileSync(own.path, own.fileIn('copy.db'));
    expect(await shown('restore', own.fileIn('copy.db'), '--dry-run')).toContain(
      'The backup has no checksum, so it is a plain copy and not from `topup backup`.\n',
    );
    const live = `file:${own.fileIn('live.db')}`;
    await run(['keys', 'create', '--name', 'x', '--mode', 'live', '--store', live]);
    expect(await shown('restore', file, '--dry-run', '--store', live)).toContain(
      'The backup comes from a sandbox store, but the store is a live store.\n',
    );
    const asked = await converse(['restore', own.fileIn('copy.db'), '--store', live], [['Go on?', 'n']]);
    expect(asked.code).toBe(1);
    expect(asked.stderr).toMatch(
      /STORE NOW +BACKUP\n[\s\S]*it is a plain copy and not from `topup backup`\.\nThe backup comes from a sandbox store/,
    );
  });

  it("rejects files that can't be restored", async () => {
    const file = await backUp();
    expect(await failing('restore', own.fileIn('none.db'), '--yes')).toMatchInlineSnapshot(`
      "Error: There is no file <file>none.db.
      Check the name of the backup.
      exit 3, NOT_FOUND"
    `);
    expect(await failing('restore', own.path, '--yes')).toMatchInlineSnapshot(`
      "Error: <store> belongs to the store that the restore replaces.
      Nothing was changed. Give a backup, and with --store the store to replace.
      exit 6, STORE_IN_USE"
    `);
    writeFileSync(own.fileIn('text.db'), 'a text'.repeat(1_000));
    expect(await failing('restore', own.fileIn('text.db'), '--yes')).toMatchInlineSnapshot(`
      "Error: <file>text.db is not a store of this kit, or it is damaged.
      Nothing was changed. Check the names of the backup and of the store.
      exit 1, STORE_FILE"
    `);
    edit(own.fileIn('b.db'), 'PRAGMA user_version = 999');
    expect(await failing('restore', file, '--yes')).toMatchInlineSnapshot(`
      "Error: <file>b.db was written by a newer version of the kit (format <n>; this version supports up to <n>).
      Update topup first: it must be at least as new as the version that wrote the store.
      exit 1, STORE_FILE"
    `);
    await using server = await startSandbox(own.url);
    expect(server.baseUrl).not.toBe('');
    await run(['backup', own.fileIn('s.db')], options());
    expect(await failing('restore', own.fileIn('s.db'), '--yes')).toMatchInlineSnapshot(`
      "Error: A server (pid <n>, <host>) serves <store>, so it can't be replaced.
      Nothing was changed. Stop the server, restore, and start it again.
      exit 6, STORE_SERVED"
    `);
    expect(await shown('restore', own.fileIn('s.db'), '--dry-run')).toContain(
      'A server (pid <n>) serves the store: stop it before you restore.\n',
    );
    expect(await shown('db', 'status')).toMatch(/Server {4}pid <n>, <host>\n/);
  });
});

describe('db upgrade and db copy', () => {
  it('leaves a store of the newest format unchanged', async () => {
    expect(await shown('db', 'upgrade')).toMatchInlineSnapshot(`
      "  Store     <store>
        Format    the newest already
      exit 0"
    `);
    expect(await json('db', 'upgrade')).toMatchInlineSnapshot(`
      {
        "from_format": null,
        "kept_at": null,
        "store": "<store>",
        "to_format": null,
        "upgraded": false,
      }
    `);
  });

  it('rejects a file that is not a store', async () => {
    expect(await failing('db', 'upgrade', '--store', `file:${own.fileIn('none.db')}`)).toMatchInlineSnapshot(`
      "Error: There is no file <file>none.db.
      Use another store with --store or TOPUP_STORE.
      exit 3, NOT_FOUND"
    `);
    edit(own.path, 'PRAGMA user_version = 999');
    expect(await failing('db', 'upgrade')).toMatchInlineSnapshot(`
      "Error: <store> was written by a newer version of the kit (format <n>; this version supports up to <n>).
      Update topup first: it must be at least as new as the version that wrote the store.
      exit 1, STORE_FILE"
    `);
    expect(await failing('db', 'status')).toMatchInlineSnapshot(`
      "Error: <store> was written by a newer version of the kit (format <n>; this version supports up to <n>).
      Update topup first: it must be at least as new as the version that wrote the store.
      exit 1, STORE_FILE"
    `);
    edit(own.path, 'PRAGMA user_version = 2');
    expect(await failing('keys', 'list')).toMatchInlineSnapshot(`
      "Error: <store> has format 2 and needs an upgrade to format <n>: topup db upgrade --store file:<store>
      Stop its server first. The command first copies the file.
      A server of this version does the same when it starts.
      exit 6, NEEDS_UPGRADE"
    `);
  });

  it('copies between a file and a database', async () => {
    expect(await failing('db', 'copy')).toMatchInlineSnapshot(`
      "Error: db copy needs the other store: --from, --to or both.
      exit 2, USAGE"
    `);
    expect(await failing('db', 'copy', '--to', `file:${own.fileIn('c.db')}`)).toMatchInlineSnapshot(`
      "Error: Both are store files: db copy moves a store from a file to PostgreSQL, or back.
      Use backup and restore.
      exit 2, USAGE"
    `);
    expect(
      await failing('db', 'copy', '--from', 'postgres://a/b', '--to', 'postgres://a/c'),
    ).toMatchInlineSnapshot(`
      "Error: Both are PostgreSQL databases: db copy moves a store from a file to PostgreSQL, or back.
      Use pg_dump and pg_restore.
      exit 2, USAGE"
    `);
    expect(
      await failing(
        'db',
        'copy',
        '--from',
        `file:${own.fileIn('none.db')}`,
        '--to',
        'postgres://127.0.0.1:1/shop',
      ),
    ).toMatchInlineSnapshot(`
      "Error: There is no file <file>none.db.
      Check the name of the store with --from.
      exit 3, NOT_FOUND"
    `);
    expect(await failing('db', 'copy', '--to', 'postgres://127.0.0.1:1/shop')).toMatchInlineSnapshot(`
      "Error: PostgreSQL at <host>/shop can't be reached (ECONNREFUSED).
      Check that it runs, and that TOPUP_STORE (or --store) names it.
      exit 5, STORE"
    `);
  });
});

describe('sizes and progress', () => {
  it.each([
    [0, '0 byte'],
    [999, '999 byte'],
    [1_000, '1 kB'],
    [1_250_000, '1.3 MB'],
    [2_000_000_000, '2 GB'],
    [3e15, '3,000 TB'],
  ])('shows %d bytes as %s', (bytes, words) => {
    expect(fileSize(bytes)).toBe(words);
  });

  it('shows progress in whole percent', () => {
    expect(copyWords({ step: 'copying', done: 999, total: 1_000 })).toBe('Copying, 99 %');
    expect(copyWords({ step: 'verifying' } as Parameters<typeof copyWords>[0])).toBe('Verifying'); // Safe: the code reads only these parts.
  });
});
