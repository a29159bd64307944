import { type Dialect, defaultFieldLimits, kitDialect, type Limits, type Locale } from '../contract/index.ts';
import type { CatalogGame, CatalogPaymentMethod, CatalogProduct, StoredOrder } from '../store/index.ts';
import { ownPaths } from './paths.ts';

/** The default limits of live mode for one person (`docs/open-points.md`, limits). A sandbox has no rate limits by default. */
export const defaultLimits: Limits = {
  ...defaultFieldLimits,
  bodyBytes: 64 * 1024,
  readsPerMinute: 120,
  ordersPerMinute: 20,
};

/** The default rates of live mode for a key: one key and one address place the orders of all customers of a shop. */
export const shopRates = { readsPerMinute: 6_000, ordersPerMinute: 600 };

export interface AppSettings {
  /** The absolute URL at which clients reach the service, without a trailing slash. It is never taken from a request. */
  publicUrl: string;
  /** The path of the interface: `/api`, or empty. */
  basePath: string;
  /** IANA name of the time zone for times in responses. */
  timezone: string;
  locale: Locale;
  /** ISO 4217 code; only for display. */
  currency: string;
  limits: Limits;
  /** How the service behaves where the interface leaves a choice open; this kit's own dialect when left out. */
  dialect?: Dialect;
}

/** The dialect and the time zone in effect. */
export function resolveDialect({ dialect = kitDialect, timezone }: AppSettings): {
  dialect: Dialect;
  timezone: string;
} {
  return { dialect, timezone: dialect.timezone ?? timezone };
}

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
  const page = ({ pageReference, payment }: PaidAt): string =>
    publicUrl + paymentPath(pageReference ?? payment.reference);
  return {
    gameImage: ({ image, slug }) => image ?? picture(pictureFolders.games, slug),
    gameBanner: ({ banner, slug }) => banner ?? picture(pictureFolders.banners, slug),
    productImage: ({ image, id }) => image ?? picture(pictureFolders.products, id),
    paymentMethodImage: ({ image, id }) => image ?? picture(pictureFolders.paymentMethods, id),
    payment: (order) => order.payment.url ?? page(order),
    page,
    qrImage: (order) => `${page(order)}/qr.svg`,
  };
}
