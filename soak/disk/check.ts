import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { openDatabase } from '../../packages/server/src/sqlite/open-database.ts';
import { storeOver } from '../../packages/server/src/sqlite/sqlite-store.ts';
import { place } from '../../packages/suites/src/store/fixtures.ts';
import { type Dump, dump } from './dump.ts';
import { orderNumber } from './orders.ts';

/** Returns the problem of the files that a store left; null if there is none. */
export type Check = (
  files: ReadonlyMap<string, Uint8Array>,
  /** Content at each commit, and the number of the last acknowledged commit. */
  expected: { dumps: readonly Dump[]; acknowledged: number },
) => Promise<string | null>;

function damageOf(db: DatabaseSync): string | null {
  const [first] = db.prepare('PRAGMA integrity_check').all();
  if (first?.integrity_check !== 'ok') return `integrity_check says: ${first?.integrity_check}`;
  const [foreign] = db.prepare('PRAGMA foreign_key_check').all();
  return foreign ? `a row of ${foreign.table} belongs to none of ${foreign.parent}` : null;
}

function lossOf(found: Dump, dumps: readonly Dump[], acknowledged: number): string | null {
  const commit = dumps.findLastIndex(({ hash }) => hash === found.hash);
  if (commit >= acknowledged) return null;
  if (commit === -1) return 'what is stored is not what any commit stored: a part of one is there';
  const lost = dumps[acknowledged]?.orders.filter((orderId) => !found.orders.includes(orderId));
  return `commit ${acknowledged} was acknowledged, but all after commit ${commit} is lost: ${lost?.join(', ') || 'changes of orders'}`;
}

/**
 * Creates a check with the real store and Node's SQLite: the store opens, it is not damaged, its content is that of a commit that is not
 * older than the last acknowledged one, and it accepts another order.
 */
export function createCheck(): Disposable & { check: Check } {
  // Uses a disk in memory if there is one, because these files are read only once.
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'topup-states-'));
  const path = join(folder, 'topup.db');
  let count = 0;

  async function inspect({ dumps, acknowledged }: Parameters<Check>[1]): Promise<string | null> {
    const db = openDatabase(path);
    try {
      const wrong = damageOf(db) ?? lossOf(dump(db), dumps, acknowledged);
      if (wrong !== null) return wrong;
      count += 1;
      await storeOver(db, { path }).placeOrder(place(orderNumber(1_000_000 + count)));
      return null;
    } finally {
      if (db.isOpen) db.close();
    }
  }

  return {
    async check(files, expected) {
      for (const name of ['topup.db', 'topup.db-wal', 'topup.db-shm', 'topup.db-journal'])
        rmSync(join(folder, name), { force: true });
      for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes);
      try {
        return await inspect(expected);
      } catch (error) {
        return `the store can't be used: ${error instanceof Error ? error.message : error}`;
      }
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}
