import { readBytes } from '@topup-kit/core/http';
import { ProxyError, type ProxyErrorCode } from '../errors/proxy-error.ts';
import type { ProxyConfig } from './options.ts';

/** Matches the required type, which a page of another site can't send without a preflight. */
const json = /^application\/json\s*(;|$)/i;

/**
 * Reads the body of a POST unchanged; the service validates it. The size limit applies to the actual bytes, not only to `Content-Length`.
 */
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

/** Settles with the work, or rejects with a ProxyError after `timeout` ms, even if the work ignores its signal. */
export async function withTimeout<Result>(
  timeout: number,
  code: ProxyErrorCode,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timedOut = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new ProxyError(code));
      controller.abort();
    }, timeout);
  });
  try {
    return await Promise.race([work(controller.signal), timedOut]);
  } finally {
    clearTimeout(timer);
  }
}
