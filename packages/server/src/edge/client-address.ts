import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { withoutPort } from '@topup-kit/core/http';
import type { Logger } from 'pino';
import { matcherOf } from '../config/address-list.ts';

/** What is looked at of a request. */
type Request = Pick<IncomingMessage, 'headers' | 'socket'>;

export interface ClientAddresses {
  /** The address of the client that sent a request; empty when its connection is already gone. */
  addressOf(request: Request): string;
  /** Whether a request came from a trusted proxy. */
  isFromProxy(request: Request): boolean;
}

/**
 * The same addresses, and calls `warn` once when somebody who is no trusted proxy says for whom it asks: it may be a proxy
 * that was forgotten.
 */
export function warnOfUntrustedProxy(
  addresses: ClientAddresses,
  warn: (fields: { address: string }, message: string) => void,
): ClientAddresses {
  let warned = false;
  return {
    ...addresses,
    addressOf(request) {
      const address = addresses.addressOf(request);
      if (!warned && request.headers['x-forwarded-for'] !== undefined && !addresses.isFromProxy(request)) {
        warned = true;
        warn(
          { address },
          'X-Forwarded-For of this address is not read, because it is no trusted proxy: all clients behind it share one limit. If it is your proxy, set TOPUP_TRUSTED_PROXIES',
        );
      }
      return address;
    },
  };
}

/**
 * Finds the addresses of clients behind trusted proxies, which are addresses or networks such as `10.0.0.0/8`. Each proxy
 * adds the address that it saw to the end of `X-Forwarded-For`, so the client is the last one there that is no such proxy.
 * What stands before it may be invented. From any other sender the header is not read.
 */
export function createClientAddresses(trustedProxies: readonly string[]): ClientAddresses {
  const isProxy = matcherOf(trustedProxies);
  const senderOf = ({ socket }: Request): string => socket.remoteAddress ?? '';
  if (trustedProxies.length === 0) return { addressOf: senderOf, isFromProxy: () => false };

  return {
    isFromProxy: (request) => isProxy(senderOf(request)),
    addressOf(request) {
      let address = senderOf(request);
      // Safe: Node joins this header to one text.
      const forwarded = String(request.headers['x-forwarded-for'] ?? '').split(',');
      while (isProxy(address)) {
        const before = withoutPort(forwarded.pop() ?? '');
        if (isIP(before) === 0) break;
        address = before;
      }
      return address;
    },
  };
}

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
