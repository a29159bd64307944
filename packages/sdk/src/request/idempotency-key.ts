import { idempotencyKeyLength } from '@topup-kit/core/contract';
import { TopupUsageError } from '../errors/index.ts';
import { visibleAscii } from './visible-ascii.ts';

/** The key given, checked, or one that no other call has: 128 random bits in hex. */
export function resolveIdempotencyKey(given: string | undefined): string {
  if (given === undefined) return createIdempotencyKey();
  if (typeof given === 'string' && visibleAscii.test(given) && given.length <= idempotencyKeyLength)
    return given;
  throw new TopupUsageError(
    'INVALID_IDEMPOTENCY_KEY',
    `idempotencyKey must be 1 to ${idempotencyKeyLength} visible ASCII characters.`,
    { operation: 'createOrder' },
  );
}

/** Unlike `randomUUID`, this source of randomness is there on any page. */
const createIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
