import { createHash, timingSafeEqual } from 'node:crypto';
import { ownPaths, type Site as Router } from '@topup-kit/core/app';
import { withTimeout } from '@topup-kit/core/engine';

/** Reason why the server should currently get no requests. */
export type UnreadyReason = 'shutting_down' | 'store_failed' | 'store_not_writable';

/** Time for which a check of the store is valid, because each one writes, and maximum time of a check, in milliseconds. */
const validMs = 1_000;
const timeoutMs = 1_000;

interface ReadinessDependencies {
  /** Writes existing values to the store again, as a check. */
  write: () => Promise<unknown>;
  /** Reason why the store rejects writes; null while it accepts them. */
  failure: () => Error | null;
  isClosing: () => boolean;
}

/** Creates a function that returns the reason why the server isn't ready. It checks the store at most once a second. */
export function createReadiness({
  write,
  failure,
  isClosing,
}: ReadinessDependencies): () => Promise<UnreadyReason | null> {
  let looked: { at: number; isWritable: Promise<boolean> } | undefined;

  const look = (): Promise<boolean> =>
    withTimeout(write(), timeoutMs, 'slow').then(
      () => true,
      () => false,
    );

  return async () => {
    if (isClosing()) return 'shutting_down';
    if (failure()) return 'store_failed';
    const now = performance.now();
    if (!looked || now - looked.at > validMs) looked = { at: now, isWritable: look() };
    return (await looked.isWritable) ? null : 'store_not_writable';
  };
}

export interface ProbeDependencies {
  /** Returns the reason why the server isn't ready; null if it is. */
  whyUnready: () => Promise<UnreadyReason | null>;
  metrics: { render(): Promise<{ type: string; text: string }> };
  /** Token in `TOPUP_METRICS_TOKEN`. Without a token, only direct requests may read the metrics. */
  metricsToken: string | undefined;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares tokens in a time that reveals nothing about them. */
const isBearer = (authorization: string, token: string): boolean =>
  timingSafeEqual(digest(authorization), digest(`Bearer ${token}`));

const plain = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

export function mountProbes(router: Router, { whyUnready, metrics, metricsToken }: ProbeDependencies): void {
  router.get(ownPaths.live, () => Response.json({ status: 'ok' }, { headers: plain }));
  router.get(ownPaths.ready, async () => {
    const reason = await whyUnready();
    return reason === null
      ? Response.json({ status: 'ok' }, { headers: plain })
      : Response.json({ status: 'unavailable', reason }, { status: 503, headers: plain });
  });
  router.get(ownPaths.metrics, async ({ req, env }, next) => {
    const sent = req.header('Authorization');
    const isAllowed =
      env.connection.direct ||
      (metricsToken !== undefined && sent !== undefined && isBearer(sent, metricsToken));
    // Other requests get the response for an unknown page.
    if (!isAllowed) return next();
    const { type, text } = await metrics.render();
    return new Response(text, { headers: { ...plain, 'Content-Type': type } });
  });
}
