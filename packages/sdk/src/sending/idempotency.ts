import { idempotencyKeyLength, clientHeaders as names } from '@topup-kit/core/contract';
import { missingGlobals } from '@topup-kit/core/http';
import { type CallMetadata, TopupUsageError } from '../errors/index.ts';
import { checkChoice, visibleAscii } from '../request/check-options.ts';

/** Checks the given key, or creates a unique key of 128 random bits in hex. */
export function resolveIdempotencyKey(given: string | undefined, metadata: CallMetadata): string {
  if (given === undefined) return createIdempotencyKey(metadata);
  if (typeof given === 'string' && visibleAscii.test(given) && given.length <= idempotencyKeyLength)
    return given;
  throw new TopupUsageError(
    'INVALID_IDEMPOTENCY_KEY',
    `idempotencyKey must be 1 to ${idempotencyKeyLength} visible ASCII characters.`,
    metadata,
  );
}

/** Uses `getRandomValues`, because `randomUUID` is missing on insecure pages. Hermes has no `crypto`. */
function createIdempotencyKey(metadata: CallMetadata): string {
  const problem = globalThis.crypto ? undefined : missingGlobals('A call without idempotencyKey', ['crypto']);
  if (problem !== undefined) throw new TopupUsageError('UNSUPPORTED_ENVIRONMENT', problem, metadata);
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The service's support for `Idempotency-Key`. Without it, repeating an order may create a second order. */
export interface KeySupport {
  honoured: boolean;
  /** Updates `honoured` from a response; `key` is an order's key. Returns whether the response repeats it. */
  update(response: Response, key: string | undefined): boolean;
}

/** Throws unless the option is valid. Returns true for `supported`. */
export function isSupported(
  idempotency: 'detect' | 'supported' | undefined,
  metadata?: CallMetadata,
): boolean {
  if (idempotency !== undefined) checkChoice('idempotency', idempotency, ['detect', 'supported'], metadata);
  return idempotency === 'supported';
}

/**
 * Detects support. A service that honours the key repeats it in each response to an order, and a Topup Kit server also confirms support in
 * every response (open points, Idempotency). A response to an order counts more than other responses.
 */
export function createKeySupport(idempotency: 'detect' | 'supported' | undefined): KeySupport {
  const supported = isSupported(idempotency);
  let known = false;
  const support: KeySupport = {
    honoured: supported,
    update({ headers, ok, status }, key) {
      const echoed = key !== undefined && headers.get(names.idempotencyKey) === key;
      if (supported) return echoed;
      // Other errors may come from a proxy in front of the service, which doesn't return keys.
      if (key !== undefined && (echoed || ok || [404, 409, 422].includes(status))) {
        known = true;
        support.honoured = echoed;
      } else if (!known && headers.get(names.idempotencySupported) === 'true') support.honoured = true;
      return echoed;
    },
  };
  return support;
}
