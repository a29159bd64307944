import type { Context } from 'hono';
import { identify, type RequestGuard } from '../../app/auth.ts';
import { toResponse } from '../../app/fetch.ts';
import {
  jsonResponse,
  type RequestContext,
  readJsonBody,
  type SentRequest,
  type Site,
} from '../../app/http.ts';
import { ownPaths } from '../../app/paths.ts';
import { readQuery } from '../../app/query.ts';
import type { AppRoom, RouteTools } from '../../app/room.ts';
import { defaultLimits } from '../../app/settings.ts';
import { paymentStatusView } from '../../app/views/order.ts';
import {
  headers,
  isScenario,
  isWorldName,
  journalFields,
  parseDuration,
  sandboxScenarios,
} from '../../contract/index.ts';
import { DomainError, invalidFields, sandboxAccount } from '../../engine/index.ts';
import type { Store } from '../../store/index.ts';
import { type SandboxAction, sandboxActions } from './actions.ts';
import { createCallControl } from './calls.ts';
import { readControlInput } from './control.ts';
import { controls } from './controls.ts';
import type { RequestJournal } from './journal.ts';
import { maxDocumentBytes, type Sandbox } from './sandbox.ts';

/** A control route of a sandbox, for its documentation (source: ours). */
export interface SandboxRoute {
  method: 'GET' | 'POST';
  path: string;
  effect: string;
  /** A valid body; left out if the route needs none. */
  example?: Readonly<Record<string, string | number>>;
}

const effects: Record<SandboxAction, string> = {
  pay: 'the gateway reports that the order was paid',
  fail: 'the gateway reports that the payment failed',
  expire: 'the order expires now',
  'pay-late': 'an unpaid or expired order is paid too late',
  'pay-wrong-amount': 'an unpaid order is paid with 1 less than its total',
  'pay-again': 'a paid order is paid a second time',
  'pay-unknown': "the order's total is paid with a reference that no order has",
  deliver: 'the supplier delivers all open items now',
  'fail-delivery': 'the supplier fails to deliver the open items: the order becomes `PAID / Gagal`',
  'lose-delivery': 'the supplier loses the outcomes of the undelivered items, and can no longer report them',
  'contradict-delivery': 'the supplier contradicts each outcome that it reported',
  refund:
    'an order whose delivery failed is refunded; if it was paid twice, an operator must decide about the refund',
};

/** The route of each action on an order. */
export const sandboxActionRoutes: SandboxRoute[] = sandboxActions.map((action) => ({
  method: 'POST',
  path: `${ownPaths.sandbox}/orders/{order_id}/${action}`,
  effect: effects[action],
}));

/** The other control routes. */
export const sandboxWorldRoutes: SandboxRoute[] = [
  {
    method: 'POST',
    path: `${ownPaths.sandbox}/advance`,
    effect:
      "moves the sandbox's clock forward and does the work that falls due, in order; at most ten years in total (`3650d`) until a reset",
    example: { by: '31m' },
  },
  {
    method: 'POST',
    path: `${ownPaths.sandbox}/scenario`,
    effect: 'turns a simulated fault (a scenario) on, until you set `none`',
    example: { name: 'supplier-down' },
  },
  {
    method: 'POST',
    path: `${ownPaths.sandbox}/reset`,
    effect: 'deletes all orders, sets the clock to real time, ends the scenario and all faults',
  },
  ...Object.entries(controls).map(([name, { method, effect, example }]) => ({
    method,
    path: `${ownPaths.sandbox}/${name}`,
    effect: effect.en,
    ...(example && { example }),
  })),
  {
    method: 'GET',
    path: `${ownPaths.sandbox}/requests`,
    effect:
      'lists the last requests to the interface, newest first, with headers, bodies, error code and order of each: 50, or the number in `?limit=`, up to the 500 in memory; with `?after=`, only requests with a higher `number`. Keys are left out',
  },
  {
    method: 'GET',
    path: ownPaths.sandbox,
    effect:
      "shows the sandbox's time, how many milliseconds it is ahead of real time (`ahead_ms`), the current scenario, and all scenarios",
  },
];

type SandboxContext = Context<{ Bindings: RequestContext }>;

/**
 * Control routes are open to direct requests from this machine without a key; all other requests need the sandbox's own key. A wrong key is
 * always rejected, because its sender means another world. Returns the account of the request.
 */
async function requireAccess(context: SandboxContext, guard: RequestGuard): Promise<string> {
  const { direct } = context.env.connection;
  const key = context.req.header(headers.apiKey) ?? null;
  if (direct && key === null) return sandboxAccount;
  const caller = await identify(guard, key, context.env);
  if (!direct && caller.accountId !== sandboxAccount)
    throw new DomainError('FORBIDDEN', { params: { scope: 'sandbox' } });
  return caller.accountId;
}

type CheckWorld = (request: Pick<SentRequest, 'header'>) => void;

/** Creates a check that rejects a request for a world that this sandbox can't have, because another world would handle it. */
const createWorldCheck =
  (hasWorlds: boolean): CheckWorld =>
  (request) => {
    const name = request.header(headers.world);
    if (name === null || (hasWorlds && isWorldName(name))) return;
    throw invalidFields({ [headers.world]: [{ rule: hasWorlds ? 'worldName' : 'worldStore' }] });
  };

const done = (data: object): Response => toResponse(jsonResponse(200, { success: true, data }));

/**
 * Mounts the control routes of a sandbox (source: ours): `POST /sandbox/orders/{order_id}/{action}` with one of {@link sandboxActions}, and
 * {@link sandboxWorldRoutes}.
 */
function mountControls(
  site: Site,
  sandbox: Sandbox,
  journal: RequestJournal,
  { guard, localTime, maxBodyBytes, checkWorld }: RouteTools & { checkWorld: CheckWorld },
): void {
  const world = (): Response => {
    const { now, ahead } = sandbox.world();
    const { scenario } = sandbox.active;
    return done({ now: localTime(now).iso, ahead_ms: ahead, scenario, scenarios: sandboxScenarios });
  };

  const accounts = new WeakMap<RequestContext, string>();
  site.use(`${ownPaths.sandbox}/*`, async (context, next) => {
    checkWorld(context.env.request);
    accounts.set(context.env, await requireAccess(context, guard));
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
  site.get(`${ownPaths.sandbox}/requests`, ({ env }) =>
    done({ requests: journal.list(readQuery(journalFields, env.request.target, defaultLimits)) }),
  );
  for (const [name, control] of Object.entries(controls))
    site.on(control.method, `${ownPaths.sandbox}/${name}`, async ({ env }) => {
      const { request } = env;
      const limit = control.document === undefined ? maxBodyBytes : maxDocumentBytes;
      const sent = control.method === 'POST' ? await readJsonBody(request, limit) : {};
      return done(await control.run(sandbox, readControlInput(control, sent), accounts.get(env)));
    });
  site.all(`${ownPaths.sandbox}/*`, () => {
    throw new DomainError('ROUTE_NOT_FOUND');
  });
}

/** Adds a sandbox to an app: its control routes, its journal, and the effects of its faults on calls. */
export function sandboxInApp(
  sandbox: Sandbox,
  journal: RequestJournal,
  { hasWorlds, ...of }: { findOrder: Store['findOrder']; maxBodyBytes: number; hasWorlds: boolean },
): AppRoom {
  const calls = createCallControl({ ...of, faults: sandbox.faults, header: headers.scenario });
  const checkWorld = createWorldCheck(hasWorlds);
  return {
    calls: {
      ...calls,
      headers: [...calls.headers, headers.world],
      async around(operation, call, handle) {
        checkWorld(call.request);
        return calls.around(operation, call, handle);
      },
    },
    begin: journal.begin,
    mount: (site, tools) => mountControls(site, sandbox, journal, { ...tools, checkWorld }),
  };
}
