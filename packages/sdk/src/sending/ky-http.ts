import ky, { NetworkError, TimeoutError } from 'ky';
import { type SendHttp, TimedOut, untilAborted } from './http.ts';

/** HTTP with ky. Its errors are converted here, because they contain the request and thus the API key. */
export const kyHttp: SendHttp = async ({ url, signal, fetch, ...init }) => {
  try {
    // All options are in one object, because ky copies them again for each additional object.
    return await ky(url, {
      ...init,
      ...(signal && { signal }),
      redirect: 'manual',
      retry: 0,
      throwHttpErrors: false,
      fetch(input) {
        const request = input as Request; // Safe: ky calls this with the Request that it created.
        // The timer of ky runs until this promise settles.
        return signal ? untilAborted(fetch(request), request.signal) : fetch(request);
      },
    });
  } catch (error) {
    if (error instanceof TimeoutError) throw new TimedOut();
    throw error instanceof NetworkError ? error.cause : error;
  }
};
