import type { OrderRequest, PaymentGroup } from '../contract/index.ts';

/** What a payment method is known to charge and to take. Money is in the smallest unit. */
export interface MethodFacts {
  id: number;
  code: string;
  group: PaymentGroup;
  /** Flat fee. */
  fee: number;
  /** Percentage fee in hundredths of a per cent: 70 is 0.7 %. */
  basisPoints: number;
  minimumFee: number;
  minimum: number;
  maximum: number;
}

/** Promo codes that are refused for the sample's order, each for its own reason. */
export interface RefusedPromos {
  inactive: string;
  notStarted: string;
  expired: string;
  usedUp: string;
  /** Takes 50,000 at least; the sample's order stays below. */
  minimum50k: string;
  otherGame: string;
  otherProduct: string;
  otherMethod: string;
}

/**
 * What the cases may order of a service. Only `order` is needed; a case that needs a part that is left out
 * is skipped, and says so.
 */
export interface Sample {
  /** An order that is taken as it stands: required fields, and the server when the game needs one. */
  order: OrderRequest;
  /** A promo that the order may use any number of times. */
  promoCode?: string;
  /** A promo that a customer may use once. */
  oncePromoCode?: string;
  /** A product that belongs to another game than the order's. */
  otherGameProductId?: number;
  /** The order's game needs a server. */
  needsServer?: true;
  /** Slug of a game that is shown but closed. */
  closedGame?: string;
  /** Slug of a game that clients don't see. */
  hiddenGame?: string;
  /** A product that can't be ordered, and its game. */
  closedProduct?: { game: string; product_id: number };
  closedMethodId?: number;
  refusedPromos?: RefusedPromos;
  /** The methods of the service; the sandbox's stand in the open points. */
  methods?: readonly MethodFacts[];
  /** The cases know products and prices of the sandbox catalogue by heart. */
  sandboxCatalogue?: true;
}
