import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** Maximum size of a file with a secret, in bytes. A secret is much shorter, and `/dev/zero` would never end. */
const maxBytes = 65_536;

/** Maximum time that a pipe may have no writer, and maximum time that the writer may take, in milliseconds. */
const maxWithoutWriterMs = 2_000;
const maxWritingMs = 60_000;

const pauseMs = 10;

/** Blocks the thread, because configuration is read synchronously before other work starts. */
const pause = (): unknown => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);

/** Reason why a file's content can't be a secret; completes the sentence "names the file PATH, which ...". */
export class UnreadableSecret extends Error {
  override readonly name = 'UnreadableSecret';
}

/** Reads the available bytes; null if a pipe's writer has not written more yet. */
function readSome(file: number, buffer: Uint8Array): number | null {
  try {
    return readSync(file, buffer);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return null;
    throw error;
  }
}

function readAll(file: number): string {
  const isPipe = fstatSync(file).isFIFO();
  const begun = performance.now();
  const buffer = Buffer.alloc(maxBytes + 1);
  let length = 0;
  for (;;) {
    const count = readSome(file, buffer.subarray(length));
    length += count ?? 0;
    if (length > maxBytes) throw new UnreadableSecret(`is longer than ${maxBytes} bytes`);
    // Reading a pipe without a writer also returns 0 bytes.
    if (count === 0 && (length > 0 || !isPipe)) return buffer.toString('utf8', 0, length);
    const waited = performance.now() - begun;
    if (count === 0 && waited > maxWithoutWriterMs)
      throw new UnreadableSecret('is a pipe that no program writes to');
    if (count === null && waited > maxWritingMs)
      throw new UnreadableSecret(`did not end within ${maxWritingMs / 1_000} seconds`);
    if (!count) pause();
  }
}

/**
 * Reads a secret from a file, or from a pipe such as a shell's `<(command)`. The time to wait for a pipe is limited.
 *
 * @throws UnreadableSecret if the content can't be a secret; the system's error if the file can't be read.
 */
export function readSecretText(path: string): string {
  // Without O_NONBLOCK, opening a pipe without a writer never returns.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    return readAll(file);
  } finally {
    closeSync(file);
  }
}
