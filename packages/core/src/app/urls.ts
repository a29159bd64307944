import type { CatalogGame, CatalogPaymentMethod, CatalogProduct, StoredOrder } from '../store/index.ts';
import { ownPaths } from './paths.ts';

/** Absolute URLs of pictures and payment pages. */
export interface Urls {
  gameImage(game: Pick<CatalogGame, 'slug' | 'image'>): string;
  gameBanner(game: Pick<CatalogGame, 'slug' | 'banner'>): string;
  productImage(product: Pick<CatalogProduct, 'id' | 'image'>): string;
  paymentMethodImage(method: Pick<CatalogPaymentMethod, 'id' | 'image'>): string;
  /** Returns the URL at which to pay an order: the gateway's page or the service's own page. */
  payment(order: PaidAt): string;
  /** Returns the URL of the service's own payment page for an order. */
  page(order: PaidAt): string;
  pageOf(reference: string): string;
  qrImage(order: PaidAt): string;
}

/** The parts of an order that its payment URLs contain. */
type PaidAt = Pick<StoredOrder, 'pageReference' | 'payment'>;

/** Folders of pictures that the service draws. */
export const pictureFolders = {
  games: `${ownPaths.assets}/games`,
  banners: `${ownPaths.assets}/banners`,
  products: `${ownPaths.assets}/products`,
  paymentMethods: `${ownPaths.assets}/payment-methods`,
} as const;

/** Returns the path of a payment page below the public URL. `reference` is the order's page reference, or else the gateway's reference. */
export const paymentPath = (reference: string): string => `${ownPaths.pay}/${encodeURIComponent(reference)}`;

/**
 * Creates URLs from the service's public URL, never from a request.
 *
 * @example
 * createUrls('https://shop.example').gameImage({ image: null, slug: 'valorant' }); // 'https://shop.example/assets/games/valorant.svg'
 */
export function createUrls(publicUrl: string): Urls {
  const picture = (folder: string, name: string | number): string => `${publicUrl}${folder}/${name}.svg`;
  const pageOf = (reference: string): string => publicUrl + paymentPath(reference);
  const page = ({ pageReference, payment }: PaidAt): string => pageOf(pageReference ?? payment.reference);
  return {
    gameImage: ({ image, slug }) => image ?? picture(pictureFolders.games, slug),
    gameBanner: ({ banner, slug }) => banner ?? picture(pictureFolders.banners, slug),
    productImage: ({ image, id }) => image ?? picture(pictureFolders.products, id),
    paymentMethodImage: ({ image, id }) => image ?? picture(pictureFolders.paymentMethods, id),
    payment: (order) => order.payment.url ?? page(order),
    page,
    pageOf,
    qrImage: (order) => `${page(order)}/qr.svg`,
  };
}
