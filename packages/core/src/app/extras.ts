import { DomainError, type Engine } from '../engine/index.ts';
import { toResponse } from './fetch.ts';
import { jsonResponse, type PlainResponse, renderedResponse, type Site } from './http.ts';
import { ownPaths } from './paths.ts';
import type { AppSettings } from './settings.ts';
import { pictureFolders } from './urls.ts';
import { paymentStatusView } from './views/order.ts';

/** Loads the drawing code on the first request for a picture. */
const loadPictures = () => import('../pictures/index.ts');

/** Draws a picture by its file name; undefined for an unknown game, product, method or payment. */
type Draw = (engine: Engine, name: string) => Promise<string | undefined>;

/** The headers of a picture. Even if it is opened directly, the policy forbids scripts and loading other files. */
const pictureHeaders = {
  'Content-Type': 'image/svg+xml',
  'Cache-Control': 'public, max-age=300',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
  'X-Content-Type-Options': 'nosniff',
};

/** The functions that draw pictures that the catalogue lacks, by folder. Each file is `{name}.svg`. */
export const catalogPictures: Record<string, Draw> = {
  async [pictureFolders.games](engine, slug) {
    const game = (await engine.catalog()).gameBySlug.get(slug);
    return game && (await loadPictures()).drawGameImage(game);
  },
  async [pictureFolders.banners](engine, slug) {
    const game = (await engine.catalog()).gameBySlug.get(slug);
    return game && (await loadPictures()).drawGameBanner(game);
  },
  async [pictureFolders.products](engine, id) {
    const entry = (await engine.catalog()).productById.get(Number(id));
    return entry && (await loadPictures()).drawProductImage({ ...entry.product, brand: entry.game.brand });
  },
  async [pictureFolders.paymentMethods](engine, id) {
    const method = (await engine.catalog()).paymentMethodById.get(Number(id));
    return method && (await loadPictures()).drawPaymentMethodImage(method);
  },
};

/** The headers of a QR code. Only the paying customer may cache it. */
const qrHeaders = { ...pictureHeaders, 'Cache-Control': 'private, max-age=300' };

const drawPaymentQr: Draw = async (engine, reference) => {
  const order = await engine.orders.findByPage(reference);
  return order?.payment.qrString ? (await import('uqr')).renderSVG(order.payment.qrString) : undefined;
};

function mountPictures(site: Site, engine: Engine): void {
  const svgResponse = (
    picture: string | undefined,
    headers: Record<string, string> = pictureHeaders,
  ): Response => {
    if (picture === undefined) throw new DomainError('ROUTE_NOT_FOUND');
    return new Response(picture, { headers });
  };
  for (const [folder, draw] of Object.entries(catalogPictures))
    site.get(`${folder}/:file`, async ({ req }) => {
      const [, name] = /^(.+)\.svg$/.exec(req.param('file')) ?? [];
      return svgResponse(name === undefined ? undefined : await draw(engine, name));
    });
  site.get(`${ownPaths.pay}/:reference/qr.svg`, async ({ req }) =>
    svgResponse(await drawPaymentQr(engine, req.param('reference')), qrHeaders),
  );
}

/** Mounts `GET /pay/{reference}/status`, which returns a payment's state for its page (source: ours). */
function mountPaymentState(site: Site, engine: Engine): void {
  site.get(`${ownPaths.pay}/:reference/status`, async ({ req }) => {
    const order = await engine.orders.findByPage(req.param('reference'));
    if (!order) throw new DomainError('ROUTE_NOT_FOUND');
    return toResponse(jsonResponse(200, paymentStatusView(order)));
  });
}

/** Mounts `GET /health`, which tells whether the service runs and its store accepts orders (source: ours). */
function mountHealth(site: Site, engine: Engine, failure: () => Error | null): void {
  site.get(ownPaths.health, async () => {
    const unavailable = (cause: unknown): never => {
      throw new DomainError('UNAVAILABLE', { cause });
    };
    await engine.checkStore().catch(unavailable);
    const cause = failure();
    if (cause) unavailable(cause);
    return toResponse(jsonResponse(200, { status: 'ok' }));
  });
}

/** Mounts `GET /openapi.json`, which needs no key (source: ours). The document is rendered at the first request, to keep start-up fast. */
function mountOpenApi(site: Site, { publicUrl, basePath, limits }: AppSettings): void {
  let rendered: Promise<PlainResponse> | undefined;
  async function render(): Promise<PlainResponse> {
    const { createOpenApi } = await import('../contract/openapi/index.ts');
    const document = createOpenApi({ serverUrl: publicUrl + basePath, limits });
    return renderedResponse(200, new TextEncoder().encode(JSON.stringify(document)));
  }
  site.get(ownPaths.openApi, async () => {
    rendered ??= render();
    return toResponse(await rendered);
  });
}

/** Mounts the routes outside the interface. They need no key. */
export function mountExtras(
  site: Site,
  { engine, settings, failure }: { engine: Engine; settings: AppSettings; failure: () => Error | null },
): void {
  mountPictures(site, engine);
  mountPaymentState(site, engine);
  mountHealth(site, engine, failure);
  mountOpenApi(site, settings);
}
