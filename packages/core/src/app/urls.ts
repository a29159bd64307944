import type { CatalogGame, CatalogPaymentMethod, CatalogProduct, StoredOrder } from '../store/index.ts';
import { ownPaths } from './paths.ts';

/** Absolute URLs of pictures and payment pages. */
export interface Urls {
  gameImage(game: Pick<CatalogGame, 'slug' | 'image'>): string;
  gameBanner(game: Pick<CatalogGame, 'slug' | 'banner'>): string;
  productImage(product: Pick<CatalogProduct, 'id' | 'image'>): string;
  paymentMethodImage(method: Pick<CatalogPaymentMethod, 'id' | 'image'>): string;
  /** Where the order is paid: at the gateway's page, or at ours. */
  payment(order: PaidAt): string;
  /** Our own page for the order's payment. */
  page(order: PaidAt): string;
  /** The payment page with a reference. */
  pageOf(reference: string): string;
  qrImage(order: PaidAt): string;
}

/** What the addresses of an order's payment are made of. */
type PaidAt = Pick<StoredOrder, 'pageReference' | 'payment'>;

/** The folders of the pictures that the service draws. */
export const pictureFolders = {
  games: `${ownPaths.assets}/games`,
  banners: `${ownPaths.assets}/banners`,
  products: `${ownPaths.assets}/products`,
  paymentMethods: `${ownPaths.assets}/payment-methods`,
} as const;

/** The path of a payment page, below the public URL, by the order's page reference or else the gateway's. */
export const paymentPath = (reference: string): string => `${ownPaths.pay}/${encodeURIComponent(reference)}`;

/**
 * Builds URLs from the service's public URL, never from a request.
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
