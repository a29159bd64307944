import type { CountedOutcome, EngineDependencies } from '@topup-kit/core/engine';
import type { Logger } from 'pino';
import { matcherOf } from '../config/address-list.ts';

/** The levels at which callbacks are logged that an operator should know of; the others are logged as info. */
const callbackLevels: Partial<Record<CountedOutcome, 'warn'>> = {
  rejected: 'warn',
  limited: 'warn',
  forbidden: 'warn',
  failed: 'warn',
  unmatched: 'warn',
};

/** Logs one line for each callback, or for all with the same fault, without anything that they say. */
export const createCallbackLog =
  (logger: Logger): NonNullable<EngineDependencies['reportCallback']> =>
  ({ callbackId, provider, outcome, reason, orderId, address, count }, error) => {
    logger[callbackLevels[outcome] ?? 'info'](
      {
        callbackId,
        provider,
        outcome,
        address,
        ...(count > 1 && { count }),
        ...(reason !== null && { reason }),
        ...(orderId !== null && { order: orderId }),
        ...(error !== undefined && { err: error }),
      },
      count > 1 ? 'callbacks were handled' : 'a callback was handled',
    );
  };

/** At most so many addresses are logged, so that strangers can't fill the memory. */
const maxLoggedAddresses = 1_000;

/** Whether an address may send callbacks. Each address that may not is logged once. */
export function createAddressCheck(entries: readonly string[], logger: Logger): (address: string) => boolean {
  const matches = matcherOf(entries);
  const logged = new Set<string>();
  return (address) => {
    if (matches(address)) return true;
    if (!logged.has(address) && logged.size < maxLoggedAddresses) {
      logged.add(address);
      logger.warn(
        { address },
        'callbacks from this address are rejected: TOPUP_CALLBACK_ADDRESSES does not have it',
      );
    }
    return false;
  };
}
