import type { CallbackReceiver } from '../callback/index.ts';
import type { FailureReason } from '../contract/index.ts';
import type { SupplierProduct } from '../store/index.ts';

/** One item to deliver to a player. */
export interface SupplyRequest {
  /** {@link supplyReference}: the name of this purchase. Each is submitted once. */
  reference: string;
  /** The supplier's code of the product. */
  productCode: string;
  /** The account to top up; `text` is both in one, as the catalogue's template of the game writes them. */
  target: { id: string; server: string | null; text: string };
  /** What the item may cost at most, so that nothing is sold at a loss: integer in the smallest unit, at least 1. */
  maxPrice: number;
  /** When this reference was first submitted, in unix milliseconds of world time. */
  askedAt: number;
}

/** A purchase to look up. */
export interface FindRequest extends SupplyRequest {
  /** The supplier's own id of the purchase; null when it never gave one. */
  supplierId: string | null;
}

/**
 * The outcome of a purchase so far. `supplierId` is the supplier's own id of it; once known, it is kept. So is `cost`: what the
 * purchase costs, as the supplier says in this response, as an integer in the smallest unit.
 */
export type SupplyResult = {
  supplierId?: string | undefined;
  cost?: number | undefined;
} /** `serialNumber` is empty when the supplier gives none. */ & (
  | { state: 'delivered'; serialNumber: string }
  /**
   * Nothing was or will be delivered or charged for this purchase. `reason` is for operators alone. `kind` is what the customer may
   * know; left out, it is `supplier_failed`. `isTemporary`: the cause passes, so that the item is bought later under another reference.
   */
  | { state: 'failed'; reason: string; kind?: FailureReason | undefined; isTemporary?: boolean | undefined }
  /**
   * There is no outcome yet. With `waitsFor`, surely nothing was bought, and the purchase is submitted again, with the same
   * reference, until it is. `balance`: the account at the supplier holds too little. `supplier`: it takes no purchase of this shop now,
   * because of its address, a key, maintenance or a limit. Of both an operator is told at once. `product`: it can't sell this product
   * now. `reason` is what the supplier says.
   */
  | {
      state: 'pending';
      waitsFor?: 'balance' | 'supplier' | 'product' | undefined;
      reason?: string | undefined;
    }
);

/**
 * The answer to a question about a purchase. `absent`: the supplier has no such purchase and a request that is still on
 * its way can't make one, so it is submitted again. When that isn't certain, throw or return `pending`.
 */
export type FindResult = SupplyResult | { state: 'absent' };

/** An account to look up. */
export interface PlayerRequest {
  /** The slug of the game in the catalogue. */
  game: string;
  id: string;
  server: string | null;
}

/** Whether there is such a player, and the name in the game, if it is known; null where nobody can say it. */
export type PlayerResult = { exists: true; nickname: string | null } | { exists: false } | null;

/** What a supplier can do. */
export interface SupplierAbilities {
  /** By what a purchase can be looked up: our reference, the supplier's own id, or nothing. */
  findBy: 'reference' | 'supplierId' | 'none';
  /**
   * True where `find` by our reference surely buys nothing, so that it may be asked about a purchase that has ended. By the supplier's own
   * id nothing is ever bought.
   */
  findOnlyReads?: boolean;
  /** The least time between two requests about one purchase, in milliseconds. */
  findIntervalMs: number;
  /** The same after a callback of the purchase, where the supplier may then be asked sooner; left out, it may not. */
  callbackFindIntervalMs?: number;
  /**
   * How long after its first submission a purchase may be looked up, in milliseconds; null means for ever. At some
   * suppliers an older reference is a new purchase.
   */
  referenceLifetimeMs: number | null;
}

/** An error that says when the same question may be asked again. */
export interface TooSoon extends Error {
  /** In so many milliseconds. */
  retryAfterMs: number;
}

/** What a callback of a supplier says of a purchase. It names the purchase in at least one way. */
export interface DeliveryCallback {
  /** {@link supplyReference}. */
  reference: string | null;
  /** The supplier's own id of the purchase. */
  supplierId: string | null;
  /** Null when the callback proves nothing, so that the supplier is to be asked with `find`. */
  result: SupplyResult | null;
}

/**
 * Delivers paid orders. Each reference is submitted once; from then on it is only looked up. When a promise rejects, the
 * item may or may not have been bought, so `find` is asked. A purchase that can't be looked up any more has an unknown
 * outcome: it is left to an operator, and never bought again by itself.
 *
 * @example
 * const supplier: Supplier = {
 *   name: 'example',
 *   sandbox: false,
 *   abilities: { findBy: 'supplierId', findIntervalMs: 60_000, referenceLifetimeMs: null },
 *   async submit({ reference, productCode, target }, signal) {
 *     const { id } = await client.buy({ reference, productCode, ...target }, signal);
 *     return { state: 'pending', supplierId: id };
 *   },
 *   async find({ supplierId }, signal) {
 *     const { status, serialNumber, reason } = await client.read(supplierId, signal);
 *     if (status === 'done') return { state: 'delivered', serialNumber };
 *     return status === 'failed' ? { state: 'failed', reason } : { state: 'pending' };
 *   },
 * };
 */
export interface Supplier {
  /** Kept with each purchase: under another name, none of them is asked about any more. */
  name: string;
  /** Whether its deliveries are simulated; a live server refuses to start with it. */
  sandbox: boolean;
  abilities: SupplierAbilities;
  /** Buys an item. */
  submit(request: SupplyRequest, signal: AbortSignal): Promise<SupplyResult>;
  /**
   * Looks a purchase up. Never called when `findBy` is `none`. It buys nothing, with one exception: where a reference is
   * surely bought only once, it may send the purchase again, which also buys what never arrived.
   */
  find(request: FindRequest, signal: AbortSignal): Promise<FindResult>;
  /**
   * Reads everything that can be bought, every `productsIntervalMs`. Orders for what can't be bought, isn't listed or costs
   * more than it brings are rejected before they are paid. The last list is kept in the store, and counts for a day;
   * without one, everything can be bought.
   *
   * When the supplier rejects the question because the last one was too recent, throw a {@link TooSoon}.
   */
  readProducts?(signal: AbortSignal): Promise<SupplierProduct[]>;
  /**
   * The time between two questions for the products, in milliseconds; ten minutes when it is left out. Of several servers on
   * one store, one asks for all.
   */
  productsIntervalMs?: number;
  /** Reads how much money is left for purchases: integer in the smallest unit. */
  readBalance?(signal: AbortSignal): Promise<number>;
  /**
   * Looks a player up, for shops that show the nickname before an order. Resolves with null for a game whose players it can't
   * look up, and rejects when it is not certain whether there is such a player. What it says is kept for an hour.
   */
  findPlayer?(player: PlayerRequest, signal: AbortSignal): Promise<PlayerResult>;
  /** Receives `POST /{name}/webhook`. Without it, the route doesn't exist. */
  callbacks?: CallbackReceiver<DeliveryCallback>;
}

/** One attempt to deliver one unit of an order. */
interface SupplyAttempt {
  orderId: string;
  unit: number;
  attempt: number;
}

/** The reference of an attempt: `{order_id}-{unit}-{attempt}` (open points: states). */
export const supplyReference = ({ orderId, unit, attempt }: SupplyAttempt): string =>
  `${orderId}-${unit}-${attempt}`;

/** Reads a {@link supplyReference}. */
export function readSupplyReference(reference: string): SupplyAttempt {
  const [, orderId = reference, unit = '1', attempt = '1'] = /^(.*)-(\d+)-(\d+)$/.exec(reference) ?? [];
  return { orderId, unit: Number(unit), attempt: Number(attempt) };
}
