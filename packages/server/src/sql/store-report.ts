import { buyStatuses, paymentStatuses } from '@topup-kit/core/contract';
import { type Alert, keyState } from '@topup-kit/core/engine';
import type { OrdersInState, StoreDisplay, StoredKey, StoreMode } from '@topup-kit/core/store';
import type { RoomReport } from '../features/inspection.ts';

// What operators see of a store, in a file or a database.

/** Facts by which a person recognises a store or a backup. */
export interface StoreContent {
  /** The version of its tables: the number of applied migrations. */
  formatVersion: number;
  /** The version that this kit needs: an older store is upgraded to it before it is used. */
  newestFormat: number;
  /** The mode of its servers; null when no server has used it yet. */
  mode: StoreMode | null;
  /** How its server shows amounts and times; null when no server has used it yet. */
  display: StoreDisplay | null;
  /** Number of placed orders; orders whose payment is not created yet are not counted. */
  orders: number;
  /** When the newest order was created, in unix milliseconds of world time; null when there is none. */
  newestOrderAt: number | null;
  keys: number;
  games: number;
}

/** Which keys work, and which of them will soon expire. */
export interface KeySummary {
  activeKeys: number;
  /** Active keys that expire within two weeks and have no replacement. */
  expiringKeys: StoredKey[];
}

/** The content of a store, and its pending work. */
export interface StoreReport extends StoreContent, KeySummary {
  /** Orders whose payment is not created yet. After a crash, the server completes or abandons them. */
  reserved: number;
  products: number;
  promos: number;
  /** Payments that an operator has to settle or to return. */
  openReconciliations: number;
  /** Units whose outcome the supplier can't be asked for, so that an operator has to find out. */
  unknownUnits: number;
  /** How many refunds are still to be paid by hand, and how much that is: integer in the smallest unit. */
  refundsToPay: number;
  amountToPay: number;
  /** How far world time is ahead of real time, in milliseconds. */
  worldOffset: number;
  /** When the next expiry or delivery is due, in unix milliseconds of world time; null when none is. */
  nextDueAt: number | null;
  /** Number of expiries and deliveries that are overdue. */
  overdue: number;
}

export interface StoreInspection extends StoreReport, RoomReport {
  /** What waits for an operator. */
  alerts: Alert[];
  /** Number of orders by state, in the order of the contract. Some stores read it a moment before or after the other values. */
  states: OrdersInState[];
  bytes: number;
}

export const inContractOrder = (found: readonly OrdersInState[]): OrdersInState[] =>
  paymentStatuses.flatMap((paid) =>
    buyStatuses.flatMap((bought) =>
      found.filter(({ paymentStatus, buyStatus }) => paymentStatus === paid && buyStatus === bought),
    ),
  );

/** How long before its expiry a key is reported, in milliseconds. */
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
