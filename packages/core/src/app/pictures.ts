import type { Engine } from '../engine/index.ts';
import { pictureFolders } from './settings.ts';

/** Loads the drawing code on the first request for a picture. */
const load = () => import('../pictures/index.ts');

/** Draws a picture by its file name; undefined when there is no such game, product, method or payment. */
type Draw = (engine: Engine, name: string) => Promise<string | undefined>;

/** The policy forbids scripts and loading of other files, also when the picture is opened on its own. */
export const pictureHeaders = {
  'Content-Type': 'image/svg+xml',
  'Cache-Control': 'public, max-age=300',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
  'X-Content-Type-Options': 'nosniff',
};

/** Draws the pictures that a catalogue doesn't have itself, by folder; each file is `{name}.svg`. */
export const catalogPictures: Record<string, Draw> = {
  async [pictureFolders.games](engine, slug) {
    const game = (await engine.catalog()).findGame(slug);
    return game && (await load()).drawGameImage(game);
  },
  async [pictureFolders.banners](engine, slug) {
    const game = (await engine.catalog()).findGame(slug);
    return game && (await load()).drawGameBanner(game);
  },
  async [pictureFolders.products](engine, id) {
    const found = (await engine.catalog()).findProduct(Number(id));
    return found && (await load()).drawProductImage({ ...found.product, brand: found.game.brand });
  },
  async [pictureFolders.paymentMethods](engine, id) {
    const method = (await engine.catalog()).findPaymentMethod(Number(id));
    return method && (await load()).drawPaymentMethodImage(method);
  },
};

/** The headers of a QR code, which only the customer of its payment may keep. */
export const qrHeaders = { ...pictureHeaders, 'Cache-Control': 'private, max-age=300' };

/** Draws the QR code of a payment, if it has one. */
export const drawPaymentQr: Draw = async (engine, reference) => {
  const order = await engine.orders.findByPage(reference);
  return order?.payment.qrString ? (await import('uqr')).renderSVG(order.payment.qrString) : undefined;
};
