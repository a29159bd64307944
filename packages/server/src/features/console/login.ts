import { ownPaths } from '@topup-kit/core/app';
import {
  consoleSessionMs,
  findConsoleLink,
  isStoreFailure,
  openConsoleSession,
} from '@topup-kit/core/engine';
import type { ConsoleSession, LinkConflict } from '@topup-kit/core/store';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { html } from '../../pages/html.ts';
import type { Router } from '../../service/site.ts';
import {
  type AccessDependencies,
  type Admit,
  createAdmit,
  createRejections,
  hasToken,
  isFromConsole,
  type PageRequest,
  sessionCookie,
  takesLogins,
} from './access.ts';
import { accessTexts, linkCommand, renderAccessPage } from './access-page.ts';
import { readForm } from './form.ts';

/** Tells whether the browser uses TLS, to the server or to its reverse proxy. */
const isSecure = ({ headers }: Request, url: string): boolean =>
  url.startsWith('https:') || headers.get('Origin')?.startsWith('https:') === true;

/**
 * Adds the login and logout routes, and returns the check of visitors. A link first shows a page with a button, so that
 * a preview of the link doesn't use it up, and so that the browser accepts a `SameSite=Strict` cookie.
 */
export function mountLogin(router: Router, deps: AccessDependencies): Admit {
  const { url, store, logger } = deps;
  const admit = createAdmit(deps);
  const path = new URL(url).pathname;
  const reject = createRejections(deps);

  const note = (event: string, { operator, sessionId }: ConsoleSession): void =>
    logger.info({ operator, session: sessionId }, event);

  function useless({ env }: PageRequest, { conflict }: LinkConflict): Promise<Response> {
    const texts = accessTexts[env.locale];
    const content = html`<p>${texts.getLink}</p>
${linkCommand}
${conflict === 'link_used' ? html`<p>${texts.notYou}</p>` : ''}`;
    const status = conflict === 'link_missing' ? 404 : 410;
    return renderAccessPage({ status, title: texts[conflict], content }, { locale: env.locale, path });
  }

  /** Shows an error of the store as a page. */
  const guarded =
    (respond: (context: PageRequest) => Promise<Response>) =>
    async (context: PageRequest): Promise<Response> => {
      try {
        return await respond(context);
      } catch (error) {
        if (!isStoreFailure(error)) throw error;
        return reject.storeFails(context);
      }
    };

  /** Handles a request with a login link, within the limit per address. */
  const withLink = (respond: (context: PageRequest, secret: string) => Promise<Response>) =>
    guarded(async (context) => {
      const { allowed, headers } = deps.count('console-login', context.env.connection);
      if (!allowed) return reject.tooMany(context, headers);
      return respond(context, context.req.param('secret') ?? '');
    });

  async function showLink(context: PageRequest, secret: string): Promise<Response> {
    const link = await findConsoleLink(deps, secret);
    if ('conflict' in link) return useless(context, link);
    const { logIn, logInText } = accessTexts[context.env.locale];
    const title = `${logIn} ${link.operator}`;
    const content = html`<p>${logInText}</p><form method="post"><button class="main">${title}</button></form>`;
    return renderAccessPage({ status: 200, title, content }, { locale: context.env.locale, path });
  }

  async function useLink(context: PageRequest, secret: string): Promise<Response> {
    const request = context.req.raw;
    if (!isFromConsole(request, url)) return reject.fromOtherPage(context);
    const opened = await openConsoleSession(deps, secret);
    if ('conflict' in opened) return useless(context, opened);
    setCookie(context, sessionCookie, opened.secret, {
      path,
      httpOnly: true,
      sameSite: 'Strict',
      secure: isSecure(request, url),
      maxAge: consoleSessionMs / 1000,
    });
    note('an operator logged in to the console', opened.session);
    return context.redirect(path, 303);
  }

  async function logOut(context: PageRequest): Promise<Response> {
    const visitor = await admit(context);
    if (visitor instanceof Response) return visitor;
    const { token } = await readForm(context);
    if (!hasToken(visitor, token)) return reject.fromOtherPage(context);
    const session = await store.findConsoleSession(
      deps.hash(getCookie(context, sessionCookie) ?? ''),
      deps.realClock(),
    );
    if (session) {
      const { sessionId: subject, operator } = session;
      await store.endConsoleSession(subject);
      const ended = { at: deps.realClock(), operator, action: 'console.ended' } as const;
      await store.addActivity({ ...ended, subject, amount: null });
      note('an operator logged out of the console', session);
    }
    deleteCookie(context, sessionCookie, { path });
    return context.redirect(path, 303);
  }

  if (!takesLogins(deps)) return admit;
  router.get(`${ownPaths.console}/login/:secret`, withLink(showLink));
  router.post(`${ownPaths.console}/login/:secret`, withLink(useLink));
  router.post(`${ownPaths.console}/logout`, guarded(logOut));
  return admit;
}
