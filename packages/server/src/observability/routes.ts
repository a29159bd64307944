import { createHash, timingSafeEqual } from 'node:crypto';
import { type AppDependencies, ownPaths } from '@topup-kit/core/app';
import type { Metrics } from './metrics.ts';
import type { UnreadyReason } from './readiness.ts';

type Router = Parameters<NonNullable<AppDependencies['mount']>>[0];

export interface SeeingDependencies {
  /** Null when the server is ready. */
  whyUnready: () => Promise<UnreadyReason | null>;
  metrics: Pick<Metrics, 'render'>;
  /** The token of `TOPUP_METRICS_TOKEN`. Without one, only direct requests may read the metrics. */
  metricsToken: string | undefined;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares in a time that says nothing about the token. */
const isBearer = (authorization: string, token: string): boolean =>
  timingSafeEqual(digest(authorization), digest(`Bearer ${token}`));

const plain = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

/** Adds `/livez`, `/readyz` and `/metrics`. */
export function mountSeeing(router: Router, { whyUnready, metrics, metricsToken }: SeeingDependencies): void {
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
    // As if there were no such page, for everybody who has no business here.
    if (!isAllowed) return next();
    const { type, text } = await metrics.render();
    return new Response(text, { headers: { ...plain, 'Content-Type': type } });
  });
}
