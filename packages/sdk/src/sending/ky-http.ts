import ky, { NetworkError, TimeoutError } from 'ky';
import { type Http, type HttpRequest, type RawResponse, TimedOut, untilAborted } from './http.ts';

const http = ky.create({ retry: 0, timeout: false, throwHttpErrors: false, redirect: 'manual' });

/** HTTP by ky. Its own errors stop here, as they hold the request, and with it the key. */
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
    // safe: ky calls it with the Request that it made of the URL; it keeps its timer until this settles
    fetch: (input) => untilAborted(fetch(input as Request), signal && (input as Request).signal),
  });
  const response = await pending;
  onResponse(response);
  // `pending.text()`, unlike `response.text()`, stands under the time-out.
  const text = response.ok ? await pending.text() : await pending.text().catch(() => undefined);
  return { response, text };
}
