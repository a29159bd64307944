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
  headers,
  timeout,
  signal,
  fetch,
  onResponse,
  ...init
}: HttpRequest): Promise<RawResponse> {
  const pending = http(url, {
    ...init,
    signal: signal ?? null,
    totalTimeout: timeout,
    fetch(input) {
      const request = input as Request; // safe: ky calls this with the Request that it created
      // Not as an option, which ky copies many times.
      headers.forEach((value, name) => {
        request.headers.set(name, value);
      });
      // The timer of ky runs until this promise settles.
      return untilAborted(fetch(request), signal && request.signal);
    },
  });
  const response = await pending;
  onResponse(response);
  // Unlike `response.text()`, `pending.text()` is subject to the timeout.
  const text = response.ok ? await pending.text() : await pending.text().catch(() => undefined);
  return { response, text };
}
