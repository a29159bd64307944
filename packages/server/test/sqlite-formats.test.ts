import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, it } from 'vitest';
import { createSqliteStore, upgradeStore, verifyStore } from '../src/internal.ts';
import { migrations } from '../src/sqlite/migrate.ts';
import { formats, keptSaid, keptStore } from './formats/formats.ts';
import { pastActivity, pastActivityOf } from './formats/past-activity.ts';
import { comparable, rowsOf, schemaOf } from './formats/rows.ts';
import { ask, serveRecorded } from './formats/speak.ts';
import { query, tempFolder } from './helpers/store-file.ts';

const day = 86_400_000;

/** The tables of a new store. */
let fresh: string[];
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'topup-'));
  const path = join(folder, 'fresh.db');
  await createSqliteStore({ path }).close();
  fresh = schemaOf(path);
  rmSync(folder, { recursive: true });
});

const files = formats.filter(({ engine }) => engine === 'sqlite');

describe.each(files.map((format) => [format.name, format] as const))(
  'a store of the form %s',
  (_, format) => {
    it('upgrades a store with all its rows to the tables of a new store', async () => {
      const folder = tempFolder();
      const path = join(folder, 'topup.db');
      writeFileSync(path, keptStore(format));
      const before = rowsOf(path);

      const upgrade = await upgradeStore({ kind: 'file', path });

      expect(upgrade).toEqual({ from: format.version, to: migrations.length, copy: expect.any(String) });
      const rows = comparable(before, rowsOf(path));
      expect(rows.before.orders).toHaveLength(6);
      expect(rows.after).toEqual(rows.before);
      expect(schemaOf(path)).toEqual(fresh);
      expect(query(path, 'PRAGMA integrity_check')).toEqual(['ok']);
      expect(query(path, 'PRAGMA foreign_key_check')).toEqual([]);
      // The language of a replay, which was in the service's own.
      expect(query(path, 'SELECT DISTINCT locale FROM idempotent_responses WHERE body IS NOT NULL')).toEqual([
        'id',
      ]);
    });

    it('serves all orders of an older store, and replays their bytes', async () => {
      const folder = tempFolder();
      const path = join(folder, 'topup.db');
      writeFileSync(path, keptStore(format));
      const said = keptSaid(format);

      await using server = await serveRecorded(`file:${path}`, said);
      const now = await ask(server.localUrl, said);

      expect(server.upgraded?.from).toBe(format.version);
      expect(now.orders).toEqual(said.orders);
      expect(now.replays).toEqual(said.placed.map(({ response }) => ({ response, isReplay: true })));
      expect({ placed: now.placed, revoked: now.revoked }).toEqual({ placed: 201, revoked: 401 });
      expect((await verifyStore({ kind: 'file', path })).differences).toEqual([]);
    });
  },
);

describe('the idempotency keys of a store of format 19', () => {
  const format = files.find(({ name }) => name === 'sqlite-19');
  if (!format) throw new Error('no such form');

  it.each([4, 29])(
    'replays keys of format 19 for %i days after their orders, byte for byte',
    async (days) => {
      const path = join(tempFolder(), 'topup.db');
      writeFileSync(path, keptStore(format));
      const said = keptSaid(format);
      await using server = await serveRecorded(`file:${path}`, said, days * day);
      const { replays } = await ask(server.localUrl, said);
      expect(replays).toEqual(said.placed.map(({ response }) => ({ response, isReplay: true })));
    },
  );

  it('names the orders of keys from the 30th day on', async () => {
    const path = join(tempFolder(), 'topup.db');
    writeFileSync(path, keptStore(format));
    const said = keptSaid(format);
    await using server = await serveRecorded(`file:${path}`, said, 31 * day);
    const { replays } = await ask(server.localUrl, said);
    expect(replays.map(({ response }) => JSON.parse(response).orderId)).toEqual(
      said.placed.map(({ response }) => JSON.parse(response).orderId),
    );
    expect(replays.map(({ isReplay }) => isReplay)).toEqual(said.placed.map(() => false));
  });
});

it("shows operators' actions from before the upgrade, even with a damaged history", async () => {
  const path = join(tempFolder(), 'topup.db');
  const format = files.find(({ name }) => name === 'sqlite-21');
  if (!format) throw new Error('no such form');
  writeFileSync(path, keptStore(format));
  let orderId: unknown;
  {
    using db = new DatabaseSync(path);
    db.exec(pastActivity);
    orderId = db.prepare('SELECT min(order_id) AS id FROM orders').get()?.id;
    db.exec(`INSERT INTO history (order_id, version, entry) VALUES ('${orderId}', 93, '{"by":"operator"')`);
  }
  await upgradeStore({ kind: 'file', path });
  const store = createSqliteStore({ path });
  const found = await store.listActivity({ limit: 9 });
  await store.close();
  expect(found.map(({ number: _number, ...activity }) => activity)).toEqual(pastActivityOf(orderId));
});

/** Applies the migrations of format 8 as versions of that time did: each in a transaction of its own, until one fails. */
function migrateAsBefore(path: string): number {
  using db = new DatabaseSync(path, { enableForeignKeyConstraints: true });
  let version = Number(db.prepare('PRAGMA user_version').get()?.user_version);
  try {
    for (; version < 8; version += 1) {
      db.exec('BEGIN IMMEDIATE');
      db.exec(`${migrations[version]}; PRAGMA user_version = ${version + 1}`);
      db.exec('COMMIT');
    }
  } catch {
    db.exec('ROLLBACK');
  }
  return version;
}

describe('a store whose format no later version knew', () => {
  it.each(files.filter(({ about }) => about !== '').map((format) => [format.name, format] as const))(
    'upgrades a store of an unknown form after a later version had begun to: %s',
    async (_, format) => {
      const folder = tempFolder();
      const path = join(folder, 'topup.db');
      writeFileSync(path, keptStore(format));
      const before = rowsOf(path);
      // The first form has no units to copy, so that its upgrade ended in the middle.
      expect(migrateAsBefore(path)).toBe(format.name === 'sqlite-1a' ? 3 : 8);

      await upgradeStore({ kind: 'file', path });

      const rows = comparable(before, rowsOf(path));
      // Promos got an origin meanwhile, and nothing else changed.
      expect(rows.after).toEqual(rows.before);
      expect(schemaOf(path)).toEqual(fresh);
    },
  );

  it("keeps a store's callbacks whose columns had another sequence", async () => {
    const path = join(tempFolder(), 'topup.db');
    const format = files.find(({ name }) => name === 'sqlite-5a');
    if (!format) throw new Error('no such form');
    writeFileSync(path, keptStore(format));
    {
      using db = new DatabaseSync(path);
      db.prepare('INSERT INTO callbacks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)').run(
        ...['cb_1', 'tripay', 1, '192.0.2.1', '{"a":"b"}', Buffer.from('body'), 'applied', null],
        ...['INV-1', 2, 3, 1],
      );
    }
    await upgradeStore({ kind: 'file', path });
    const store = createSqliteStore({ path });
    const found = await store.findCallback('cb_1');
    await store.close();
    expect(found).toEqual({
      ...{ callbackId: 'cb_1', provider: 'tripay', receivedAt: 1, address: '192.0.2.1', headers: { a: 'b' } },
      ...{
        body: new Uint8Array(Buffer.from('body')),
        outcome: 'applied',
        sentBytes: null,
        reason: null,
        orderId: 'INV-1',
      },
      ...{ handledAt: 2, attempts: 3, replay: true },
    });
  });
});
