function join(chunks: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

/**
 * Reads a body to its end; undefined, and no further, once it is longer than `maxBytes`. A signal ends it early: what
 * came until then is the whole, so look at the signal.
 */
export async function readBytes(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  // Some browsers have no such property.
  if (!body) return new Uint8Array();
  const reader = body.getReader();
  const giveUp = (): void => void reader.cancel().catch(() => undefined);
  if (signal?.aborted) giveUp();
  signal?.addEventListener('abort', giveUp, { once: true });
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    length += next.value.length;
    if (length > maxBytes) {
      giveUp();
      return undefined;
    }
    chunks.push(next.value);
  }
  return join(chunks, length);
}
