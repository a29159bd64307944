import { statSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import type { Transaction, WriteGate } from './group-commit.ts';
import { maxWaitMs } from './group-commit.ts';
import { logOf } from './store-file.ts';
import { isSafelyUndone, StoreFileError } from './store-file-error.ts';

/** The number of a file on its disk, which a renamed file keeps and a copy doesn't have; null when there is none at the path. */
export function fileNumber(path: string): string | null {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats ? String(stats.ino) : null;
}

interface WriteGateOptions {
  path: string;
  transaction: Pick<Transaction, 'begin' | 'rollBack'>;
  /** Whether the database is still open; a roll-back that fails closes it. */
  isOpen: () => boolean;
  /** Called when the store stops accepting writes, with the reason, and with null when it accepts them again. */
  onChange: (failure: StoreFileError | null) => void;
}

export interface CheckedWriteGate extends WriteGate {
  /** Stops writes, because a read has found damage. Returns the error of that read, of which the host was told. */
  damaged(cause: unknown): StoreFileError;
  /** Checks whether the file is still there, and whether writes are possible again. */
  check(): Promise<void>;
}

/** How much room there must be before writes are tried again, in bytes: more than the commands of one turn write. */
const neededRoom = 1 << 20;

/** Whether a file of this size can be written beside the store. */
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
 * Decides whether a store can be written. What it does about each kind of failure is in decisions/024:
 *
 * - `busy`: another process has the file locked; every transaction is tried.
 * - `file_gone`: the file or its log was deleted or replaced; until it is back.
 * - `writes_paused`: a write failed and was undone, as on a full disk; until there is room.
 * - `writes_stopped`: it is not known what is on the disk, or a read has found damage; until a restart.
 */
export function createWriteGate({ path, transaction, isOpen, onChange }: WriteGateOptions): CheckedWriteGate {
  // SQLite holds both files open for as long as the database is open, and never replaces them.
  const files = [path, logOf(path)].flatMap((file) => {
    const number = fileNumber(file);
    return number === null ? [] : [{ file, number }];
  });
  let failure: StoreFileError | null = null;

  function change(next: StoreFileError | null): void {
    if (next?.problem === failure?.problem) return;
    failure = next;
    // Later, so that the commands are rejected first even if the callback throws.
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
      `${gone.file} was ${what} while the store is open, so nothing is written. Put the file back; if it is lost, stop the server and restore a backup: topup restore FILE --store file:${path}`,
    );
  }

  /** Begins and rolls back, which writes nothing. */
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
            `${path} accepts no writes, because one failed (${reason}). It accepts them again when ${neededRoom >> 20} MiB can be written to its folder.`,
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
        `${path} is damaged, so nothing more is written to it. \`topup db status --check --store file:${path}\` says more. Restore a backup: topup restore FILE --store file:${path}`,
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
