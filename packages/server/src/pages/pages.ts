import {
  type AppSettings,
  forbidden,
  isFromAnotherSite,
  ownPaths,
  type RequestContext,
  type Site as Router,
  type Urls,
} from '@topup-kit/core/app';
import type { Locale, Localised } from '@topup-kit/core/contract';
import { DomainError, type Engine, isStoreFailure } from '@topup-kit/core/engine';
import type { Clock } from '@topup-kit/core/platform';
import type { Context, MiddlewareHandler } from 'hono';
import { createApiPage } from './api-page.ts';
import type { ControlRoute } from './api-page-request.ts';
import { errorPage } from './error-page.ts';
import { pagePath, paymentPage } from './payment-page.ts';
import { type PageAction, pageActions } from './payment-texts.ts';
import { type ConsoleDoor, createRootPage } from './root-page.ts';
import { type Shop, shopFront } from './shop-front.ts';

/** Request with the service's data about it, such as its language. */
type PageRequest = Context<{ Bindings: RequestContext }>;
type Handle = MiddlewareHandler<{ Bindings: RequestContext }>;

export interface PageDependencies {
  engine: Engine;
  settings: AppSettings;
  shop: Shop;
  urls: Urls;
  /** Reason why the store rejects writes; null while it accepts them. */
  failure: () => Error | null;
  /** Performs the action of a button on the payment page; undefined in live mode, where the page has no buttons. */
  act: ((orderId: string, action: PageAction) => Promise<unknown>) | undefined;
  /** Routes of a sandbox; none in live mode. */
  controls: readonly ControlRoute[];
  /** Access to the console; null if there is no console. */
  console: ConsoleDoor | null;
  /** World time in unix milliseconds. */
  now: Clock;
  /** Called if a page could not be rendered, unless the store has already reported the reason. */
  reportError: (error: unknown) => void;
}

const onlyThePage: Localised = {
  id: 'Hanya halaman pembayaran itu sendiri yang boleh melakukan ini.',
  en: 'Only the payment page itself may do this.',
};

/** Handles `POST /pay/{reference}/{action}` of a sandbox and redirects to the page. Returns undefined if the reference is unknown. */
async function actOnPage(
  context: PageRequest,
  action: PageAction,
  { engine, act, urls }: { engine: Engine; act: NonNullable<PageDependencies['act']>; urls: Urls },
): Promise<Response | undefined> {
  if (isFromAnotherSite(context.req.raw)) return forbidden(onlyThePage, context.env.locale);
  const order = await engine.orders.findByPage(context.req.param('reference') ?? '');
  if (!order) return undefined;
  try {
    await act(order.orderId, action);
  } catch (error) {
    // The button was pressed twice or too late; the page will show the current state.
    if (!(error instanceof DomainError && error.code === 'STATE_CONFLICT')) throw error;
  }
  return context.redirect(pagePath(order, urls), 303);
}

/** Adds the root page, the payment page with its buttons in a sandbox, and the API page. */
export function mountPages(router: Router, deps: PageDependencies): void {
  const { engine, settings, shop, urls, act, controls, now, reportError } = deps;

  /** Turns an error into a page for the customer, because the app would respond with JSON. */
  const page =
    (handle: Handle): Handle =>
    async (context, next) => {
      try {
        return await handle(context, next);
      } catch (error) {
        if (isStoreFailure(error)) return errorPage(503, context.env.locale);
        reportError(error);
        return errorPage(500, context.env.locale);
      }
    };

  router.get(
    `${ownPaths.pay}/:reference`,
    page(async ({ req, env: { locale } }) => {
      const order = await engine.orders.findByPage(req.param('reference') ?? '');
      if (!order) return errorPage(404, locale);
      return paymentPage(order, {
        settings: { ...settings, locale },
        shop,
        urls,
        now: now(),
        sandbox: act !== undefined,
      });
    }),
  );
  if (act)
    for (const action of pageActions)
      router.post(
        `${ownPaths.pay}/:reference/${action}`,
        page(async (context, next) => (await actOnPage(context, action, { engine, act, urls })) ?? next()),
      );
  async function front(locale: Locale): Promise<Response> {
    const { games, paymentMethods } = await engine.catalog();
    const isOpen =
      deps.failure() === null && [games, paymentMethods].every((sold) => sold.some(({ status }) => status));
    return shopFront(shop, { isOpen, locale });
  }
  const showRoot = createRootPage(settings, deps.console, act ? undefined : front);
  router.get(
    '/',
    page(({ req, env }) => showRoot(req.raw, env)),
  );
  router.get(ownPaths.docs, page(createApiPage(settings, act ? 'sandbox' : 'live', controls)));
}
