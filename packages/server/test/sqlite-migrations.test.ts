import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { DatabaseSync } from 'node:sqlite';
import { buyStatuses, paymentStatuses } from '@topup-kit/core/contract';
import { expect, it, onTestFinished } from 'vitest';
import { bundledModule } from '../../../test/shared.ts';
import { another, catalog, order, place, promo, unit } from '../../suites/src/store/fixtures.ts';
import { upgradeStore } from '../src/service/open-store.ts';
import { createSqliteStore, upgradeFile } from '../src/sqlite/index.ts';
import { migrations } from '../src/sqlite/migrate.ts';
import { tempFile } from './helpers/store-file.ts';

function change(path: string, sql: string): void {
  const db = new DatabaseSync(path);
  db.exec(sql);
  db.close();
}

/** Writes a file as an earlier version left it. */
function writeOld(path: string, version: number, rows: string): void {
  const db = new DatabaseSync(path);
  for (const sql of migrations.slice(0, version)) db.exec(sql);
  db.exec(`PRAGMA user_version = ${version}; ${rows}`);
  db.close();
}

const versionOf = (path: string): unknown => {
  const db = new DatabaseSync(path);
  const version = db.prepare('PRAGMA user_version').get()?.user_version;
  db.close();
  return version;
};

it('migrates an empty file to the latest version', async () => {
  const path = tempFile();
  await createSqliteStore({ path }).close();
  expect(versionOf(path)).toBe(migrations.length);
});

it('rejects a file of a newer version, and does not change it', async () => {
  const path = tempFile();
  await createSqliteStore({ path }).close();
  change(path, 'PRAGMA user_version = 99');
  expect(() => createSqliteStore({ path })).toThrow(
    `${path} was written by a newer version of the kit (format 99; this version supports up to ${migrations.length}).`,
  );
  expect(versionOf(path)).toBe(99);
});

it('accepts every order state of the contract', async () => {
  const path = tempFile();
  const store = createSqliteStore({ path });
  onTestFinished(() => store.close());
  for (const [index, paymentStatus] of paymentStatuses.entries())
    await store.placeOrder(place(another(`P${index}`, { paymentStatus })));
  for (const [index, buyStatus] of buyStatuses.entries())
    await store.placeOrder(place(another(`B${index}`, { buyStatus })));
  const unknown = order({ buyStatus: 'Lost' as 'Batal' });
  await expect(store.placeOrder(place(unknown))).rejects.toThrow('CHECK constraint failed');
});

it('keeps the promos of a file that is older than the origin of promos, and adds no origin to withdrawn promos', async () => {
  const path = tempFile();
  writeOld(
    path,
    1,
    `INSERT INTO promos (code, position, definition) VALUES ('TEN', 1, '${JSON.stringify(promo())}');
     INSERT INTO promos (code, used) VALUES ('OLD', 1);`,
  );
  await upgradeFile(path);
  const store = createSqliteStore({ path });
  onTestFinished(() => store.close());

  await store.replaceCatalog(catalog([promo({ code: 'OLD' })]));
  expect((await store.readCatalog())?.promos.map(({ code }) => code)).toEqual(['OLD', 'TEN']);
  await store.replaceCatalog(catalog());
  expect((await store.readCatalog())?.promos.map(({ code }) => code)).toEqual(['TEN']);
});

it('keeps the units of a file that is older than units with an unknown outcome', async () => {
  const path = tempFile();
  writeOld(
    path,
    3,
    `INSERT INTO orders VALUES ('INV-1', 'shop', 11, 1, 2, 0, 3, 'PAID', 'Proses', 12, 44000, 0, 'ref', NULL, NULL, NULL, NULL, '{}');
    INSERT INTO units VALUES ('INV-1', 1, 2, 'asked', 5, 7, NULL, NULL), ('INV-1', 2, 1, 'failed', 5, NULL, NULL, 'R');`,
  );
  await upgradeFile(path);
  const store = createSqliteStore({ path });
  onTestFinished(() => store.close());

  const asked = { attempt: 2, state: 'asked', askedAt: 5, nextAt: 7 } as const;
  const failed = { state: 'failed', askedAt: 5, nextAt: null, reason: 'R' } as const;
  expect(await store.findUnits('INV-1')).toEqual([unit(1, asked), unit(2, failed)]);
  expect(await store.findDueUnits({ now: 7, latest: 7 }, 10)).toEqual([{ orderId: 'INV-1', unit: 1 }]);
});

it('keeps payments to reconcile of a file that is older than payments without an order', async () => {
  const path = tempFile();
  writeOld(
    path,
    4,
    `INSERT INTO reconciliations VALUES ('r-2', 'INV-2', 'ref-2', 2, 10, 20, 'late', 'open', NULL),
       ('r-1', 'INV-1', 'ref-1', 1, 10, 20, 'amount', 'returned', 'by transfer');`,
  );
  await upgradeFile(path);
  const store = createSqliteStore({ path });
  onTestFinished(() => store.close());

  const late = { orderId: 'INV-2', reference: 'ref-2', amount: 2, reason: 'late', state: 'open', note: null };
  const returned = { orderId: 'INV-1', reason: 'amount', state: 'returned', note: 'by transfer' };
  expect(await store.listReconciliations()).toMatchObject([late, returned]);
});

/** Writes a file of format 5, which did not count its orders. */
function writeUncounted(path: string): void {
  const row = (id: string, reserved: 0 | 1, states: string): string =>
    `('${id}', 'shop', 11, 1, 2, ${reserved}, 1, ${states}, 12, 44000, 0, ${reserved ? 'NULL' : `'ref-${id}'`}, NULL, NULL, NULL, NULL, '{}')`;
  writeOld(
    path,
    5,
    `INSERT INTO orders VALUES ${row('A', 0, "'PAID', 'Sukses'")}, ${row('B', 0, "'PAID', 'Sukses'")},
       ${row('C', 0, "'UNPAID', 'Pending'")}, ${row('D', 1, "'UNPAID', 'Pending'")};`,
  );
}

it('counts the orders of a file that is older than the count', async () => {
  const path = tempFile();
  writeUncounted(path);
  await upgradeFile(path);
  const store = createSqliteStore({ path });
  onTestFinished(() => store.close());
  expect(await store.countOrders()).toEqual([
    { paymentStatus: 'PAID', buyStatus: 'Sukses', count: 2 },
    { paymentStatus: 'UNPAID', buyStatus: 'Pending', count: 1 },
  ]);
});

/** Phone numbers as older orders have them, and their normal form. */
const phones: [typed: string, normal: string | null][] = [
  ['081234567890', '6281234567890'],
  ['+62 (0)812-3456-7890', '6281234567890'],
  ['0062 812 3456 7890', '6281234567890'],
  ['62\u00a0812.3456\u20117890', '6281234567890'],
  ['+65 8123 4567', '6581234567'],
  ['\\"0812\t34 \\u0041', '628123400' + '41'],
  ['at noon', null],
  ['00', null],
];

it('adds normal phone numbers to orders that are older than the search by customer, in one transaction', async () => {
  const path = tempFile();
  const row = (id: string, details: string): string =>
    `('${id}', 'shop', 11, 1, 2, 0, 3, 'PAID', 'Proses', 12, 44000, 0, 'ref-${id}', NULL, NULL, NULL, NULL, '${details.replaceAll("'", "''")}')`;
  const rows = phones.map(([whatsapp], index) =>
    row(`INV-${index}`, JSON.stringify({ target: { id: '1' }, contact: { email: null, whatsapp } })),
  );
  writeOld(path, 8, `INSERT INTO orders VALUES ${[...rows, row('INV-empty', '{}')].join(', ')};`);
  await upgradeStore({ kind: 'file', path });
  const db = new DatabaseSync(path);
  onTestFinished(() => db.close());
  expect(
    db
      .prepare('SELECT customer FROM orders ORDER BY order_id')
      .all()
      .map((one) => one.customer),
  ).toEqual([...phones.map(([, normal]) => normal), null]);
});

it('opens an empty file from several processes at once', async () => {
  const module = JSON.stringify(await bundledModule(new URL('../src/sqlite/index.ts', import.meta.url)));
  const path = tempFile();
  const rounds = 12;
  // Each process spins until the same moment, because the critical collision lasts a fraction of a millisecond.
  const script = `
    import { createSqliteStore } from ${module};
    process.stdin.once('data', async (start) => {
      for (let round = 0; round < ${rounds}; round += 1) {
        while (Date.now() < Number(start) + round * 50);
        await createSqliteStore({ path: ${JSON.stringify(path)} + round }).close();
      }
      process.exit(0);
    });
    console.log('ready');`;
  const options = ['--input-type=module-typescript', '--eval', script];
  const children = Array.from({ length: 4 }, () =>
    spawn(process.execPath, options, { stdio: ['pipe', 'pipe', 'inherit'] }),
  );
  onTestFinished(() => {
    for (const child of children) child.kill('SIGKILL');
  });
  await Promise.all(children.map((child) => once(child.stdout, 'data')));
  const exits = children.map((child) => once(child, 'exit'));
  for (const child of children) child.stdin.write(String(Date.now() + 20));
  expect((await Promise.all(exits)).map(([code]) => code)).toEqual([0, 0, 0, 0]);
  for (let round = 0; round < rounds; round += 1) expect(versionOf(path + round)).toBe(migrations.length);
});
