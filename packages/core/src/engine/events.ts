import type { PaymentOutcome } from '../gateway/index.ts';
import type { ProviderCall, StoredOrder } from '../store/index.ts';

/** A gateway's report of a payment, after its origin was verified. */
export interface PaymentEvent extends PaymentOutcome {
  /** The gateway's reference. */
  reference: string;
  /** The order that the payment was made for, if the gateway names it. */
  orderId?: string | null;
}

/** What came of a payment event. */
export interface PaymentResult {
  /** `failed`: the order is still being created, so the event is to be sent again. */
  outcome: 'applied' | 'unchanged' | 'contradiction' | 'reconciliation' | 'unmatched' | 'failed';
  /** Why, as a sentence; null when the outcome says it all. */
  reason: string | null;
  order: StoredOrder | null;
  /** Set when the payment was kept for an operator before, so that there is nothing new to tell. */
  isRepeated?: true;
}

/** What came of an attempt to deliver a unit. */
interface DeliveryOutcome {
  orderId: string;
  unit: number;
  attempt: number;
  /** `contradiction`: the supplier said something else before, and an operator must look. */
  outcome: 'delivered' | 'failed' | 'unknown' | 'contradiction';
  /** The supplier's reason; null when there is none. */
  reason: string | null;
}

/** What a new list of the supplier, or a change of the catalogue, closed or opened again. */
export interface ProductChanges {
  supplier: string;
  /** `cost`: because of what they cost. `supplier`: because the supplier has them no more (closed there, sold out), or again. */
  because: 'cost' | 'supplier';
  /** Products by the shop's code, those that cost too much with their amounts. */
  closed: string[];
  reopened: string[];
}

/** A request to a provider: with the error when it failed, undefined when the provider handled it. */
export interface CallEvent {
  type: 'call';
  provider: string;
  call: ProviderCall;
  error: unknown;
}

/** What the engine tells its host, each after it was stored. */
export type EngineEvent =
  /** Background work failed, and is tried again. */
  | { type: 'error'; error: unknown; about: string }
  /** What an operator should know although nothing failed, as a sentence. */
  | { type: 'warning'; warning: string }
  | { type: 'payment'; payment: PaymentEvent; result: PaymentResult }
  /** An attempt to deliver a unit has an outcome. */
  | { type: 'delivery'; delivery: DeliveryOutcome }
  /** Products were closed or opened again: at most one event for each cause when a list or the catalogue changed. */
  | { type: 'products'; changes: ProductChanges }
  /** So many prices followed the supplier's list by their margin rules. */
  | { type: 'prices'; supplier: string; changed: number }
  /** The personal data of so many orders was erased, because they are old. */
  | { type: 'erased'; orders: number }
  | CallEvent;

/** Called with each event of the engine. It must not throw. */
export type Emit = (event: EngineEvent) => void;
