import ky, { NetworkError, TimeoutError } from 'ky';
import { type Http, type HttpRequest, type RawResponse, TimedOut, untilAborted } from './http.ts';

const http = ky.create({ retry: 0, timeout: false, throwHttpErrors: false, redirect: 'manual' });

/** HTTP with ky. Its errors are converted here, because they contain the request and so the API key. */
export const kyHttp: Http = async (request) => {
  try {
    return await untilAborted(exchange(request), request.signal);
  } catch (error) {
    if (error instanceof TimeoutError) throw new TimedOut();
    throw error instanceof NetworkError ? error.cause : error;
  }
};

async function exchange({
  url,
  timeout,
  signal,
  fetch,
  onResponse,
  ...request
}: HttpRequest): Promise<RawResponse> {
  const pending = http(url, {
    ...request,
    signal: signal ?? null,
    totalTimeout: timeout,
    // safe: ky calls this with the Request that it created; its timer runs until this promise settles
    fetch: (input) => untilAborted(fetch(input as Request), signal && (input as Request).signal),
  });
  const response = await pending;
  onResponse(response);
  // Unlike `response.text()`, `pending.text()` is subject to the timeout.
  const text = response.ok ? await pending.text() : await pending.text().catch(() => undefined);
  return { response, text };
}
