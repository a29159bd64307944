import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { appendFile, open, stat } from 'node:fs/promises';

// SQLite keeps no checksums: a letter that the disk changed inside a text would pass all its checks. It ignores what
// follows the last page, so there is room for a last line with the checksum of all before it.

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

/** Ends a file with the checksum of its content. */
export async function seal(file: string, signal?: AbortSignal): Promise<void> {
  const { size } = await stat(file);
  await appendFile(file, sealOf(await digestOf(file, size, signal)), { flush: true });
}

/** Whether a file is what was sealed; null when it has no seal, as a file that another program copied. */
export async function isAsSealed(file: string, signal?: AbortSignal): Promise<boolean | null> {
  const { size } = await stat(file);
  const line = await lastLine(file, size);
  if (!line.startsWith(label)) return null;
  return line === sealOf(await digestOf(file, size - sealBytes, signal));
}
