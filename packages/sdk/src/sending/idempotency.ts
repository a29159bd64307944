import { idempotencyKeyLength, headers as names } from '@topup-kit/core/contract';
import {
  type AnyTopupError,
  type RequestFacts,
  type TopupHttpError,
  TopupUnknownOutcomeError,
  TopupUsageError,
  type UnknownOutcomeCause,
} from '../errors/index.ts';
import { checkChoice, visibleAscii } from '../request/check-options.ts';

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

/** Whether the service honours `Idempotency-Key`: without it, an order sent twice may be two orders. */
export interface KeySupport {
  honoured: boolean;
  /** Learns from an answer to a request that carried the key, and tells whether it carried it back. */
  learn(response: Response, key: string): boolean;
}

/** A service that honours the key sends it back with every answer of its own (open points, Idempotency). */
export function createKeySupport(idempotency: 'detect' | 'supported' = 'detect'): KeySupport {
  checkChoice('idempotency', idempotency, ['detect', 'supported']);
  const support: KeySupport = {
    honoured: idempotency === 'supported',
    learn({ headers, ok, status }, key) {
      const echoed = headers.get(names.idempotencyKey) === key;
      // Other failures may come from something in front of the service, which knows nothing of keys.
      const own = echoed || ok || [404, 409, 422].includes(status);
      if (idempotency === 'detect' && own) support.honoured = echoed;
      return echoed;
    },
  };
  return support;
}

/** What is known of an order while its call goes on; of any other call there is nothing to know. */
export interface OrderOutcome {
  /** Learns from a failed attempt. */
  learn(failure: UnknownOutcomeCause): void;
  /** Whether another attempt can make no second order. */
  maySendAgain(): boolean;
  /** The error to end with. */
  ending(failure: UnknownOutcomeCause): AnyTopupError;
}

export function createOrderOutcome(facts: RequestFacts, keySupport: KeySupport): OrderOutcome {
  let perhapsMade = false;
  return {
    learn(failure) {
      if (facts.idempotencyKey === undefined) return;
      if (mayHaveBeenMade(failure, facts)) perhapsMade = true;
      else if (facts.echoed && settles(failure)) perhapsMade = false;
    },
    // What a call learned while this one waited counts too.
    maySendAgain: () => keySupport.honoured || !perhapsMade,
    ending: (failure) =>
      perhapsMade
        ? new TopupUnknownOutcomeError(facts, { cause: failure, retryable: keySupport.honoured })
        : failure,
  };
}

/**
 * Failures of a service of this kit, which honours keys, that say that no order was made (open points, Errors:
 * nothing half-saved). Another service may mean something else by them.
 */
const nothingMade = ['PAYMENT_FAILED', 'SAVE_FAILED'];

function mayHaveBeenMade(failure: UnknownOutcomeCause, { echoed }: RequestFacts): boolean {
  switch (failure.name) {
    case 'TopupHttpError':
      return mayHideOrder(failure, echoed);
    case 'TopupResponseError':
      // Any other field that is amiss does not change that the order was made.
      return failure.code !== 'INVALID_RESPONSE' || failure.path === '$.orderId';
    case 'TopupUsageError':
      return false;
    default:
      return failure.sent !== false;
  }
}

/** Whether an order may stand behind an error answer. */
function mayHideOrder({ status, code }: TopupHttpError, echoed: boolean): boolean {
  if (echoed && nothingMade.includes(code)) return false;
  // A redirect after a POST may lead to the page of the order; 0 is where a browser hides it.
  return (
    (status >= 500 && status !== 503) ||
    [0, 302, 303, 408].includes(status) ||
    code === 'IDEMPOTENCY_IN_FLIGHT'
  );
}

/**
 * Whether an answer with the key says what became of earlier attempts too. The service looks for the key before
 * it judges the order, but after key, rate and size (open points, Errors: order of checks). A 409 without a code
 * may mean that an earlier attempt is still at work.
 */
const settles = (failure: UnknownOutcomeCause): boolean =>
  ('status' in failure && [404, 422].includes(failure.status)) ||
  ['IDEMPOTENCY_CONFLICT', 'INVALID_RESPONSE'].includes(failure.code);
