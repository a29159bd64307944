import {
  type AnyTopupError,
  type TopupHttpError,
  type TopupResponseError,
  TopupUsageError,
  TopupWaitError,
} from '../errors/index.ts';
import type { WaitOptions } from '../options.ts';
import { checkChoice, resolveLimits } from '../request/check-options.ts';
import { settled } from '../sending/call.ts';
import { maxDelayMs, requestedDelay, sleep } from '../sending/retry-delay.ts';
import type { Send } from '../sending/send.ts';
import type { PaymentState } from '../types.ts';
import { type OrderResult, type OrderWait, resultOf, type Until } from './order-result.ts';
import { createStateStream } from './state-stream.ts';

export type WaitFor = <Goal extends Until = 'final'>(
  orderId: string,
  options?: WaitOptions<Goal>,
) => OrderWait<Goal>;

/** Milliseconds between two questions: short at first and after a change, longer while nothing happens. */
const minPauseMs = 1_000;
const maxPauseMs = 10_000;

export const createWaitFor =
  (send: Send): WaitFor =>
  (orderId, options) => {
    const leave = new AbortController();
    const states = createStateStream<PaymentState>();
    const end = follow(send, orderId, options ?? {}, leave.signal, states.add);
    return Object.assign(end, {
      safe: () => settled(end),
      [Symbol.asyncIterator]: () => states.iterate(end, () => leave.abort()),
    });
  };

/** Asks again and again, until a state ends the wait or its time is over. */
async function follow<Goal extends Until>(
  send: Send,
  orderId: string,
  { until, timeout = 3_600_000, onUpdate, signal: given }: WaitOptions<Goal>,
  leave: AbortSignal,
  add: (state: PaymentState) => void,
): Promise<OrderResult<Goal>> {
  resolveLimits({ signal: given }, { timeout, totalTimeout: timeout, maxRetries: 0 }, 'getPaymentStatus');
  checkChoice('until', until ?? 'final', ['final', 'paid']);
  const signal = given ? AbortSignal.any([given, leave]) : leave;
  const deadline = performance.now() + timeout;
  let lastState: PaymentState | undefined;
  const remaining = (): number => Math.max(0, deadline - performance.now());
  let pause = minPauseMs;
  let expired = false;
  for (;;) {
    // The last query, asked when the time is over, gets a second of its own.
    const totalTimeout = expired ? 1_000 : Math.max(1, remaining());
    const {
      state,
      failure,
      wait = 0,
    } = await queryState(send, { orderId, lastState, options: { signal, totalTimeout } });
    if (isChange(state, lastState)) {
      lastState = state;
      pause = minPauseMs;
      add(state);
      if (onUpdate) await notify(onUpdate, state, Math.max(1_000, remaining()), signal);
      const result = resultOf(state, until);
      if (result) return result;
    }
    const rest = Math.min(maxDelayMs, Math.max(pause, wait));
    const last = rest >= remaining();
    // A service that let the time run out is not asked again.
    if (expired || (last && failure?.code === 'TIMEOUT'))
      throw timedOut(orderId, timeout, lastState, failure);
    // Not by the clock after the pause: timers may wake a little early.
    expired = last;
    // Once the signal aborts, the next question ends the wait.
    if (remaining() > 0) await sleep(Math.min(rest, remaining()), signal);
    pause = Math.min(maxPauseMs, pause * 1.5);
  }
}

/** Which order is asked about, and what was last seen of it. */
interface StateQuery {
  orderId: string;
  lastState: PaymentState | undefined;
  options: { signal: AbortSignal; totalTimeout: number };
}

/** What a question brought: a state, or a failure that may pass by. */
interface QueryResult {
  state?: PaymentState;
  failure?: AnyTopupError;
  /** Milliseconds that the service asks to wait before the next query. */
  wait: number | undefined;
}

/** Asks once for the state of an order; a failure that will not pass by is thrown. */
async function queryState(send: Send, query: StateQuery): Promise<QueryResult> {
  const params = { order_id: query.orderId };
  try {
    const { data, response } = await send({
      operation: 'getPaymentStatus',
      params,
      options: query.options,
    });
    const wait = requestedDelay(response.headers);
    if (typeof data.data?.payment_status === 'string') return { state: data.data, wait };
    // Once a state was seen, an answer without one is a slip.
    if (query.lastState) return { wait };
    throw unavailable(query, 'no payment_status', data);
  } catch (error) {
    const failure = error as AnyTopupError; // safe: `send` fails with nothing else
    if (!query.lastState && 'status' in failure && isMissing(failure))
      throw unavailable(query, `${failure.status} ${failure.code}`, failure);
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

const unavailable = ({ orderId, lastState }: StateQuery, received: string, cause: unknown): TopupWaitError =>
  new TopupWaitError(
    `The service does not tell the state of ${orderId} (${received}): it has no route for that, or no such order for ` +
      'this key. Look at the payment page.',
    { code: 'STATUS_UNAVAILABLE', orderId, lastState, cause },
  );

const isChange = (state: PaymentState | undefined, last: PaymentState | undefined): state is PaymentState =>
  state !== undefined &&
  (state.payment_status !== last?.payment_status || state.buy_status !== last.buy_status);

/** Waits for what it tells no longer than `time` milliseconds, or until the signal aborts. */
async function notify(
  onUpdate: NonNullable<WaitOptions['onUpdate']>,
  state: PaymentState,
  time: number,
  signal: AbortSignal,
): Promise<void> {
  const done = new AbortController();
  try {
    await Promise.race([onUpdate(state), sleep(time, AbortSignal.any([signal, done.signal]))]);
  } catch (error) {
    throw new TopupUsageError('HOOK_FAILED', 'onUpdate threw, see error.cause.', undefined, error);
  } finally {
    // A timer left behind would keep a process up.
    done.abort();
  }
}

function timedOut(
  orderId: string,
  timeout: number,
  lastState: PaymentState | undefined,
  cause: AnyTopupError | undefined,
): TopupWaitError {
  const seen = lastState ? `last seen ${lastState.payment_status} / ${lastState.buy_status}` : 'never seen';
  return new TopupWaitError(
    `${orderId} came to no end within ${timeout} ms: ${seen}${cause ? `, then ${cause.code}` : ''}. You can wait again.`,
    {
      code: 'WAIT_TIMEOUT',
      orderId,
      lastState,
      cause,
    },
  );
}
