import type { Platform } from '../platform.ts';
import { onAbort, type SendHttp, TimedOut, untilAborted } from './http.ts';

/** Creates an HTTP implementation that uses only the platform's fetch, to keep bundles small. */
export const createPlainHttp =
  (platform: Pick<Platform, 'Request'>): SendHttp =>
  async ({ url, timeout, signal, fetch, ...init }) => {
    const stop = new AbortController();
    const end = onAbort(signal, () => stop.abort(signal?.reason));
    const timer = setTimeout(() => stop.abort(new TimedOut()), timeout);
    try {
      const request = new platform.Request(url, { ...init, redirect: 'manual', signal: stop.signal });
      return await untilAborted(fetch(request), stop.signal);
    } finally {
      clearTimeout(timer);
      end();
    }
  };
