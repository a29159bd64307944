/** One item to deliver to a player. */
export interface SupplyRequest {
  /** `{order_id}-{unit}-{attempt}`: asked again under the same reference, a supplier tells how it went, and buys once. */
  reference: string;
  /** What the supplier knows the product by. */
  productCode: string;
  target: { id: string; server: string | null };
  /** When this reference was first asked for, in unix milliseconds of world time. */
  askedAt: number;
}

/** How an item's delivery stands. */
export type SupplyAnswer =
  | { state: 'delivered'; serialNumber: string }
  | { state: 'failed'; reason: string }
  | { state: 'pending' };

/**
 * Delivers what was paid for. `supply` may be asked any number of times for one reference: what it rejects with says
 * nothing about the delivery, so it is asked again.
 */
export interface Supplier {
  name: string;
  /** Whether it only plays at delivering; a live server refuses to start with it. */
  sandbox: boolean;
  supply(request: SupplyRequest, signal: AbortSignal): Promise<SupplyAnswer>;
}
