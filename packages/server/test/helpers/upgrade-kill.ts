import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { upgradeStore } from '../../src/service/open-store.ts';
import { migrations } from '../../src/sqlite/migrate.ts';
import { type Format, keptStore } from '../formats/formats.ts';
import { comparable, rowsOf, schemaOf } from '../formats/rows.ts';
import { query } from './store-file.ts';

/** A store of a form, and what it is compared with after its upgrade was killed. */
export interface Killed {
  format: Format;
  folder: string;
  /** The program that upgrades a store, see `upgrade.ts`. */
  program: string;
  /** The tables of a new store. */
  fresh: readonly string[];
}

/** Starts an upgrade, and resolves when it has ended; `kill` may end it. */
export async function runUpgrade(
  { program }: Pick<Killed, 'program'>,
  store: string,
  {
    nodeOptions = [],
    environment = {},
    kill,
  }: {
    nodeOptions?: readonly string[];
    environment?: Record<string, string>;
    kill?: (child: ReturnType<typeof spawn>) => unknown;
  } = {},
): Promise<{ wasKilled: boolean; said: string }> {
  const child = spawn(process.execPath, [...nodeOptions, program, store], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  kill?.(child);
  let said = '';
  child.stdout.on('data', (text) => {
    said += text;
  });
  const [, signal] = await once(child, 'close');
  return { wasKilled: signal === 'SIGKILL', said };
}

const mustEqual = (what: string, found: unknown, expected: unknown): void => {
  if (!isDeepStrictEqual(found, expected)) throw new Error(`${what} differ`);
};

/**
 * Kills one upgrade. The store must then be the complete old one or the complete new one, and the next upgrade must end it, with one copy
 * of the old one beside it.
 */
export async function killUpgrade(
  killed: Killed,
  name: string,
  options: Parameters<typeof runUpgrade>[2],
): Promise<{ wasKilled: boolean; left: 'old' | 'new' }> {
  const { format, fresh } = killed;
  const folder = join(killed.folder, name);
  mkdirSync(folder);
  const path = join(folder, 'topup.db');
  writeFileSync(path, keptStore(format));
  const before = rowsOf(path);
  const schema = schemaOf(path);

  const { wasKilled } = await runUpgrade(killed, path, options);

  const [version] = query(path, 'PRAGMA user_version');
  mustEqual('the integrity of the store', query(path, 'PRAGMA integrity_check'), ['ok']);
  const isNew = version === migrations.length;
  if (!isNew) mustEqual('the format of the store', version, format.version);
  mustEqual('the tables of the store', schemaOf(path), isNew ? fresh : schema);
  const rows = isNew ? comparable(before, rowsOf(path)) : { before, after: rowsOf(path) };
  mustEqual('the rows of the store', rows.after, rows.before);

  await upgradeStore({ kind: 'file', path });
  const upgraded = comparable(before, rowsOf(path));
  mustEqual('the rows of the upgraded store', upgraded.after, upgraded.before);
  mustEqual('the tables of the upgraded store', schemaOf(path), fresh);
  const others = readdirSync(folder).filter((file) => !/^topup\.db(\.lock)?$|-(wal|shm)$/.test(file));
  const [copy = ''] = others;
  if (others.length !== 1 || !copy.startsWith(`topup.db.format-${format.version}-`))
    throw new Error(`beside the store are ${others.join(', ')}`);
  mustEqual('the rows of the copy', rowsOf(join(folder, copy)), before);
  mustEqual('the tables of the copy', schemaOf(join(folder, copy)), schema);
  rmSync(folder, { recursive: true });
  return { wasKilled, left: isNew ? 'new' : 'old' };
}
