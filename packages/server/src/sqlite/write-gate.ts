import { statSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import type { Transaction, WriteGate } from './group-commit.ts';
import { maxWaitMs } from './group-commit.ts';
import { logOf } from './store-file.ts';
import { isSafelyUndone, StoreFileError } from './store-file-error.ts';

/** Returns a file's number on its disk, which a renamed file keeps and a copy doesn't have; null if there is no file. */
export function fileNumber(path: string): string | null {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats ? String(stats.ino) : null;
}

interface WriteGateOptions {
  path: string;
  transaction: Pick<Transaction, 'begin' | 'rollBack'>;
  /** Tells whether the database is still open; a failed roll-back closes it. */
  isOpen: () => boolean;
  /** Called with the reason when the store stops accepting writes, and with null when it accepts them again. */
  onChange: (failure: StoreFileError | null) => void;
}

export interface CheckedWriteGate extends WriteGate {
  /** Stops writes because a read found damage. Returns the error for that read, after reporting it to the host. */
  damaged(cause: unknown): StoreFileError;
  /** Checks whether the file still exists, and whether writes are possible again. */
  check(): Promise<void>;
}

/** Free space that is required before writes are tried again, in bytes: more than the commands of one turn write. */
const neededRoom = 1 << 20;

/** Tells whether a file of this size can be written next to the store. */
async function hasRoom(path: string): Promise<boolean> {
  const trial = `${path}.room`;
  try {
    await using file = await open(trial, 'w', 0o600);
    const { bytesWritten } = await file.write(Buffer.alloc(neededRoom));
    await file.sync();
    return bytesWritten === neededRoom;
  } catch {
    return false;
  } finally {
    await rm(trial).catch(() => {});
  }
}

/**
 * Decides whether a store can be written. Decisions/024 explains its reaction to each kind of failure:
 *
 * - `busy`: another process has locked the file. Every transaction is tried.
 * - `file_gone`: the file or its log was deleted or replaced. Writes are rejected until it is back.
 * - `writes_paused`: a write failed and was undone, such as on a full disk. Writes are rejected until there is room.
 * - `writes_stopped`: the content of the disk is unknown, or a read found damage. Writes are rejected until a restart.
 */
export function createWriteGate({ path, transaction, isOpen, onChange }: WriteGateOptions): CheckedWriteGate {
  // SQLite holds both files open while the database is open, and never replaces them.
  const files = [path, logOf(path)].flatMap((file) => {
    const number = fileNumber(file);
    return number === null ? [] : [{ file, number }];
  });
  let failure: StoreFileError | null = null;

  function change(next: StoreFileError | null): void {
    if (next?.problem === failure?.problem) return;
    failure = next;
    // Called later, so that the commands are rejected first even if the callback throws.
    setImmediate(() => onChange(next));
  }

  function fail(problem: StoreFileError['problem'], message: string, cause?: unknown): StoreFileError {
    const error = new StoreFileError(problem, message, { cause });
    change(error);
    return error;
  }

  function findGoneFile(): StoreFileError | null {
    const gone = files.find(({ file, number }) => fileNumber(file) !== number);
    if (!gone) {
      if (failure?.problem === 'file_gone') change(null);
      return null;
    }
    if (failure?.problem === 'file_gone') return failure;
    const what = fileNumber(gone.file) === null ? 'deleted' : 'replaced';
    return fail(
      'file_gone',
      `${gone.file} was ${what} while the store is open, so the server writes nothing. Put the file back. If it is lost, stop the server and restore a backup: topup restore FILE --store file:${path}`,
    );
  }

  /** Begins and rolls back a transaction, which writes nothing. */
  function canBegin(): boolean {
    try {
      transaction.begin();
      transaction.rollBack();
      return true;
    } catch {
      return false;
    }
  }

  return {
    obstacle: () =>
      failure?.problem === 'writes_stopped' || failure?.problem === 'writes_paused'
        ? failure
        : findGoneFile(),
    begun() {
      if (failure?.problem === 'busy') change(null);
    },
    busy: (error) =>
      fail(
        'busy',
        `Another process has had ${path} locked for ${maxWaitMs / 1000} s; nothing was written.`,
        error,
      ),
    failed(error) {
      const reason = error instanceof Error ? error.message : String(error);
      return isSafelyUndone(error) && isOpen()
        ? fail(
            'writes_paused',
            `${path} accepts no writes, because a write failed (${reason}). It accepts writes again when ${neededRoom >> 20} MiB can be written to its folder.`,
            error,
          )
        : fail(
            'writes_stopped',
            `${path} accepts no more writes, because a write failed (${reason}). Fix the cause, then restart the server.`,
            error,
          );
    },
    damaged(cause) {
      fail(
        'writes_stopped',
        `${path} is damaged, so nothing more is written to it. To find out more, run \`topup db status --check --store file:${path}\`. To restore a backup, run \`topup restore FILE --store file:${path}\`.`,
        cause,
      );
      return new StoreFileError('damaged', `${path} is damaged.`, { cause, isReported: true });
    },
    async check() {
      switch (failure?.problem) {
        case 'writes_stopped':
          return;
        case 'writes_paused':
          if (await hasRoom(path)) change(null);
          return;
        case 'busy':
          if (canBegin()) change(null);
          return;
        default:
          findGoneFile();
      }
    },
  };
}
