import { type ErrorCodeIn, idempotencyKeyLength, clientHeaders as names } from '@topup-kit/core/contract';
import { missingGlobals } from '@topup-kit/core/http';
import {
  type AnyTopupError,
  type CallFacts,
  type HttpErrorCode,
  type RequestFacts,
  type TopupHttpError,
  TopupUnknownOutcomeError,
  TopupUsageError,
  type UnknownOutcomeCause,
} from '../errors/index.ts';
import { checkChoice, visibleAscii } from '../request/check-options.ts';

/** Checks the given key, or creates a unique one: 128 random bits in hex. */
export function resolveIdempotencyKey(
  given: string | undefined,
  facts: CallFacts = { operation: 'createOrder' },
): string {
  if (given === undefined) return createIdempotencyKey(facts);
  if (typeof given === 'string' && visibleAscii.test(given) && given.length <= idempotencyKeyLength)
    return given;
  throw new TopupUsageError(
    'INVALID_IDEMPOTENCY_KEY',
    `idempotencyKey must be 1 to ${idempotencyKeyLength} visible ASCII characters.`,
    facts,
  );
}

/** Uses `getRandomValues`, because `randomUUID` is missing on insecure pages. Hermes has no `crypto` at all. */
function createIdempotencyKey(facts: CallFacts): string {
  const problem = missingGlobals('A call without idempotencyKey', ['crypto']);
  if (problem !== undefined) throw new TopupUsageError('UNSUPPORTED_ENVIRONMENT', problem, facts);
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Whether the service honours `Idempotency-Key`. If not, an order that is sent twice may be created twice. */
export interface KeySupport {
  honoured: boolean;
  /** Updates `honoured` from a response; `key` is that of an order. Returns whether the response has the key too. */
  update(response: Response, key: string | undefined): boolean;
}

/** Throws unless the option is valid. Returns whether it says that the service honours the key. */
export function isSupported(idempotency: 'detect' | 'supported' = 'detect', facts?: CallFacts): boolean {
  checkChoice('idempotency', idempotency, ['detect', 'supported'], facts);
  return idempotency === 'supported';
}

/**
 * Detects support: a service that honours the key returns it with each response to an order, and ours says so with every
 * response (open points, Idempotency). What an order showed counts for more than what other responses say.
 */
export function createKeySupport(idempotency: 'detect' | 'supported' | undefined): KeySupport {
  let known = isSupported(idempotency);
  const support: KeySupport = {
    honoured: known,
    update({ headers, ok, status }, key) {
      const echoed = key !== undefined && headers.get(names.idempotencyKey) === key;
      if (idempotency === 'supported') return echoed;
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

/** Tracks during a call whether an order may have been created, or another change made. For reads it tracks nothing. */
export interface OrderOutcome {
  /** Takes a failed attempt into account. */
  update(failure: UnknownOutcomeCause): void;
  /** Whether another attempt is safe, that is, can't create a second order. */
  maySendAgain(): boolean;
  /** The error with which the call rejects after this failure. */
  errorFor(failure: UnknownOutcomeCause): AnyTopupError;
}

export function createOrderOutcome(
  facts: RequestFacts,
  keySupport: Pick<KeySupport, 'honoured'>,
): OrderOutcome {
  let mayExist = false;
  // Another route of the same service may ignore the key.
  const honoured = (): boolean => facts.operation === 'createOrder' && keySupport.honoured;
  return {
    update(failure) {
      if (facts.idempotencyKey === undefined) return;
      if (mayHaveCreated(failure, facts)) mayExist = true;
      else if (facts.echoed && settlesEarlier(failure)) mayExist = false;
    },
    // `honoured` may have changed during the wait, by the response to another call.
    maySendAgain: () => honoured() || !mayExist,
    errorFor: (failure) =>
      mayExist ? new TopupUnknownOutcomeError(facts, { cause: failure, retryable: honoured() }) : failure,
  };
}

/**
 * Error codes with which a Topup Kit server guarantees that no order was created (open points, Errors: nothing
 * half-saved). They are trusted only if the response has the idempotency key; another service may use them differently.
 */
const nothingCreated: readonly HttpErrorCode[] = [
  'PAYMENT_FAILED',
  'SAVE_FAILED',
] satisfies ErrorCodeIn<'orderFailed'>[];

function mayHaveCreated(failure: UnknownOutcomeCause, { operation, echoed }: RequestFacts): boolean {
  switch (failure.name) {
    case 'TopupHttpError':
      return mayHideOrder(failure, echoed);
    case 'TopupResponseError':
      // With another invalid field, the order was still created.
      return (
        failure.code !== 'INVALID_RESPONSE' || (operation === 'createOrder' && failure.path === '$.orderId')
      );
    case 'TopupUsageError':
      return false;
    default:
      return failure.sent !== false;
  }
}

/** Whether an order may exist despite an error response. */
function mayHideOrder({ status, code }: TopupHttpError, echoed: boolean): boolean {
  if (echoed && nothingCreated.includes(code)) return false;
  // A redirect after a POST may lead to a page of the new order. The status is 0 when a browser hides the redirect.
  return (
    (status >= 500 && status !== 503) ||
    [0, 302, 303, 408].includes(status) ||
    code === 'IDEMPOTENCY_IN_FLIGHT'
  );
}

/**
 * Whether an error response with the key also settles the outcome of earlier attempts. The service looks up the key
 * before it validates the order, but after it checks API key, rate limit and size (open points, Errors: order of
 * checks). A 409 without a code may mean that an earlier attempt is still in progress.
 */
const settlesEarlier = (failure: UnknownOutcomeCause): boolean =>
  ('status' in failure && [404, 422].includes(failure.status)) ||
  ['IDEMPOTENCY_CONFLICT', 'IDEMPOTENCY_KEY_USED', 'INVALID_RESPONSE'].includes(failure.code);
