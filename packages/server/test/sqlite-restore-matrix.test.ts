import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Cell, judge, nameOf, openWorkshop } from '../../../soak/restore-matrix/cells.ts';
import {
  backUpStore,
  createSqliteStore,
  inspectStore,
  lockForServer,
  readStoreInfo,
  restoreStore,
} from '../src/sqlite/index.ts';
import { send } from './helpers/fleet.ts';
import { startServerProcess } from './helpers/server-process.ts';
import { countOrders, openedStore, query, rejectionOf, tempFolder } from './helpers/store-file.ts';

// `pnpm soak restore-matrix` restores over all states of the three files.
const left = { main: 'left', log: 'left', index: 'left' } as const;
const cells: readonly Cell[] = [
  { ...left, server: 'running', main: 'missing' },
  { ...left, server: 'running', main: 'empty', index: 'missing' },
  { ...left, server: 'stopped', log: 'foreign' },
  { ...left, server: 'stopped', main: 'missing', log: 'foreign', index: 'foreign' },
  { ...left, server: 'stopped', main: 'foreign' },
  { ...left, server: 'killed' },
  { ...left, server: 'killed', main: 'missing' },
  { ...left, server: 'killed', main: 'empty' },
  { ...left, server: 'killed', main: 'foreign', index: 'empty' },
  { ...left, server: 'killed', log: 'foreign', index: 'missing' },
  { server: 'killed', main: 'missing', log: 'missing', index: 'foreign' },
];

it.each(cells.map((cell) => [nameOf(cell), cell] as const))(
  'restores the backup, or rejects it, without losing anything: %s',
  async (_, cell) => {
    const workshop = await openWorkshop(tempFolder());
    // A database of another program is not replaced.
    expect(await judge(workshop, cell)).toBe(cell.main === 'foreign' ? 'refused' : 'restored');
  },
);

it("restores only the backup after a running server's file was deleted", async () => {
  const folder = tempFolder();
  const path = join(folder, 'topup.db');
  const backup = join(folder, 'backup.db');
  const start = () => startServerProcess({ TOPUP_STORE: `file:${path}` });
  const place = async (baseUrl: string): Promise<string> => {
    const sent = await send(baseUrl);
    expect(sent?.status).toBe(201);
    return JSON.parse(sent?.body ?? '').orderId;
  };
  const first = await start();
  const kept = await place(first.baseUrl);
  await backUpStore(path, backup);
  await place(first.baseUrl);
  rmSync(path);
  await first.end('SIGTERM');

  const restored = await restoreStore(backup, path);
  expect(restored).toMatchObject({ orders: 1, former: null });
  // What came after the backup is only there.
  expect(restored.kept.map((file) => file.replace(/\d{8}T\d{6}Z/, 'TIME'))).toEqual([
    `${path}.before-TIME-wal`,
  ]);

  const second = await start();
  const later = await place(second.baseUrl);
  await second.end('SIGTERM');
  expect(query(path, 'SELECT order_id FROM orders ORDER BY created_at')).toEqual([kept, later]);
  expect(query(path, 'PRAGMA integrity_check')).toEqual(['ok']);
});

it('never opens an empty file next to a log, because SQLite would delete the log', async () => {
  const folder = tempFolder();
  const path = join(folder, 'topup.db');
  await openedStore(join(folder, 'open.db'), 7);
  const log = readFileSync(join(folder, 'open.db-wal'));
  writeFileSync(path, '');
  writeFileSync(`${path}-wal`, log);
  const message = `${path} is empty, but its log ${path}-wal exists, and may have orders that are nowhere else.`;

  expect(() => lockForServer(path, { pid: 1 })).toThrow(message);
  expect(() => createSqliteStore({ path })).toThrow(message);
  for (const read of [readStoreInfo(path), inspectStore(path), backUpStore(path, join(folder, 'backup.db'))])
    expect(await rejectionOf(read)).toMatchObject({
      problem: 'missing',
      message: expect.stringContaining(message),
    });

  expect(readFileSync(`${path}-wal`).equals(log)).toBe(true);
  // The file of the log, put back, has them all.
  writeFileSync(path, readFileSync(join(folder, 'open.db')));
  expect(countOrders(path)).toBe(7);
  expect(existsSync(join(folder, 'backup.db'))).toBe(false);
});
