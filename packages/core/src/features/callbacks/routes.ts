import { DomainErrorWithHeaders } from '../../app/errors.ts';
import { forbidden, toResponse } from '../../app/fetch.ts';
import { readBody, renderedResponse, type Site } from '../../app/http.ts';
import { callbackPaths, shortPath } from '../../app/paths.ts';
import type { Localised } from '../../contract/index.ts';
import type { MonotonicClock } from '../../platform/index.ts';
import type { CallbackSource, Callbacks, ReceivedCallback } from './callbacks.ts';

const sources = ['gateway', 'supplier'] as const satisfies readonly CallbackSource[];

/**
 * Returns the provider's path for which a request was probably meant, such as for a request to `/callback/{name}/` or
 * `/api/callback/{name}`; null for the right path, and for any other path.
 */
function intendedPath(callbacks: Callbacks, path: string): string | null {
  if (!/\/(callback|webhook)s?(\/|$)/i.test(path)) return null;
  const names = path.toLowerCase().split('/');
  const known = sources.flatMap((source) =>
    names
      .filter((name) => callbacks.has(source, name))
      .map((name) => callbackPaths[source].replace(':provider', name)),
  );
  return known.includes(path) ? null : (known[0] ?? null);
}

/**
 * The pace of responses to rejected callbacks, for all clients together. It allows far more callbacks than providers send by mistake, but
 * too few to delay orders. Callbacks above `maxWaiting` don't wait, because they would fill the memory.
 */
const rejectedPace = { perSecond: 100, atOnce: 50, maxWaiting: 2_000 };

const wrongAddress: Localised = {
  id: 'Alamat ini tidak boleh mengirim callback.',
  en: 'This address may not send callbacks.',
};

/**
 * Mounts `POST /callback/{gateway}` and `POST /{supplier}/webhook` at the root, for providers that send callbacks. They need no key: the
 * adapter verifies each request by the bytes of its body, and creates the response. Verification comes before any limit, because a provider
 * may share its address with strangers. Only unverified callbacks are limited and paced.
 *
 * @param mayCall tells whether requests from an address are handled
 * @param reportMisdirected called once for each path for which requests were probably meant, with the first wrong path
 */
export function mountCallbacks(
  site: Site,
  {
    callbacks,
    maxBodyBytes,
    mayCall,
    reportMisdirected,
    clock,
    closing,
  }: {
    callbacks: Callbacks;
    maxBodyBytes: number;
    mayCall: (address: string) => boolean;
    reportMisdirected: (path: string, intended: string) => void;
    clock: MonotonicClock;
    closing: AbortSignal | undefined;
  },
): void {
  const turn = createPace({ ...rejectedPace, clock, closing });
  const reported = new Set<string>();
  site.use(async ({ req }, next) => {
    const intended = req.method === 'POST' ? intendedPath(callbacks, req.path) : null;
    if (intended !== null && !reported.has(intended)) {
      reported.add(intended);
      reportMisdirected(shortPath(req.path), intended);
    }
    return next();
  });
  for (const source of sources)
    site.all(callbackPaths[source], async ({ req, env }, next) => {
      const provider = req.param('provider');
      if (!callbacks.has(source, provider)) return next();
      const { method } = env.request;
      if (method !== 'POST')
        throw new DomainErrorWithHeaders('METHOD_NOT_ALLOWED', { Allow: 'POST' }, { params: { method } });
      const { address } = env.connection;
      const rejected = (): Promise<void> => turn(env.request.lost?.());
      if (!mayCall(address)) {
        callbacks.forbid(source, provider, address);
        await rejected();
        return forbidden(wrongAddress, env.locale);
      }
      const receive = async (): Promise<ReceivedCallback | null> => {
        const body = await readBody(env.request, maxBodyBytes);
        return callbacks.receive(source, provider, { headers: req.header(), body }, address);
      };
      const received = await receive().catch(async (error: unknown) => {
        await rejected();
        throw error;
      });
      if (!received) return next();
      const { response, isProven, headers: limit } = received;
      if (!isProven) await rejected();
      if (!response) throw new DomainErrorWithHeaders('RATE_LIMITED', limit);
      return toResponse(renderedResponse(response.status, JSON.stringify(response.body)));
    });
}

/**
 * Creates a function that resolves when a response may be sent: a few responses immediately, then a fixed number per second, in order of
 * arrival. A client that repeats rejected callbacks waits for each response, so that other clients need not wait. A lost connection frees
 * its place. A request doesn't wait if too many others are waiting, or when the server closes.
 */
export function createPace({
  perSecond,
  atOnce,
  maxWaiting,
  clock,
  closing,
}: {
  perSecond: number;
  /** Number of responses to send immediately after a pause. */
  atOnce: number;
  maxWaiting: number;
  clock: MonotonicClock;
  closing?: AbortSignal | undefined;
}): (lost?: AbortSignal) => Promise<void> {
  const waiting = new Set<() => void>();
  let free = atOnce;
  let countedAt = clock();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function takePlace(): boolean {
    const now = clock();
    free = Math.min(atOnce, free + ((now - countedAt) / 1_000) * perSecond);
    countedAt = now;
    if (free < 1) return false;
    free -= 1;
    return true;
  }

  function release(): void {
    timer = undefined;
    for (const go of waiting) {
      if (!closing?.aborted && !takePlace()) break;
      go();
    }
    if (waiting.size > 0) timer = setTimeout(release, 1_000 / perSecond);
  }

  closing?.addEventListener('abort', () => {
    clearTimeout(timer);
    release();
  });

  return (lost) => {
    if (waiting.size === maxWaiting || closing?.aborted || (waiting.size === 0 && takePlace()))
      return Promise.resolve();
    return new Promise((resolve) => {
      const go = (): void => {
        waiting.delete(go);
        resolve();
      };
      waiting.add(go);
      lost?.addEventListener('abort', go, { once: true });
      timer ??= setTimeout(release, 1_000 / perSecond);
    });
  };
}
