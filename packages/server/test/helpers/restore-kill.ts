import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { bundled } from '../../../../test/shared.ts';
import { backUpStore, restoreStore } from '../../src/sqlite/index.ts';
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
