import type { HttpBindings } from '@hono/node-server';
import type { App, AppSettings, Urls } from '@topup-kit/core/app';
import type { Engine } from '@topup-kit/core/engine';
import { Hono } from 'hono';
import { connectionOf } from './http/connection.ts';
import { paymentPage } from './pages/payment-page.ts';

export type Site = Hono<{ Bindings: HttpBindings }>;

/** All that a server serves: its pages, and the service for everything else. */
export function createSite(deps: {
  app: App;
  engine: Engine;
  settings: AppSettings;
  urls: Urls;
  sandbox: boolean;
}): Site {
  const { app, engine } = deps;
  const site: Site = new Hono();
  site.get('/pay/:reference', async (context, next) => {
    const order = await engine.orders.findByReference(context.req.param('reference'));
    return order ? paymentPage(order, deps) : next();
  });
  site.all('*', ({ req, env }) => app.fetch(req.raw, connectionOf(env.incoming)));
  return site;
}
