import { createHash } from 'node:crypto';
import type { StoreAddress } from '../config/variable.ts';
import type { Row } from '../rows/columns.ts';
import { openFileSource, openFileTarget } from './file-side.ts';
import { openPostgresSource, openPostgresTarget } from './postgres-side.ts';
import { countRows, insertRows, noteCopySource, readLast, readRows } from './rows.ts';
import { CopyError, type CopySide, type CopySource, type CopyTarget } from './side.ts';
import { allTables, type CopiedTable, largeTables, smallTables } from './tables.ts';

/** Number of rows copied at a time; a stopped copy loses at most this many rows. */
const pageSize = 500;

/** The progress of a copy; `done` and `total` are rows. */
export interface StoreCopyProgress {
  step: 'copying' | 'comparing';
  done: number;
  total: number;
}

export interface StoreCopyOptions {
  /** Deletes an unfinished copy instead of continuing it. */
  restart?: boolean | undefined;
  onProgress?: (progress: StoreCopyProgress) => void;
  /** Stops the work; the promise rejects with the signal's reason, and the next copy continues from there. */
  signal?: AbortSignal | undefined;
}

/** The content of a table, equal in both stores. */
export interface CopiedContent {
  table: string;
  rows: number;
  /** A hash of all values, in hex. */
  sha256: string;
}

export interface CopiedStore {
  tables: CopiedContent[];
  /** True if an earlier copy was continued. */
  resumed: boolean;
}

type CopiedAddress = Exclude<StoreAddress, { kind: 'memory' }>;

/** Reads the rows of a table after a given row, in parts. A small table has one part. */
async function* pagesOf({ read }: CopySide, table: CopiedTable, from: Row | null = null) {
  const limit = smallTables.includes(table) ? Number.MAX_SAFE_INTEGER : pageSize;
  let after = from;
  for (;;) {
    const rows = await read(() => readRows(table, after, limit));
    if (rows.length > 0) yield rows;
    after = rows.at(-1) ?? null;
    if (rows.length < limit) return;
  }
}

/** Prepares a string for comparison: removes NUL characters, which PostgreSQL can't store (see `withoutNul` of its store). */
const canonical = (value: Row[string]): unknown =>
  typeof value === 'string'
    ? value.replaceAll('\0', '\uFFFD')
    : value instanceof Uint8Array
      ? Buffer.from(value).toString('hex')
      : value;

async function contentOf(
  side: CopySide,
  table: CopiedTable,
  note: (rows: number) => void,
): Promise<CopiedContent> {
  const hash = createHash('sha256');
  let rows = 0;
  for await (const page of pagesOf(side, table)) {
    for (const row of page) hash.update(`${JSON.stringify(Object.values(row).map(canonical))}\n`);
    rows += page.length;
    note(page.length);
  }
  return { table: table.name, rows, sha256: hash.digest('hex') };
}

async function copyRows(source: CopySource, target: CopyTarget, note: (rows: number) => void): Promise<void> {
  if (target.begun === null) {
    const small: { table: CopiedTable; rows: Row[] }[] = [];
    for (const table of smallTables)
      for await (const rows of pagesOf(source, table)) small.push({ table, rows });
    // In one transaction, so that only one of two simultaneous copies starts.
    await target.write(function* () {
      yield* target.hide();
      yield* noteCopySource(source.name);
      for (const { table, rows } of small) yield* insertRows(table, rows);
    });
  }
  note(await target.read(countRows));
  for (const table of largeTables) {
    const last = await target.read(() => readLast(table));
    for await (const rows of pagesOf(source, table, last)) {
      await target.write(() => insertRows(table, rows));
      note(rows.length);
    }
  }
}

/** Compares both stores, value by value. Deletes a copy that differs, because it may mix data from different times. */
async function compare(
  source: CopySource,
  target: CopyTarget,
  note: (rows: number) => void,
): Promise<CopiedContent[]> {
  const tables: CopiedContent[] = [];
  for (const table of allTables) {
    const [original, copied] = [await contentOf(source, table, note), await contentOf(target, table, note)];
    if (original.sha256 !== copied.sha256) {
      await target.discard();
      throw new CopyError(
        'changed',
        `The copy differs from ${source.name} in its ${table.name} (${original.rows} rows there, ${copied.rows} copied), because another process wrote to the store during the copy. The copy was deleted.`,
      );
    }
    tables.push(copied);
  }
  return tables;
}

/**
 * Copies a store from a file to PostgreSQL or back, and compares both. The target must be empty, and becomes a store only when the copy is
 * complete. The source stays unchanged. Copying again continues a copy that was stopped.
 *
 * @throws CopyError, StoreFileError or PostgresError, each with a message for the operator.
 * @example
 * await copyStore({ kind: 'file', path: './data/topup.db' }, { kind: 'postgres', url: 'postgres://...' });
 */
export async function copyStore(
  from: CopiedAddress,
  to: CopiedAddress,
  { restart = false, onProgress, signal }: StoreCopyOptions = {},
): Promise<CopiedStore> {
  await using resources = new AsyncDisposableStack();
  const source =
    from.kind === 'file'
      ? await openFileSource(from.path, resources)
      : await openPostgresSource(from.url, resources);
  const target =
    to.kind === 'file'
      ? await openFileTarget(to.path, restart, resources)
      : await openPostgresTarget(to.url, restart, resources);
  const { begun } = target;
  if (begun !== null && begun !== source.name)
    throw new CopyError(
      'other_copy',
      `${target.name} is an unfinished copy of ${begun}, not of ${source.name}.`,
    );
  const rows = await source.read(countRows);
  const reporter = (step: StoreCopyProgress['step'], all: number) => {
    let done = 0;
    return (count: number): void => {
      signal?.throwIfAborted();
      done += count;
      onProgress?.({ step, done: Math.min(done, all), total: all });
    };
  };
  await copyRows(source, target, reporter('copying', rows));
  const tables = await compare(source, target, reporter('comparing', 2 * rows));
  await source.rejectServed();
  await target.finish();
  return { tables, resumed: begun !== null };
}
