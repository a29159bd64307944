import type { DatabaseSync } from 'node:sqlite';
import { readNumber } from '../columns.ts';
import { sizeOf } from '../prepare-file.ts';
import { StoreFileError } from '../store-file-error.ts';
import type { CopyOptions } from './copy-database.ts';
import { findDamage } from './find-damage.ts';
import { locationOf } from './query-apart.ts';
import { readAtRest } from './read-database.ts';
import { isAsSealed } from './seal.ts';
import { readFacts, type StoreFacts } from './store-facts.ts';

export interface BackupFacts extends StoreFacts {
  bytes: number;
  /** Whether the file carries the checksum that {@link backUpStore} gives it, which a plain copy does not. */
  sealed: boolean;
}

const damaged = (file: string, what: string): StoreFileError =>
  new StoreFileError('damaged', `${file} is damaged: ${what}.`);

/** SQLite fills a page that was cut off with zeros, and may not miss what was there. */
function refuseCut(db: DatabaseSync, file: string): void {
  const pageBytes = readNumber(db, 'PRAGMA page_size');
  if (sizeOf(file) !== readNumber(db, 'PRAGMA page_count') * pageBytes)
    throw damaged(file, 'it ends in the middle of a page');
}

/**
 * Checks a backup to the last byte and row, and tells what is in it; the file is not changed.
 *
 * @throws StoreFileError when it is missing, no store, damaged, or of a newer version.
 * @example
 * const { orders, newestOrderAt } = await verifyBackup('backups/friday.db');
 */
export async function verifyBackup(
  file: string,
  { onProgress, signal }: CopyOptions = {},
): Promise<BackupFacts> {
  return readAtRest(file, async (db) => {
    onProgress?.({ step: 'verifying' });
    const sealed = await isAsSealed(file, signal);
    if (sealed === false) throw damaged(file, 'its content is not what its checksum was made of');
    if (sealed === null) refuseCut(db, file);
    const [damage] = await findDamage(locationOf(file, { atRest: true }), 'full', signal);
    if (damage !== undefined) throw damaged(file, damage);
    return { ...readFacts(db), bytes: sizeOf(file), sealed: sealed === true };
  });
}
