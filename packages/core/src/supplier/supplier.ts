import type { CallbackReceiver } from '../callback/index.ts';
import type { FailureReason } from '../contract/index.ts';
import type { SupplierProduct } from '../store/index.ts';

/** One unit to deliver to a player. */
export interface PurchaseRequest {
  /** {@link supplyReference} of this purchase. Each reference is submitted once. */
  reference: string;
  /** The supplier's code of the product. */
  productCode: string;
  /** The account to top up. `text` combines id and server by the game's template in the catalogue. */
  target: { id: string; server: string | null; text: string };
  /** Maximum cost of the unit, so that nothing is sold at a loss: integer in the smallest unit, at least 1. */
  maxPrice: number;
  /** Time of the first submission of this reference, in unix milliseconds of world time. */
  askedAt: number;
}

/** A purchase to look up. */
export interface FindPurchaseRequest extends PurchaseRequest {
  /** The supplier's own id of the purchase; null if the supplier gave none. */
  supplierId: string | null;
}

/**
 * The current result of a purchase. `supplierId` is the supplier's own id of the purchase, and `cost` is its cost as an integer in the
 * smallest unit. Both are kept once they are known.
 */
export type PurchaseResult = {
  supplierId?: string | undefined;
  cost?: number | undefined;
} /** `serialNumber` is empty when the supplier gives none. */ & (
  | { state: 'delivered'; serialNumber: string }
  /**
   * Nothing was or will be delivered or charged for this purchase. `reason` is only for operators. `kind` is the reason for the customer,
   * `supplier_failed` by default. `isTemporary` means that the cause will pass, so that the unit is bought later with another reference.
   */
  | { state: 'failed'; reason: string; kind?: FailureReason | undefined; isTemporary?: boolean | undefined }
  /**
   * There is no outcome yet. With `waitsFor`, certainly nothing was bought, and the purchase is submitted again with the same reference.
   * `balance`: the deposit at the supplier is too low. `supplier`: it accepts no purchases from this shop now, because of its address, a
   * key, maintenance or a limit. Both raise an alert immediately. `product`: the supplier can't sell this product now. `reason` is the
   * supplier's text.
   */
  | {
      state: 'pending';
      waitsFor?: 'balance' | 'supplier' | 'product' | undefined;
      reason?: string | undefined;
    }
);

/**
 * The result of looking up a purchase. `absent`: the supplier doesn't have the purchase, and no request in flight can create it, so it is
 * submitted again. If this isn't certain, throw or return `pending`.
 */
export type FindPurchaseResult = PurchaseResult | { state: 'absent' };

/** An account to look up. */
export interface PlayerRequest {
  /** The slug of the game in the catalogue. */
  game: string;
  id: string;
  server: string | null;
}

/** The result of looking up a player, with the name in the game if it is known; null if the supplier can't tell. */
export type PlayerResult = { exists: true; nickname: string | null } | { exists: false } | null;

/** Abilities of a supplier. */
export interface SupplierAbilities {
  /** The way to look up a purchase: by our reference, by the supplier's own id, or not at all. */
  findBy: 'reference' | 'supplierId' | 'none';
  /**
   * True if `find` by our reference certainly buys nothing, so that it is safe for a purchase that has ended. A look-up by the supplier's
   * own id never buys anything.
   */
  findOnlyReads?: boolean;
  /** Minimum time between two requests about one purchase, in milliseconds. */
  findIntervalMs: number;
  /** Minimum time between two requests after a callback for the purchase, in milliseconds, if the supplier allows a shorter time then. */
  callbackFindIntervalMs?: number;
  /**
   * Time after its first submission during which a purchase can be looked up, in milliseconds; null means forever. Some suppliers treat an
   * older reference as a new purchase.
   */
  referenceLifetimeMs: number | null;
}

/** An error that says when the request may be repeated. */
export interface RetryAfterError extends Error {
  /** Milliseconds to wait. */
  retryAfterMs: number;
}

/** A purchase in a supplier's callback, with at least one reference or id. */
export interface DeliveryCallback {
  /** {@link supplyReference}. */
  reference: string | null;
  /** The supplier's own id of the purchase. */
  supplierId: string | null;
  /** Null if the callback proves nothing; the engine then calls `find`. */
  result: PurchaseResult | null;
}

/**
 * The adapter of a supplier, which delivers paid orders. Each reference is submitted once, and only looked up afterwards. If a promise
 * rejects, the unit may have been bought, so the engine calls `find`. If a purchase can no longer be looked up, its outcome is unknown: an
 * operator decides, and it is never bought again automatically.
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
  /** The supplier's name, which is stored with each purchase. If it changes, existing purchases are no longer looked up. */
  name: string;
  /** True if its deliveries are simulated; a live server refuses to start with it. */
  sandbox: boolean;
  abilities: SupplierAbilities;
  /** Buys a unit. */
  submit(request: PurchaseRequest, signal: AbortSignal): Promise<PurchaseResult>;
  /**
   * Looks up a purchase. It is never called if `findBy` is `none`. It must buy nothing, with one exception: if the supplier certainly buys
   * a reference only once, it may send the purchase again, which buys a purchase that never arrived.
   */
  find(request: FindPurchaseRequest, signal: AbortSignal): Promise<FindPurchaseResult>;
  /**
   * Reads all products that can be bought, every `productsIntervalMs`. Orders for unlisted or unavailable products, and for products that
   * cost more than their price, are rejected before payment. The store keeps the last list, which is valid for a day. Without a valid
   * list, every product is for sale.
   *
   * Throw a {@link RetryAfterError} if the supplier rejects the request because the last request was too recent.
   */
  readProducts?(signal: AbortSignal): Promise<SupplierProduct[]>;
  /** Time between two requests for the products, in milliseconds; ten minutes by default. One of several servers asks for all servers. */
  productsIntervalMs?: number;
  /** Reads the deposit left for purchases: integer in the smallest unit. */
  readBalance?(signal: AbortSignal): Promise<number>;
  /**
   * Looks up a player, for shops that show the nickname before an order. Resolves with null for a game that it can't look up, and rejects
   * if the result is not certain. Results are cached for an hour.
   */
  findPlayer?(player: PlayerRequest, signal: AbortSignal): Promise<PlayerResult>;
  /** Receives `POST /{name}/webhook`. If left out, the route doesn't exist. */
  callbacks?: CallbackReceiver<DeliveryCallback>;
}

/** One attempt to deliver one unit of an order. */
interface SupplyAttempt {
  orderId: string;
  unit: number;
  attempt: number;
}

/** Writes the reference of an attempt: `{order_id}-{unit}-{attempt}` (open points: states). */
export const supplyReference = ({ orderId, unit, attempt }: SupplyAttempt): string =>
  `${orderId}-${unit}-${attempt}`;

/** Reads a {@link supplyReference}. */
export function readSupplyReference(reference: string): SupplyAttempt {
  const [, orderId = reference, unit = '1', attempt = '1'] = /^(.*)-(\d+)-(\d+)$/.exec(reference) ?? [];
  return { orderId, unit: Number(unit), attempt: Number(attempt) };
}
