import type { ProxyConfig } from './options.ts';
import { ProxyError, type ProxyErrorCode } from './proxy-error.ts';

/** Asking for this type keeps a page of another site from sending it without a preflight. */
const json = /^application\/json\s*(;|$)/i;

/** The body of a POST, byte for byte: what it says is for the service to judge. Whatever `Content-Length` says, its bytes are counted. */
export async function readRequestBody(
  request: Request,
  { maxBodyBytes, timeout }: ProxyConfig,
): Promise<Uint8Array<ArrayBuffer>> {
  if (!json.test(request.headers.get('Content-Type') ?? '')) throw new ProxyError('UNSUPPORTED_MEDIA_TYPE');
  if (Number(request.headers.get('Content-Length')) > maxBodyBytes) throw new ProxyError('PAYLOAD_TOO_LARGE');
  if (request.bodyUsed) throw new ProxyError('SERVER_ERROR');
  const bytes = await withTimeout(timeout, 'REQUEST_TIMEOUT', (signal) =>
    readBytes(request.body, maxBodyBytes, signal).catch(() => {
      throw new ProxyError('BAD_REQUEST');
    }),
  );
  if (bytes === undefined) throw new ProxyError('PAYLOAD_TOO_LARGE');
  return bytes;
}

/** Reads a body to its end; undefined, and no further, once it is longer than `maxBytes`. */
export async function readBytes(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (body === null) return new Uint8Array();
  const reader = body.getReader();
  const giveUp = (): void => void reader.cancel().catch(() => undefined);
  if (signal.aborted) giveUp();
  signal.addEventListener('abort', giveUp, { once: true });
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

function join(chunks: Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

/** Settles with the work, or refuses after `timeout` ms, whether or not the work heeds its signal. */
export async function withTimeout<Result>(
  timeout: number,
  code: ProxyErrorCode,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(new ProxyError(code));
    controller.abort();
  }, timeout);
  try {
    return await Promise.race([work(controller.signal), late]);
  } finally {
    clearTimeout(timer);
  }
}
