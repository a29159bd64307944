import type { CatalogGame, CatalogPaymentMethod, CatalogProduct, Payment } from '../store/index.ts';

/** Absolute addresses of what the service shows. */
export interface Urls {
  gameImage(game: Pick<CatalogGame, 'slug' | 'image'>): string;
  gameBanner(game: Pick<CatalogGame, 'slug' | 'banner'>): string;
  productImage(product: Pick<CatalogProduct, 'id' | 'image'>): string;
  paymentMethodImage(method: Pick<CatalogPaymentMethod, 'id' | 'image'>): string;
  payment(payment: Pick<Payment, 'url' | 'reference'>): string;
  qrImage(payment: Pick<Payment, 'reference'>): string;
}

/** Where the pictures are that a catalogue leaves to the service to draw. */
export const pictureFolders = {
  games: '/assets/games',
  banners: '/assets/banners',
  products: '/assets/products',
  paymentMethods: '/assets/payment-methods',
} as const;

/** The page of a payment, below the public URL. */
export const paymentPath = (reference: string): string => `/pay/${encodeURIComponent(reference)}`;

/**
 * Builds addresses from where clients reach the service, never from a request.
 *
 * @example
 * createUrls('https://shop.example').payment({ url: null, reference: 'SIM1' }); // 'https://shop.example/pay/SIM1'
 */
export function createUrls(publicUrl: string): Urls {
  const picture = (folder: string, name: string | number): string => `${publicUrl}${folder}/${name}.svg`;
  return {
    gameImage: ({ image, slug }) => image ?? picture(pictureFolders.games, slug),
    gameBanner: ({ banner, slug }) => banner ?? picture(pictureFolders.banners, slug),
    productImage: ({ image, id }) => image ?? picture(pictureFolders.products, id),
    paymentMethodImage: ({ image, id }) => image ?? picture(pictureFolders.paymentMethods, id),
    payment: ({ url, reference }) => url ?? publicUrl + paymentPath(reference),
    qrImage: ({ reference }) => `${publicUrl}${paymentPath(reference)}/qr.svg`,
  };
}
