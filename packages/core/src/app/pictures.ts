import type { Engine } from '../engine/index.ts';
import { pictureFolders } from './settings.ts';

/** Loaded when the first picture is asked for. */
const load = () => import('../pictures/index.ts');

/** Draws the picture of a name; undefined when there is no such thing. */
type Draw = (engine: Engine, name: string) => Promise<string | undefined>;

/** A picture may run no script and load nothing, wherever it is opened. */
export const pictureHeaders = {
  'Content-Type': 'image/svg+xml',
  'Cache-Control': 'public, max-age=300',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
  'X-Content-Type-Options': 'nosniff',
};

/** The pictures of a catalogue that has none of its own, by their folder; each file is `{name}.svg`. */
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

/** The QR code of a payment that has one. */
export const drawPaymentQr: Draw = async (engine, reference) => {
  const order = await engine.orders.findByReference(reference);
  return order?.payment.qrString ? (await import('uqr')).renderSVG(order.payment.qrString) : undefined;
};
