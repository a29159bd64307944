import { type Dialect, type FieldLimits, kitDialect, type Locale } from '../contract/index.ts';
import type { CatalogGame, CatalogPaymentMethod, CatalogProduct, Payment } from '../store/index.ts';

/** What a deployment may limit; a rate of 0 means no limit. */
export interface Limits extends FieldLimits {
  /** Largest request body, in bytes. */
  bodyBytes: number;
  /** Requests a minute for each pair of key and address. */
  readsPerMinute: number;
  ordersPerMinute: number;
}

/** The limits of live mode (open points: limits); a sandbox has no rate limits unless asked for. */
export const defaultLimits: Limits = {
  text: 255,
  quantity: 100,
  bodyBytes: 64 * 1024,
  readsPerMinute: 120,
  ordersPerMinute: 20,
};

export interface AppSettings {
  /** Where clients reach the service: absolute, without a slash at its end. Never taken from a request. */
  publicUrl: string;
  /** Where the interface is mounted: `/api`, or empty. */
  basePath: string;
  /** IANA name of the zone that times are told in. */
  timezone: string;
  locale: Locale;
  /** ISO 4217; for display alone. */
  currency: string;
  limits: Limits;
  /** How the interface's silence is filled; this kit's own way when left out. */
  dialect?: Dialect;
}

/** What settings say of times and of the interface's silence. */
export function resolveDialect({ dialect = kitDialect, timezone }: AppSettings): {
  dialect: Dialect;
  timezone: string;
} {
  return { dialect, timezone: dialect.timezone ?? timezone };
}

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
