import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { appendFile, open, stat } from 'node:fs/promises';
import type { DatabaseSync } from 'node:sqlite';
import { readNumber } from '../run-command.ts';
import { sizeOf } from '../store-file.ts';
import { StoreFileError } from '../store-file-error.ts';
import type { CopyOptions } from './copy-database.ts';
import { databaseUrl, findDamage } from './long-queries.ts';
import { readAtRest } from './read-database.ts';
import { readFacts, type StoreInfo } from './store-info.ts';

// SQLite keeps no checksums, so a changed byte inside a text would pass all its checks. SQLite ignores data after the last page, so a
// backup ends with the seal: a line with the checksum of everything before it.

const label = 'topup backup, sha256 ';
const sealOf = (digest: string): string => `${label}${digest}\n`;
const sealBytes = sealOf('0'.repeat(64)).length;
const chunkBytes = 1_048_576;

async function digestOf(file: string, bytes: number, signal: AbortSignal | undefined): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file, { end: bytes - 1, highWaterMark: chunkBytes })) {
    signal?.throwIfAborted();
    hash.update(chunk);
  }
  return hash.digest('hex');
}

async function lastLine(file: string, size: number): Promise<string> {
  await using opened = await open(file);
  const { buffer } = await opened.read(Buffer.alloc(sealBytes), 0, sealBytes, Math.max(0, size - sealBytes));
  return buffer.toString('latin1');
}

/** Appends the seal: a line with the checksum of the file's content. */
export async function seal(file: string, signal?: AbortSignal): Promise<void> {
  const { size } = await stat(file);
  await appendFile(file, sealOf(await digestOf(file, size, signal)), { flush: true });
}

/** Tells whether a file's content matches its seal; null if it has no seal, such as a copy by another program. */
async function matchesSeal(file: string, signal?: AbortSignal): Promise<boolean | null> {
  const { size } = await stat(file);
  const line = await lastLine(file, size);
  if (!line.startsWith(label)) return null;
  return line === sealOf(await digestOf(file, size - sealBytes, signal));
}

export interface BackupInfo extends StoreInfo {
  bytes: number;
  /** True if the file has the checksum of {@link backUpStore}. A plain copy of a store has no checksum. */
  sealed: boolean;
}

const damaged = (file: string, reason: string): StoreFileError =>
  new StoreFileError('damaged', `${file} is damaged: ${reason}.`);

/** Rejects a file that ends inside a page. SQLite fills the rest with zeros and may not notice. */
function rejectCut(db: DatabaseSync, file: string): void {
  const pageBytes = readNumber(db, 'PRAGMA page_size');
  if (sizeOf(file) !== readNumber(db, 'PRAGMA page_count') * pageBytes)
    throw damaged(file, 'it ends in the middle of a page');
}

/**
 * Checks every byte and row of a backup, and returns its facts. The file is not changed.
 *
 * @throws StoreFileError if the file is missing, damaged, not a store, or of a newer version.
 * @example
 * const { orders, newestOrderAt } = await verifyBackup('backups/friday.db');
 */
export async function verifyBackup(
  file: string,
  { onProgress, signal }: CopyOptions = {},
): Promise<BackupInfo> {
  return readAtRest(file, async (db) => {
    onProgress?.({ step: 'verifying' });
    const sealed = await matchesSeal(file, signal);
    if (sealed === false) throw damaged(file, 'its content does not match its checksum');
    if (sealed === null) rejectCut(db, file);
    const [damage] = await findDamage(databaseUrl(file, { atRest: true }), 'full', signal);
    if (damage !== undefined) throw damaged(file, damage);
    return { ...readFacts(db), bytes: sizeOf(file), sealed: sealed === true };
  });
}
