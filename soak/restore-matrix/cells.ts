import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  backUpStore,
  createSqliteStore,
  lockForServer,
  type RestoreResult,
  restoreStore,
  StoreFileError,
} from '../../packages/server/src/sqlite/index.ts';
import { orderNumber, placeOrders } from '../../packages/server/test/helpers/store-file.ts';
import { place } from '../../packages/suites/src/store/fixtures.ts';
import { expectSound } from '../sound.ts';

/** Content in place of a file of the store; `left` is the content that its server left, even if there is none. */
export const contents = ['left', 'missing', 'foreign', 'empty'] as const;
export type Content = (typeof contents)[number];

/** State of the store's server when its files were changed. */
export const servers = ['running', 'stopped', 'killed'] as const;

export interface Cell {
  server: (typeof servers)[number];
  main: Content;
  log: Content;
  index: Content;
}

export const nameOf = ({ server, main, log, index }: Cell): string =>
  `server ${server}, file ${main}, log ${log}, index ${index}`;

/** All combinations. */
export const cells: readonly Cell[] = servers.flatMap((server) =>
  contents.flatMap((main) =>
    contents.flatMap((log) => contents.map((index) => ({ server, main, log, index }))),
  ),
);

const suffixes = { main: '', log: '-wal', index: '-shm' } as const;
const files = Object.keys(suffixes) as (keyof typeof suffixes)[]; // Safe: these are the table's keys.

const ordersIn = (path: string): string[] => {
  using db = new DatabaseSync(path);
  return db
    .prepare('SELECT order_id FROM orders ORDER BY created_at')
    .all()
    .map(({ order_id }) => String(order_id));
};

/** Material for the cells: a backup, and files of other programs. */
export interface Workshop {
  folder: string;
  backup: string;
}

const backedUp = ['INV-0', 'INV-1', 'INV-2'];

export async function openWorkshop(folder: string): Promise<Workshop> {
  const program = new DatabaseSync(join(folder, 'foreign'));
  program.exec('CREATE TABLE notes (text); INSERT INTO notes VALUES (zeroblob(9000))');
  program.close();
  const [source, backup] = [join(folder, 'source.db'), join(folder, 'backup.db')];
  const store = createSqliteStore({ path: source });
  await placeOrders(store, 0, backedUp.length);
  await backUpStore(source, backup);
  await store.close();
  // Log and index of another store, with all of its orders.
  const other = createSqliteStore({ path: join(folder, 'open.db') });
  await placeOrders(other, 100, 140);
  for (const file of ['log', 'index'] as const)
    copyFileSync(join(folder, `open.db${suffixes[file]}`), join(folder, `foreign${suffixes[file]}`));
  await other.close();
  return { folder, backup };
}

/** Puts the content of a cell in place of a file. A running server sees this as a change by another program. */
function put({ folder }: Workshop, content: Content, path: string, suffix: string): void {
  const file = path + suffix;
  if (content === 'missing') rmSync(file, { force: true });
  else if (content === 'foreign') {
    rmSync(file, { force: true });
    copyFileSync(join(folder, `foreign${suffix}`), file);
  } else if (content === 'empty') {
    // The index is mapped into memory, and a process whose mapped file is truncated ends immediately.
    if (suffix === suffixes.index) rmSync(file, { force: true });
    writeFileSync(file, '');
  }
}

/** Returns the content to keep, by the path of each file: all of a log, and of a database all after its header, which a lock changes. */
const contentOf = (path: string): Buffer[] =>
  (['main', 'log'] as const).flatMap((file) => {
    const name = path + suffixes[file];
    if (!existsSync(name) || statSync(name).size === 0) return [];
    return [readFileSync(name).subarray(file === 'main' ? 100 : 0)];
  });

/** Creates the files of a store with seven orders, whose server ended as the cell says, or is still running. */
async function serve(path: string, { server }: Cell): Promise<() => Promise<void>> {
  const lock = lockForServer(path, { pid: process.pid, address: 'the server of the cell' });
  const store = createSqliteStore({ path, takeOver: true });
  await placeOrders(store, 0, 7);
  const stop = async (): Promise<void> => {
    await store.close();
    lock.release();
  };
  if (server === 'running') return stop;
  if (server === 'killed')
    for (const file of files) copyFileSync(path + suffixes[file], `${path}.left${suffixes[file]}`);
  await stop();
  if (server === 'killed')
    for (const file of files)
      if (file === 'main') writeFileSync(path, readFileSync(`${path}.left`));
      else copyFileSync(`${path}.left${suffixes[file]}`, path + suffixes[file]);
  return async () => {};
}

const failure = (cell: Cell, what: string): Error => new Error(`${nameOf(cell)}: ${what}`);

async function refusalOf(work: () => Promise<unknown>): Promise<StoreFileError | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (error instanceof StoreFileError) return error;
    throw error;
  }
}

/** Starts a server on the restored store and places an order. The store must contain this order and those of the backup, and no others. */
async function check(cell: Cell, path: string): Promise<void> {
  for (const added of [0, 1]) {
    const lock = lockForServer(path, { pid: process.pid });
    const store = createSqliteStore({ path, takeOver: true });
    await store.placeOrder(place(orderNumber(1_000 + added)));
    await store.close();
    lock.release();
  }
  using db = new DatabaseSync(path);
  const [integrity] = db.prepare('PRAGMA integrity_check').all();
  if (integrity?.integrity_check !== 'ok') throw failure(cell, `damaged: ${integrity?.integrity_check}`);
  const found = ordersIn(path).join();
  if (found !== [...backedUp, 'INV-1000', 'INV-1001'].join())
    throw failure(cell, `the store has the orders ${found}`);
}

/** @throws Error if the restore of a cell results neither in the backup nor in a rejection that changes nothing, or if data is lost. */
export async function judge(workshop: Workshop, cell: Cell): Promise<'restored' | 'refused'> {
  const folder = join(workshop.folder, nameOf(cell).replaceAll(/\W+/g, '-'));
  mkdirSync(folder);
  const path = join(folder, 'topup.db');
  const stop = await serve(path, cell);
  for (const file of files) put(workshop, cell[file], path, suffixes[file]);
  if (cell.server === 'running') {
    const refusal = await refusalOf(() => restoreStore(workshop.backup, path));
    if (refusal?.problem !== 'served_already') throw failure(cell, `not refused: ${refusal?.problem}`);
    await stop();
  }
  const before = contentOf(path);
  let restored: RestoreResult | undefined;
  const refusal = await refusalOf(async () => {
    restored = await restoreStore(workshop.backup, path);
  });
  if (refusal) {
    const isExpected = cell.main === 'foreign' && refusal.problem === 'not_a_store';
    if (!isExpected) throw failure(cell, `refused: ${refusal.message}`);
    if (Buffer.compare(Buffer.concat(before), Buffer.concat(contentOf(path))) !== 0)
      throw failure(cell, 'refused, but changed');
  } else {
    const kept = restored?.kept.map((file) => readFileSync(file)) ?? [];
    for (const bytes of before)
      if (!kept.some((file) => file.equals(bytes) || file.subarray(100).equals(bytes)))
        throw failure(cell, `a file of ${bytes.length} bytes is lost; kept: ${restored?.kept}`);
    await expectSound({ kind: 'file', path });
    await check(cell, path);
  }
  rmSync(folder, { recursive: true });
  return refusal ? 'refused' : 'restored';
}
