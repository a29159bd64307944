import {
  type AnyTopupError,
  type TopupHttpError,
  TopupUnknownOutcomeError,
  type UnknownOutcomeCause,
} from '../errors/index.ts';
import type { RequestFacts } from '../request/request-facts.ts';
import type { KeySupport } from './key-support.ts';

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
      return mayHide(failure, echoed);
    case 'TopupResponseError':
      // Any other field that is amiss does not change that the order was made.
      return failure.code !== 'INVALID_ANSWER' || failure.path === '$.orderId';
    case 'TopupUsageError':
      return false;
    default:
      return failure.sent !== false;
  }
}

/** Whether an order may stand behind an error answer. */
function mayHide({ status, code }: TopupHttpError, echoed: boolean): boolean {
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
  ['IDEMPOTENCY_CONFLICT', 'INVALID_ANSWER'].includes(failure.code);
