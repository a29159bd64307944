import ky, { NetworkError, TimeoutError } from 'ky';
import { TopupAbortError, TopupNetworkError, TopupTimeoutError } from './errors/index.ts';
import type { Fetch } from './options.ts';
import type { PreparedRequest } from './prepare.ts';

/** An answer with its body read. */
export interface RawAnswer {
  response: Response;
  /** Undefined when an error answer's body could not be read: its status says enough. */
  text: string | undefined;
}

/** Redirects are not followed: fetch would hand X-API-KEY to whatever host they name. */
const http = ky.create({ retry: 0, timeout: false, throwHttpErrors: false, redirect: 'manual' });

/** Sends the request and reads the whole answer; fails only with a network, time-out or abort error. */
export async function exchange(request: PreparedRequest, fetch: Fetch): Promise<RawAnswer> {
  const { facts, signal, timeout } = request;
  let sent = false;
  const fetchOnce = async (ready: Request): Promise<Response> => {
    ready.signal.throwIfAborted();
    sent = true;
    return fetch(ready);
  };
  try {
    return await untilAborted(fetchAnswer(request, fetchOnce), signal);
  } catch (error) {
    if (error instanceof TimeoutError) throw new TopupTimeoutError(timeout, facts);
    if (signal?.aborted) throw new TopupAbortError(signal.reason, sent, facts);
    // ky's own errors hold the request, and with it the key.
    throw new TopupNetworkError(error instanceof NetworkError ? error.cause : error, facts);
  }
}

async function fetchAnswer(request: PreparedRequest, fetch: Fetch): Promise<RawAnswer> {
  const { url, facts, headers, body, signal, timeout } = request;
  const options = { method: facts.method, headers, body, signal, totalTimeout: timeout };
  const pending = http(url, {
    ...options,
    // safe: ky calls it with the Request that it made of the URL
    fetch: (input) => fetch(input as Request),
  });
  const response = await pending;
  // `pending.text()`, unlike `response.text()`, stands under the time-out.
  const text = response.ok ? await pending.text() : await pending.text().catch(() => undefined);
  return { response, text };
}

/** Settles with the work, or rejects once the signal aborts: an in-process fetch need not heed it. */
async function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal | null): Promise<Result> {
  if (signal === null) return work;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
