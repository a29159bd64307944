import type { CountByAddress, RequestContext } from '@topup-kit/core/app';
import { equalInConstantTime, type Locale } from '@topup-kit/core/contract';
import { type ConsoleLoginDependencies, isStoreFailure, visitConsole } from '@topup-kit/core/engine';
import type { RateLimitResult } from '@topup-kit/core/http';
import type { Store } from '@topup-kit/core/store';
import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import type { Logger } from 'pino';
import type { ServerConfig } from '../../config/config.ts';
import { html, type Markup } from '../../pages/html.ts';
import { accessTexts, linkCommand, renderAccessPage, resendForm } from './access-page.ts';
import { readForm } from './form.ts';

/** A request with the service's data about it, such as its language. */
export type PageRequest = Context<{ Bindings: RequestContext }>;

export interface Visitor {
  /** Operator's name for the history. */
  operator: string;
  mayAct: boolean;
  /** True if there is a session to log out of. */
  session: boolean;
  /** Token that each form contains, so that no other site can send a form. */
  token: string;
}

/** Returns the visitor of a request, or the response that rejects it. */
export type Admit = (context: PageRequest) => Promise<Visitor | Response>;

export interface AccessDependencies extends ConsoleLoginDependencies {
  store: ConsoleLoginDependencies['store'] & Pick<Store, 'addActivity'>;
  mode: ServerConfig['mode'];
  console: ServerConfig['console'];
  url: string;
  /** Counts a request without a session. */
  count: CountByAddress;
  logger: Pick<Logger, 'info'>;
}

export const hasConsole = ({ mode, console }: Pick<ServerConfig, 'mode' | 'console'>): boolean =>
  console === undefined ? mode === 'sandbox' : console !== 'off';

/** Tells whether operators can log in. A sandbox without the setting accepts only direct requests. */
export const takesLogins = ({ console }: Pick<AccessDependencies, 'console'>): boolean =>
  console === 'read' || console === 'act';

export const sessionCookie = 'topup_console';

export const hasToken = ({ token }: Visitor, given: string | undefined): boolean =>
  equalInConstantTime(token, given ?? '');

/** Tells whether only a page of the console may send a request. */
const isChange = ({ method }: Request): boolean => method !== 'GET' && method !== 'HEAD';

/** Tells whether a page of the console sent a request: by `Sec-Fetch-Site`, or by the origin if a browser omits it over plain HTTP. */
export function isFromConsole({ headers }: Request, url: string): boolean {
  const site = headers.get('Sec-Fetch-Site');
  if (site !== null) return site === 'same-origin';
  const origin = URL.parse(headers.get('Origin') ?? '');
  return origin !== null && [headers.get('Host'), new URL(url).host].includes(origin.host);
}

export function createRejections({ url, console }: Pick<AccessDependencies, 'url' | 'console'>) {
  const path = new URL(url).pathname;
  const at = ({ env }: PageRequest): { locale: Locale; path: string } => ({ locale: env.locale, path });

  /** Renders a button that sends the form again. */
  async function retry(context: PageRequest): Promise<Markup> {
    const { again, kept } = accessTexts[context.env.locale];
    if (!isChange(context.req.raw)) return html`<p><a class="button" href="">${again}</a></p>`;
    return html`<p>${kept}</p>${resendForm(await readForm(context), again)}`;
  }

  return {
    async notLoggedIn(context: PageRequest): Promise<Response> {
      const texts = accessTexts[context.env.locale];
      const title = getCookie(context, sessionCookie) === undefined ? texts.notLoggedIn : texts.ended;
      const content = html`<p>${takesLogins({ console }) ? texts.getLink : texts.directOnly}</p>
${linkCommand}
${await retry(context)}`;
      return renderAccessPage({ status: 401, title, content }, at(context));
    },
    async storeFails(context: PageRequest): Promise<Response> {
      const texts = accessTexts[context.env.locale];
      const content = html`<p>${texts.storeFailsText}</p>${await retry(context)}`;
      return renderAccessPage({ status: 503, title: texts.storeFails, content }, at(context));
    },
    fromOtherPage(context: PageRequest): Promise<Response> {
      const { otherPage, otherPageText } = accessTexts[context.env.locale];
      const content = html`<p>${otherPageText}</p>`;
      return renderAccessPage({ status: 403, title: otherPage, content }, at(context));
    },
    tooMany(context: PageRequest, headers: RateLimitResult['headers']): Promise<Response> {
      const { tooMany, tooManyText } = accessTexts[context.env.locale];
      const content = html`<p>${tooManyText}</p>`;
      return renderAccessPage({ status: 429, title: tooMany, content, headers }, at(context));
    },
  };
}

/**
 * Admits visitors with a session, and direct requests to a sandbox as the operator `console`. A change must come from a
 * page of the console.
 */
export function createAdmit(deps: AccessDependencies): Admit {
  const { mode, hash, random, count, url } = deps;
  const mayAct = (deps.console ?? 'act') === 'act';
  const reject = createRejections(deps);
  const tokenOf = (secret: string): string => hash(`form ${secret}`);
  const directToken = tokenOf(Buffer.from(random(32)).toString('base64url'));

  async function visitorOf(context: PageRequest): Promise<Visitor | null> {
    const secret = getCookie(context, sessionCookie);
    const session = secret !== undefined && takesLogins(deps) ? await visitConsole(deps, secret) : null;
    if (session && secret !== undefined)
      return { operator: session.operator, mayAct, session: true, token: tokenOf(secret) };
    const isOpen = mode === 'sandbox' && context.env.connection.direct;
    return isOpen ? { operator: 'console', mayAct, session: false, token: directToken } : null;
  }

  return async (context) => {
    if (isChange(context.req.raw) && !isFromConsole(context.req.raw, url))
      return reject.fromOtherPage(context);
    try {
      const visitor = await visitorOf(context);
      if (visitor) return visitor;
    } catch (error) {
      if (!isStoreFailure(error)) throw error;
      return reject.storeFails(context);
    }
    const { allowed, headers } = count('console', context.env.connection);
    return allowed ? reject.notLoggedIn(context) : reject.tooMany(context, headers);
  };
}
