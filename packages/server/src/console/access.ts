import { timingSafeEqual } from 'node:crypto';
import { isFromAnotherSite, type RequestContext } from '@topup-kit/core/app';
import { secureRandom } from '@topup-kit/core/platform';
import type { Context } from 'hono';

/** A request with what the service knows about it, such as its language. */
export type PageRequest = Context<{ Bindings: RequestContext }>;

/** Who looks at the console. */
export interface Visitor {
  /** The name that the history of an order gets. */
  operator: string;
  mayAct: boolean;
  /** Whether there is a session, which can be ended. */
  session: boolean;
  /** What each form has to carry, so that no other page can send it. */
  token: string;
}

/** Lets a request in, or returns the response that says why not. */
export type Admit = (context: PageRequest) => Promise<Visitor | Response>;

/** Lets direct requests to a sandbox in, as the operator `console`. */
export function createDirectAccess(): Admit {
  const token = Buffer.from(secureRandom(24)).toString('base64url');
  return async ({ env, req }) =>
    env.connection.direct && !(req.method !== 'GET' && isFromAnotherSite(req.raw))
      ? { operator: 'console', mayAct: true, session: false, token }
      : new Response(null, { status: 404 });
}

/** Whether a form carries the token of its visitor. */
export function hasToken({ token }: Visitor, given: string | undefined): boolean {
  const [expected, sent] = [Buffer.from(token), Buffer.from(given ?? '')];
  return expected.length === sent.length && timingSafeEqual(expected, sent);
}
