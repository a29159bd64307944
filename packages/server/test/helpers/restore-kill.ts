import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { bundled } from '../../../../test/shared.ts';
import {
  backUpStore,
  createSqliteStore,
  lockForServer,
  restoreStore,
  StoreFileError,
} from '../../src/sqlite/index.ts';
import { countOrders, makeStore, openedStore, query, tempFolder } from './store-file.ts';

const killAt = new URL('kill-at.ts', import.meta.url).href;
const program = await bundled(new URL('restore.ts', import.meta.url));

/** Restores in a process that is killed before its n-th change of the file system. Returns whether it was killed. */
async function restoreUntil(point: number, backup: string, path: string): Promise<boolean> {
  const child = spawn(process.execPath, ['--import', killAt, program, backup, path], {
    env: { PATH: process.env.PATH, KILL_AT: String(point) },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code, signal] = await once(child, 'exit');
  if (signal !== 'SIGKILL') expect(code).toBe(0);
  return signal === 'SIGKILL';
}

interface Left {
  killed: boolean;
  orders: unknown;
  integrity: unknown;
  /** Whether the next restore still works. */
  restored: unknown;
}

async function killedRestore(point: number, root: string): Promise<Left> {
  const folder = join(root, String(point));
  mkdirSync(folder);
  const path = join(folder, 'topup.db');
  // The files of a killed server: some changes are only in the log, which would damage another file.
  for (const suffix of ['', '-wal']) copyFileSync(join(root, `topup.db${suffix}`), path + suffix);
  const backup = join(root, 'backup.db');

  const killed = await restoreUntil(point, backup, path);
  const orders = countOrders(path);
  const [integrity] = query(path, 'PRAGMA integrity_check');
  const kept = readdirSync(folder).filter((name) => /before-\w+$/.test(name));
  for (const name of kept) expect(countOrders(join(folder, name))).toBe(7);
  if (orders === 3) expect(kept).toHaveLength(1);
  await restoreStore(backup, path);
  return { killed, orders, integrity, restored: countOrders(path) };
}

/**
 * Kills restores: the first one before its change `first` of the file system, each next one `step` changes later, until
 * one finishes. Each must leave the complete old store or the complete new one.
 */
export async function expectOldOrNew({ first, step }: { first: number; step: number }): Promise<void> {
  const root = tempFolder();
  await makeStore(join(root, 'source.db'), 3);
  await backUpStore(join(root, 'source.db'), join(root, 'backup.db'));
  await openedStore(join(root, 'topup.db'), 7);

  const found: Left[] = [];
  let point = first;
  do {
    const points = [point, point + step, point + 2 * step, point + 3 * step];
    found.push(...(await Promise.all(points.map((at) => killedRestore(at, root)))));
    point += points.length * step;
  } while (found.at(-1)?.killed);

  const killed = found.filter((left) => left.killed);
  expect(killed.map(({ orders }) => orders)).toContain(7);
  expect(killed.map(({ orders }) => orders)).toContain(3);
  for (const left of found) {
    expect([3, 7]).toContain(left.orders);
    expect(left).toMatchObject({ integrity: 'ok', restored: 3 });
  }
}

/** Whether a server would start on a file, and what it then has; null when it is refused. */
async function ordersOf(path: string): Promise<unknown> {
  try {
    lockForServer(path, { pid: process.pid }).release();
    await createSqliteStore({ path, takeOver: true }).close();
    return countOrders(path);
  } catch (error) {
    if (error instanceof StoreFileError) return null;
    throw error;
  }
}

/**
 * The same over the log of a store whose file is gone: each must leave the backup, or what no server starts on, and keep the log.
 */
export async function expectRefusedOrNew({ first, step }: { first: number; step: number }): Promise<void> {
  const root = tempFolder();
  await makeStore(join(root, 'source.db'), 3);
  const backup = join(root, 'backup.db');
  await backUpStore(join(root, 'source.db'), backup);
  await openedStore(join(root, 'topup.db'), 7);
  const log = readFileSync(join(root, 'topup.db-wal'));

  const found: unknown[] = [];
  let isKilled = true;
  for (let point = first; isKilled; point += step) {
    const folder = join(root, `lost-${point}`);
    mkdirSync(folder);
    const path = join(folder, 'topup.db');
    writeFileSync(`${path}-wal`, log);
    isKilled = await restoreUntil(point, backup, path);
    const files = readdirSync(folder).map((name) => readFileSync(join(folder, name)));
    expect(files.some((file) => file.equals(log))).toBe(true);
    found.push(await ordersOf(path));
    await restoreStore(backup, path);
    expect(countOrders(path)).toBe(3);
  }
  expect(new Set(found)).toEqual(new Set([null, 3]));
}
