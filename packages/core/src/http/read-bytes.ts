function join(chunks: readonly Uint8Array<ArrayBuffer>[], length: number): Uint8Array<ArrayBuffer> {
  const [first] = chunks;
  if (first && first.length === length) return first;
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

/**
 * Reads a whole body; undefined as soon as it is longer than `maxBytes`. If the signal aborts, it returns the bytes read so far, so check
 * the signal afterwards.
 */
export async function readBytes(
  body: ReadableStream<Uint8Array<ArrayBuffer>> | null,
  maxBytes: number,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (!body) return new Uint8Array();
  const reader = body.getReader();
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  if (signal?.aborted) cancel();
  signal?.addEventListener('abort', cancel, { once: true });
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    length += next.value.length;
    if (length > maxBytes) {
      cancel();
      return undefined;
    }
    chunks.push(next.value);
  }
  return join(chunks, length);
}
