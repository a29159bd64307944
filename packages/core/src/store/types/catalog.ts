import type { PaymentGroup, TargetField } from '../../contract/index.ts';

/** A product of a game. Money is in the smallest unit: integer rupiah. */
export interface CatalogProduct {
  id: number;
  /** What the supplier knows the product by; unique in the catalogue. */
  code: string;
  title: string;
  /** The heading the product stands under on a product page. */
  category: { id: number; title: string } | null;
  selling_price: number;
  /** The unit price while `is_promo` is true. */
  promo_price: number | null;
  is_promo: boolean;
  /** Closed products are shown but can't be ordered. */
  status: boolean;
  /** Absolute URL; without one the service draws a picture. */
  image: string | null;
}

export interface CatalogGame {
  id: number;
  slug: string;
  title: string;
  developers: string;
  brand: string;
  category_id: number;
  description: string;
  /** Absolute URL; without one the service draws a picture. */
  image: string | null;
  banner: string | null;
  /** Closed games are shown but can't be ordered. */
  status: boolean;
  /** Hidden games don't exist for a client. */
  hidden: boolean;
  populer: boolean;
  sort: number;
  /** What an order must say about the account to top up. */
  fields: TargetField[];
  products: CatalogProduct[];
}

/** A way to pay. Its group decides what the customer pays to, how long, and whether a unique code is added. */
export interface CatalogPaymentMethod {
  id: number;
  code: string;
  name: string;
  group: PaymentGroup;
  /** Flat fee. */
  fee: number;
  /** Percentage fee in basis points: 70 is 0.7 %. */
  fee_basis_points: number;
  /** The least fee. */
  minimum_fee: number;
  /** Limits on an order's total. */
  minimum_amount: number;
  maximum_amount: number;
  /** Closed methods can't be used. */
  status: boolean;
  /** Absolute URL; without one the service draws a picture. */
  image: string | null;
}

/** What a promo takes off one unit: a share in basis points (1000 is 10 %), or an amount. */
export type Discount =
  | { type: 'PERCENT'; basis_points: number; max_discount: number | null }
  | { type: 'FIXED'; value: number; max_discount: number | null };

/** A promo code and its rules; an empty list of games, products or methods means all of them. */
export interface Promo {
  code: string;
  discount: Discount;
  status: boolean;
  /** ISO 8601 moments; null means without begin or end. */
  starts_at: string | null;
  ends_at: string | null;
  /** How many orders may use it in all; null means any number. */
  quota: number | null;
  /** How many orders one customer (phone number) may use it for; null means any number. */
  per_customer: number | null;
  /** Least `subtotal_before_promo`. */
  minimum_purchase: number;
  /** Slugs. */
  games: string[];
  products: number[];
  payment_methods: number[];
}

/** All that is for sale: what a catalogue file holds, with its defaults filled in. */
export interface Catalog {
  categories: { id: number; title: string }[];
  games: CatalogGame[];
  payment_methods: CatalogPaymentMethod[];
  promos: Promo[];
}

/** Nothing for sale. */
export const emptyCatalog: Catalog = { categories: [], games: [], payment_methods: [], promos: [] };
