import { existsSync, mkdirSync, renameSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { StoreFileError } from '../src/sqlite/index.ts';
import { createWriteGate } from '../src/sqlite/write-gate.ts';
import { tempFolder } from './helpers/store-file.ts';

/** The gate of a store with these files. `told` has what its host was told. */
function createGate({ files = ['', '-wal'], isOpen = true } = {}) {
  const path = join(tempFolder(), 'topup.db');
  for (const suffix of files) writeFileSync(path + suffix, 'x');
  const transaction = { isLocked: false, isOpen: false };
  const told: (string | null)[] = [];
  const gate = createWriteGate({
    path,
    transaction: {
      begin() {
        if (transaction.isLocked) throw locked;
        transaction.isOpen = true;
      },
      rollBack() {
        transaction.isOpen = false;
      },
    },
    isOpen: () => isOpen,
    onChange: (failure) => told.push(failure?.problem ?? null),
  });
  return { ...gate, path, told, transaction };
}

const sqliteError = (errcode: number): Error => Object.assign(new Error('disk I/O error'), { errcode });
const locked = sqliteError(5);

describe('the file of an open store', () => {
  it.each(['', '-wal'])('stops writes while the open file (topup.db%s) is moved away', async (suffix) => {
    const { obstacle, path, told } = createGate();
    expect(obstacle()).toBeNull();
    renameSync(path + suffix, `${path}.away`);
    const gone = obstacle();
    expect(gone).toMatchObject({
      problem: 'file_gone',
      retryAfter: 10,
      message: `${path}${suffix} was deleted while the store is open, so the server writes nothing. Put the file back. If it is lost, stop the server and restore a backup: topup restore FILE --store file:${path}`,
    });
    expect(obstacle()).toBe(gone);
    renameSync(`${path}.away`, path + suffix);
    expect(obstacle()).toBeNull();
    await nextTurn();
    expect(told).toEqual(['file_gone', null]);
  });

  it('detects a replaced file with a check, without a command', async () => {
    const { check, obstacle, path, told } = createGate();
    await check();
    renameSync(path, `${path}.away`);
    writeFileSync(path, 'x');
    await check();
    expect(obstacle()).toMatchObject({
      problem: 'file_gone',
      message: `${path} was replaced while the store is open, so the server writes nothing. Put the file back. If it is lost, stop the server and restore a backup: topup restore FILE --store file:${path}`,
    });
    renameSync(`${path}.away`, path);
    await check();
    await nextTurn();
    expect(told).toEqual(['file_gone', null]);
  });

  it('detects a file that did not exist before', () => {
    const { obstacle, path } = createGate({ files: [''] });
    expect(obstacle()).toBeNull();
    writeFileSync(`${path}-wal`, 'x');
    expect(obstacle()).toBeNull();
  });
});

describe('a failed transaction', () => {
  // https://www.sqlite.org/rescode.html
  it.each([
    ['SQLITE_FULL', sqliteError(13), 'writes_paused'],
    ['SQLITE_IOERR_WRITE', sqliteError(778), 'writes_paused'],
    ['SQLITE_IOERR_SHMSIZE', sqliteError(4874), 'writes_paused'],
    ['SQLITE_IOERR_FSYNC', sqliteError(1034), 'writes_stopped'],
    ['SQLITE_IOERR_READ', sqliteError(266), 'writes_stopped'],
    ['SQLITE_CORRUPT', sqliteError(11), 'writes_stopped'],
    ['an error of another kind', new StoreFileError('damaged', 'It is damaged.'), 'writes_stopped'],
  ])('decides after %s whether writes continue when there is space', async (_name, error, problem) => {
    const { failed, check, obstacle, path, told } = createGate();
    const failure = failed(error);
    expect(failure).toMatchObject({ problem, retryAfter: null, isReported: true, cause: error });
    expect(obstacle()).toBe(failure);
    // Only later, so that the commands are rejected first.
    expect(told).toEqual([]);
    await check();
    expect(obstacle()).toBe(problem === 'writes_stopped' ? failure : null);
    await nextTurn();
    expect(told).toEqual(problem === 'writes_stopped' ? [problem] : [problem, null]);
    expect(existsSync(`${path}.room`)).toBe(false);
  });

  it('stops writes if the failed transaction closed the database', () => {
    expect(createGate({ isOpen: false }).failed(sqliteError(13))).toMatchObject({
      problem: 'writes_stopped',
    });
  });

  it('stops writes if the content of the disk is unknown, whatever happens to the file', async () => {
    const { failed, check, obstacle, path } = createGate();
    const failure = failed(sqliteError(1034));
    renameSync(path, `${path}.away`);
    await check();
    renameSync(`${path}.away`, path);
    await check();
    expect(obstacle()).toBe(failure);
  });

  it('shows the reason and the next step', () => {
    const { failed, path } = createGate();
    expect(failed(sqliteError(13)).message).toBe(
      `${path} accepts no writes, because a write failed (disk I/O error). It accepts writes again when 1 MiB can be written to its folder.`,
    );
    expect(failed('no error').message).toBe(
      `${path} accepts no more writes, because a write failed (no error). Fix the cause, then restart the server.`,
    );
  });

  it('pauses writes while there is no space', async () => {
    const { failed, check, obstacle, path, told } = createGate();
    const failure = failed(sqliteError(13));
    // The file that shows whether there is room can't be made.
    mkdirSync(`${path}.room`);
    await check();
    expect(obstacle()).toBe(failure);
    rmdirSync(`${path}.room`);
    await check();
    expect(obstacle()).toBeNull();
    await nextTurn();
    expect(told).toEqual(['writes_paused', null]);
  });
});

describe('a lock of another process', () => {
  it("reports another process's lock as busy once, and tries each transaction", async () => {
    const { busy, begun, obstacle, path, told } = createGate();
    const failure = busy(locked);
    expect(failure).toMatchObject({ problem: 'busy', retryAfter: 1, cause: locked });
    expect(failure.message).toBe(`Another process has had ${path} locked for 2 s; nothing was written.`);
    busy(locked);
    expect(obstacle()).toBeNull();
    await nextTurn();
    expect(told).toEqual(['busy']);
    begun();
    await nextTurn();
    expect(told).toEqual(['busy', null]);
  });

  it('detects the end of a lock with a check, which rolls back the transaction that it begins', async () => {
    const { busy, check, told, transaction } = createGate();
    transaction.isLocked = true;
    busy(locked);
    await check();
    await nextTurn();
    expect(told).toEqual(['busy']);
    transaction.isLocked = false;
    await check();
    await nextTurn();
    expect(told).toEqual(['busy', null]);
    expect(transaction.isOpen).toBe(false);
  });

  it('reports another problem after a lock', async () => {
    const { busy, failed, told } = createGate();
    busy(locked);
    failed(sqliteError(13));
    await nextTurn();
    expect(told).toEqual(['busy', 'writes_paused']);
  });
});
