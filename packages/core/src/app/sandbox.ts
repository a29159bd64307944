import type { Context } from 'hono';
import { headers, parseDuration } from '../contract/index.ts';
import {
  DomainError,
  invalidFields,
  isScenario,
  type Sandbox,
  sandboxAccount,
  sandboxActions,
  sandboxScenarios,
  type ZonedTime,
} from '../engine/index.ts';
import { identify, type RequestGuard } from './auth.ts';
import { jsonResponse, type RequestContext, readJsonBody, type Site, toResponse } from './http.ts';
import { ownPaths } from './own-paths.ts';
import { paymentStatusView } from './views/invoice.ts';

type SandboxContext = Context<{ Bindings: RequestContext }>;

interface SandboxTools {
  sandbox: Sandbox;
  gate: RequestGuard;
  localTime: (moment: number) => ZonedTime;
  maxBodyBytes: number;
}

/** Control routes are open to direct requests from this machine; all others need the sandbox's own key. */
async function guard(context: SandboxContext, gate: RequestGuard): Promise<void> {
  const { connection } = context.env;
  if (connection.direct) return;
  const caller = await identify(gate, context.req.header(headers.apiKey) ?? null, context.env);
  if (caller.accountId !== sandboxAccount)
    throw new DomainError('FORBIDDEN', { params: { scope: 'sandbox' } });
}

const done = (data: object): Response => toResponse(jsonResponse(200, { success: true, data }));

/**
 * The control routes of a sandbox (source: ours): `POST /sandbox/orders/{order_id}/{action}` with one of
 * {@link sandboxActions}, `POST /sandbox/advance {by}`, `POST /sandbox/scenario {name}`, `POST /sandbox/reset`, `GET /sandbox`.
 */
export function mountSandbox(site: Site, { sandbox, gate, localTime, maxBodyBytes }: SandboxTools): void {
  const world = (): Response => {
    const { now, ahead, scenario } = sandbox.world();
    return done({ now: localTime(now).iso, ahead_ms: ahead, scenario, scenarios: sandboxScenarios });
  };

  site.use(`${ownPaths.sandbox}/*`, async (context, next) => {
    await guard(context, gate);
    await next();
  });
  site.get(ownPaths.sandbox, world);
  for (const action of sandboxActions)
    site.post(`${ownPaths.sandbox}/orders/:order_id/${action}`, async ({ req }) =>
      done(paymentStatusView(await sandbox.act(req.param('order_id'), action)).data),
    );
  site.post(`${ownPaths.sandbox}/advance`, async ({ env }) => {
    const { by } = await readJsonBody(env.request, maxBodyBytes);
    const duration = typeof by === 'string' ? parseDuration(by) : undefined;
    if (duration === undefined) throw invalidFields({ by: [{ rule: 'duration' }] });
    await sandbox.advance(duration);
    return world();
  });
  site.post(`${ownPaths.sandbox}/scenario`, async ({ env }) => {
    const { name } = await readJsonBody(env.request, maxBodyBytes);
    if (typeof name !== 'string' || !isScenario(name))
      throw invalidFields({
        name: [{ rule: 'oneOf', params: { values: Object.keys(sandboxScenarios).join(', ') } }],
      });
    sandbox.chooseScenario(name);
    return world();
  });
  site.post(`${ownPaths.sandbox}/reset`, async () => {
    await sandbox.reset();
    return world();
  });
  site.all(`${ownPaths.sandbox}/*`, () => {
    throw new DomainError('ROUTE_NOT_FOUND');
  });
}
