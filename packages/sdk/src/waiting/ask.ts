import {
  type AnyTopupError,
  type TopupHttpError,
  type TopupResponseError,
  TopupWaitError,
} from '../errors/index.ts';
import { askedDelay } from '../sending/retry-delay.ts';
import type { Send } from '../sending/send.ts';
import type { PaymentState } from '../types.ts';

/** Which order is asked about, and what was last seen of it. */
export interface Question {
  orderId: string;
  lastState: PaymentState | undefined;
  options: { signal: AbortSignal; totalTimeout: number };
}

/** What a question brought: a state, or a failure that may pass by. */
export interface Reading {
  state?: PaymentState;
  failure?: AnyTopupError;
  /** Milliseconds that the service asks to wait before the next question. */
  wait: number | undefined;
}

/** Asks once for the state of an order; a failure that will not pass by is thrown. */
export async function ask(send: Send, question: Question): Promise<Reading> {
  const params = { order_id: question.orderId };
  try {
    const { data, response } = await send({
      operation: 'getPaymentStatus',
      params,
      options: question.options,
    });
    const wait = askedDelay(response.headers);
    if (typeof data.data?.payment_status === 'string') return { state: data.data, wait };
    // Once a state was seen, an answer without one is a slip.
    if (question.lastState) return { wait };
    throw unavailable(question, 'no payment_status', data);
  } catch (error) {
    const failure = error as AnyTopupError; // safe: `send` fails with nothing else
    if (!question.lastState && 'status' in failure && isMissing(failure))
      throw unavailable(question, `${failure.status} ${failure.code}`, failure);
    if (!failure.retryable || failure.name === 'TopupAbortError') throw failure;
    return { failure, wait: failure.name === 'TopupHttpError' ? failure.retryAfter : undefined };
  }
}

/**
 * Not every service has the route: it is missing where the answer is 404 or 405, a page, or a refusal in a 200; but
 * one that says that the order is missing has it.
 */
const isMissing = ({ status, code, retryable }: TopupHttpError | TopupResponseError): boolean =>
  ((status >= 200 && status < 300) || status === 404 || status === 405) &&
  code !== 'INVOICE_NOT_FOUND' &&
  !retryable;

const unavailable = ({ orderId, lastState }: Question, answer: string, cause: unknown): TopupWaitError =>
  new TopupWaitError(
    `The service does not tell the state of ${orderId} (${answer}): it has no route for that, or no such order for ` +
      'this key. Look at the payment page.',
    { code: 'STATUS_UNAVAILABLE', orderId, lastState, cause },
  );
