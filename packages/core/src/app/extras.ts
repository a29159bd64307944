import { type Engine, Refusal } from '../engine/index.ts';
import { jsonAnswer, type Site, toResponse } from './http.ts';
import { catalogPictures, drawPaymentQr, pictureHeaders } from './pictures.ts';
import type { AppSettings } from './settings.ts';
import { paymentStatusView } from './views/invoice.ts';

function mountPictures(site: Site, engine: Engine): void {
  const shown = (picture: string | undefined): Response => {
    if (picture === undefined) throw new Refusal('ROUTE_NOT_FOUND');
    return new Response(picture, { headers: pictureHeaders });
  };
  for (const [folder, draw] of Object.entries(catalogPictures))
    site.get(`${folder}/:file`, async ({ req }) => {
      const [, name] = /^(.+)\.svg$/.exec(req.param('file')) ?? [];
      return shown(name === undefined ? undefined : await draw(engine, name));
    });
  site.get('/pay/:reference/qr.svg', async ({ req }) =>
    shown(await drawPaymentQr(engine, req.param('reference'))),
  );
}

/** `GET /pay/{payment_reference}/status`: the state of a payment, for its page (source: ours). */
function mountPaymentState(site: Site, engine: Engine): void {
  site.get('/pay/:reference/status', async ({ req }) => {
    const order = await engine.orders.findByReference(req.param('reference'));
    if (!order) throw new Refusal('ROUTE_NOT_FOUND');
    return toResponse(jsonAnswer(200, paymentStatusView(order)));
  });
}

/** `GET /health`: whether the service answers and its store takes orders (source: ours). */
function mountHealth(site: Site, engine: Engine, failure: () => Error | null): void {
  site.get('/health', async () => {
    const unavailable = (cause: unknown): never => {
      throw new Refusal('UNAVAILABLE', { cause });
    };
    await engine.catalog().catch(unavailable);
    const cause = failure();
    if (cause) unavailable(cause);
    return toResponse(jsonAnswer(200, { status: 'ok' }));
  });
}

/** `GET /openapi.json`, without a key; loaded when first asked for, so that nobody else carries it (source: ours). */
function mountOpenApi(site: Site, { publicUrl, basePath, limits }: AppSettings): void {
  site.get('/openapi.json', async () => {
    const { createOpenApi } = await import('../contract/openapi/index.ts');
    return toResponse(jsonAnswer(200, createOpenApi({ serverUrl: publicUrl + basePath, limits })));
  });
}

/** What the service serves beside the interface, without a key. */
export function mountExtras(
  site: Site,
  { engine, settings, failure }: { engine: Engine; settings: AppSettings; failure: () => Error | null },
): void {
  mountPictures(site, engine);
  mountPaymentState(site, engine);
  mountHealth(site, engine, failure);
  mountOpenApi(site, settings);
}
