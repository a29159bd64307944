/** A game category (interface 2.2). */
export interface Category {
  id: number;
  title: string;
}

/** A game as `populerGames` lists it (interface 2.1, without `category`). */
export interface Game {
  id: number;
  /** Absolute URL of the game's image. */
  image: string;
  /** Absolute URL of the banner image. */
  banner: string;
  title: string;
  developers: string;
  brand: string;
  category_id: number;
  /** The text key that an order's `game` field takes. */
  slug: string;
  description: string;
  /** Whether the game can be ordered. */
  status: boolean;
  /** Whether the game is popular; the interface spells it so. */
  populer: boolean;
  sort: number;
}

/** A game as `games` lists it (interface 2.1, with `category`). */
export interface GameWithCategory extends Game {
  category: Category;
}

/** Something to buy for a game (source: live). Money is in the smallest unit: integer rupiah. */
export interface Product {
  id: number;
  game_id: number;
  code: string;
  title: string;
  brand: string;
  logo: string;
  image: string;
  selling_price: number;
  /** The unit price while `is_promo` is true. */
  promo_price: number | null;
  is_promo: boolean;
  category: Category | null;
  status: boolean;
}

/** What an order's target needs for a game (source: ours). */
export interface TargetField {
  name: 'id' | 'server';
  label: string;
  required: boolean;
  /** The values the field takes; absent when any text will do. */
  options?: string[];
}

/** A game with all that a product page needs (source: ours). */
export interface GameDetail extends GameWithCategory {
  products: Product[];
  fields: TargetField[];
}

export const paymentGroups = ['QRIS', 'Virtual Account', 'Retail', 'E-Wallet', 'Bank Transfer'] as const;
export type PaymentGroup = (typeof paymentGroups)[number];

/** A way to pay (source: live). Money is in the smallest unit: integer rupiah. */
export interface PaymentMethod {
  id: number;
  code: string;
  name: string;
  /** Absolute URL of the method's logo. */
  images: string;
  group: PaymentGroup;
  /** `direct`: the shop shows a code to pay to; `redirect`: the customer pays on another page. */
  type: 'direct' | 'redirect';
  /** Flat fee. */
  fee: number;
  /** Percentage fee on top of the flat one, in per cent: 0.7 is 0.7 %. */
  fee_percent: number;
  minimum_amount: number;
  maximum_amount: number;
  status: boolean;
}

/** Answer of `GET /games` (interface 4.1). */
export interface GameListAnswer {
  success: true;
  games: GameWithCategory[];
  populerGames: Game[];
}

/** Answer of `GET /games/{slug}` (path: live, body: ours). */
export interface GameAnswer {
  success: true;
  data: GameDetail;
}

/** Answer of `GET /order/{slug}`: what a checkout needs (source: live). */
export interface CheckoutAnswer {
  success: true;
  game: GameDetail;
  paymentMethods: PaymentMethod[];
}
