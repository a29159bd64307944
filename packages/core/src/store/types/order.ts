import type { BuyStatus, PaymentStatus, Pricing } from '../../contract/index.ts';
import type { CatalogGame, CatalogPaymentMethod, CatalogProduct } from './catalog.ts';

/** What was bought, as it was sold: later changes of the catalogue don't change an order. */
export type OrderedGame = Pick<
  CatalogGame,
  'id' | 'slug' | 'title' | 'developers' | 'brand' | 'description' | 'image' | 'banner' | 'status' | 'populer'
>;
export type OrderedProduct = Pick<CatalogProduct, 'id' | 'code' | 'title' | 'image'>;
export type OrderedPaymentMethod = Pick<CatalogPaymentMethod, 'id' | 'code' | 'name' | 'group'>;

/** What the payment gateway gave to pay with. */
export interface Payment {
  /** The gateway's reference; unique, and unguessable for the simulated gateway. */
  reference: string;
  /** What to pay to: a virtual account number, a shop code, a QR string; null when the gateway gives none. */
  code: string | null;
  /** The page to pay on; null when the gateway gives none. */
  url: string | null;
  /** What a QR picture says, for QR methods. */
  qrString: string | null;
}

/** The two states of an order; the store changes both at once or none. */
export interface OrderState {
  paymentStatus: PaymentStatus;
  buyStatus: BuyStatus;
}

/** An order as it is stored. Moments are unix milliseconds of world time, money is in the smallest unit. */
export interface StoredOrder extends OrderState {
  orderId: string;
  accountId: string;
  createdAt: number;
  expiresAt: number;
  /** The account to top up. */
  target: { id: string; server: string | null; nickname: string | null };
  contact: { email: string | null; whatsapp: string };
  game: OrderedGame;
  product: OrderedProduct;
  paymentMethod: OrderedPaymentMethod;
  pricing: Pricing;
  payment: Payment;
  serialNumber: string | null;
}
