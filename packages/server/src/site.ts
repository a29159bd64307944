import type { HttpBindings } from '@hono/node-server';
import type { App, AppSettings, Urls } from '@topup-kit/core/app';
import type { Engine, Sandbox } from '@topup-kit/core/engine';
import type { Clock } from '@topup-kit/core/platform';
import { Hono } from 'hono';
import { connectionOf } from './http/connection.ts';
import { createApiPage } from './pages/api-page.ts';
import { errorPage } from './pages/error-page.ts';
import { paymentPage } from './pages/payment-page.ts';
import { pageActions } from './pages/payment-texts.ts';
import { actOnPage } from './pages/sandbox-actions.ts';

export type Site = Hono<{ Bindings: HttpBindings }>;

/** All that a server serves: its pages, and the service for everything else. */
export function createSite(deps: {
  app: App;
  engine: Engine;
  settings: AppSettings;
  urls: Urls;
  /** The hands on a sandbox's world; none in live mode, and no buttons then. */
  sandbox: Sandbox | undefined;
  /** World time in unix milliseconds. */
  now: Clock;
  /** Told of every page that could not be made. */
  reportError: (error: unknown) => void;
}): Site {
  const { app, engine, settings, urls, sandbox, now, reportError } = deps;
  const site: Site = new Hono();
  site.get('/pay/:reference', async ({ req }) => {
    const order = await engine.orders.findByReference(req.param('reference'));
    if (!order) return errorPage(404, settings.locale);
    return paymentPage(order, { settings, urls, now: now(), sandbox: sandbox !== undefined });
  });
  if (sandbox)
    for (const action of pageActions)
      site.post(
        `/pay/:reference/${action}`,
        async (context, next) => (await actOnPage(context, action, { engine, sandbox, urls })) ?? next(),
      );
  site.get('/docs', createApiPage(settings));
  site.onError((error) => {
    reportError(error);
    return errorPage(500, settings.locale);
  });
  site.all('*', ({ req, env }) => app.fetch(req.raw, connectionOf(env.incoming)));
  return site;
}
