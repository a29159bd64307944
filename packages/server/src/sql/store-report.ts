import { buyStatuses, paymentStatuses } from '@topup-kit/core/contract';
import { type Alert, keyState } from '@topup-kit/core/engine';
import type { OrderStateCount, StoreDisplay, StoredKey, StoreMode } from '@topup-kit/core/store';
import type { RoomReport } from '../features/inspection.ts';

/** Facts that identify a store or a backup to a person. */
export interface StoreContent {
  /** Version of the store's tables: the number of applied migrations. */
  formatVersion: number;
  /** The version that this kit needs; older stores must be upgraded first. */
  newestFormat: number;
  /** Mode of the store's servers; null before the first server. */
  mode: StoreMode | null;
  /** Format of amounts and times on the store's server; null before the first server. */
  display: StoreDisplay | null;
  /** Number of placed orders, without those whose payment is being created. */
  orders: number;
  /** Time when the newest order was created, in unix milliseconds of world time; null without orders. */
  newestOrderAt: number | null;
  keys: number;
  games: number;
}

/** Active keys, and those that expire soon. */
export interface KeySummary {
  activeKeys: number;
  /** Active keys that expire within two weeks and have no replacement. */
  expiringKeys: StoredKey[];
}

/** The content of a store, and its pending work. */
export interface StoreReport extends StoreContent, KeySummary {
  /** Orders whose payment is being created. After a crash, the server completes or abandons them. */
  reserved: number;
  products: number;
  promos: number;
  /** Payments that an operator must settle or return. */
  openReconciliations: number;
  /** Units whose outcome can't be looked up, so that an operator must find it out. */
  unknownUnits: number;
  /** Number and sum of refunds to pay by hand; integer in the smallest unit. */
  refundsToPay: number;
  amountToPay: number;
  /** Offset of world time from real time, in milliseconds. */
  worldOffset: number;
  /** Time when the next expiry or delivery is due, in unix milliseconds of world time; null if none is due. */
  nextDueAt: number | null;
  /** Number of expiries and deliveries that are overdue. */
  overdue: number;
}

export interface StoreInspection extends StoreReport, RoomReport {
  /** Alerts for an operator. */
  alerts: Alert[];
  /** Number of orders by state, in the order of the contract. Some stores read it slightly before or after the other values. */
  states: OrderStateCount[];
  bytes: number;
}

export const inContractOrder = (found: readonly OrderStateCount[]): OrderStateCount[] =>
  paymentStatuses.flatMap((paid) =>
    buyStatuses.flatMap((bought) =>
      found.filter(({ paymentStatus, buyStatus }) => paymentStatus === paid && buyStatus === bought),
    ),
  );

/** Maximum remaining lifetime of a key that is reported as expiring, in milliseconds. */
const expiryNotice = 14 * 24 * 60 * 60_000;

export function summariseKeys(keys: readonly StoredKey[], realNow: number): KeySummary {
  const active = keys.filter((key) => keyState(key, realNow) === 'active');
  const replacements = new Set(keys.flatMap(({ keyId, revokedAt }) => (revokedAt === null ? [keyId] : [])));
  return {
    activeKeys: active.length,
    expiringKeys: active.filter(
      ({ expiresAt, replacedBy }) =>
        expiresAt !== null &&
        expiresAt <= realNow + expiryNotice &&
        !(replacedBy !== null && replacements.has(replacedBy)),
    ),
  };
}
