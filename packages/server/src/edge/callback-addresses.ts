import type { Logger } from 'pino';
import { matcherOf } from '../config/address-list.ts';

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
