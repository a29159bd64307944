import type { PaymentOutcome } from '../gateway/index.ts';
import type { ProviderCall, StoredOrder } from '../store/index.ts';

/** A gateway's report of a payment whose origin was verified. */
export interface PaymentEvent extends PaymentOutcome {
  /** The gateway's reference. */
  reference: string;
  /** The order of the payment, if the gateway names it. */
  orderId?: string | null;
}

export interface PaymentResult {
  /** The outcome of the event. `failed` means that the order is still being created, so the gateway must send the event again. */
  outcome: 'applied' | 'unchanged' | 'contradiction' | 'reconciliation' | 'unmatched' | 'failed';
  /** The reason as a sentence; null if the outcome needs none. */
  reason: string | null;
  order: StoredOrder | null;
  /** Set if the payment was already stored for an operator, so that it need not be reported again. */
  isRepeated?: true;
}

/** The result of an attempt to deliver a unit. */
interface DeliveryOutcome {
  orderId: string;
  unit: number;
  attempt: number;
  /** The outcome. `contradiction` means that the supplier reported another outcome before, and an operator must find out the truth. */
  outcome: 'delivered' | 'failed' | 'unknown' | 'contradiction';
  /** The supplier's reason; null without one. */
  reason: string | null;
}

/** Products that a new list of the supplier, or a change of the catalogue, closed or opened again. */
export interface ProductChanges {
  supplier: string;
  /** `cost`: their costs changed. `supplier`: the supplier closed them, sold out, or has them again. */
  because: 'cost' | 'supplier';
  /** The shop's codes of products, with amounts for products that cost too much. */
  closed: string[];
  reopened: string[];
}

/** A request to a provider, with its error; undefined if the provider handled it. */
export interface CallEvent {
  type: 'call';
  provider: string;
  call: ProviderCall;
  error: unknown;
}

/** Events that the engine reports to its host after it has stored them. */
export type EngineEvent =
  /** Background work failed and will be repeated. */
  | { type: 'error'; error: unknown; about: string }
  /** A sentence that an operator should read although nothing failed. */
  | { type: 'warning'; warning: string }
  | { type: 'payment'; payment: PaymentEvent; result: PaymentResult }
  /** An attempt to deliver a unit has an outcome. */
  | { type: 'delivery'; delivery: DeliveryOutcome }
  /** Products were closed or opened again: at most one event per cause for each change of a list or the catalogue. */
  | { type: 'products'; changes: ProductChanges }
  /** The number of prices that followed the supplier's list by their margin rules. */
  | { type: 'prices'; supplier: string; changed: number }
  /** The number of old orders whose personal data was erased. */
  | { type: 'erased'; orders: number }
  | CallEvent;

/** Called for each event of the engine. It must not throw. */
export type EmitEvent = (event: EngineEvent) => void;
