import {
  type AnyTopupError,
  type TopupHttpError,
  type TopupResponseError,
  TopupUsageError,
  TopupWaitError,
} from '../errors/index.ts';
import type { PaymentState } from '../generated/types.ts';
import type { Send } from '../operations.ts';
import type { WaitGoal, WaitOptions } from '../options.ts';
import { checkChoice, checkNames, type NamesOf, resolveLimits } from '../request/check-options.ts';
import { settled } from '../sending/call.ts';
import { onAbort, sleep } from '../sending/http.ts';
import { maxDelay, requestedDelay } from '../sending/retry-delay.ts';
import { type OrderWait, resultOf, type WaitResult } from './order-result.ts';
import { createStateStream } from './state-stream.ts';

export type WaitFor = <Goal extends WaitGoal = 'final'>(
  orderId: string,
  options?: WaitOptions<Goal>,
) => OrderWait<Goal>;

/** Shortest and longest pause between two queries, in milliseconds: short at first and after a change, longer without a change. */
const minPause = 1_000;
const maxPause = 10_000;

/** The longest wait without a `timeout`, and its part for the delivery after an order can no longer be paid, in milliseconds. */
const defaultTimeout = 3_600_000;
const deliveryTime = 900_000;

const optionNames: NamesOf<WaitOptions> = {
  until: true,
  signal: true,
  timeout: true,
  onUpdate: true,
  onError: true,
};

export const createWaitFor =
  (send: Send): WaitFor =>
  (orderId, options) => {
    const stop = new AbortController();
    const states = createStateStream<PaymentState>();
    const end = follow(send, orderId, options ?? {}, stop, states.add);
    return Object.assign(end, {
      safe: () => settled(end),
      [Symbol.asyncIterator]: () => states.iterate(end, () => stop.abort()),
    });
  };

/** Checks the options, and queries the state repeatedly until the wait ends. The signal of the options aborts `stop` too. */
async function follow<Goal extends WaitGoal>(
  send: Send,
  orderId: string,
  options: WaitOptions<Goal>,
  stop: AbortController,
  add: (state: PaymentState) => void,
): Promise<WaitResult<Goal>> {
  const { until, signal, timeout = defaultTimeout } = options;
  const metadata = { operation: 'getPaymentStatus' } as const;
  checkNames(options, optionNames, metadata);
  resolveLimits({ signal }, { timeout, totalTimeout: timeout, maxRetries: 0 }, metadata);
  checkChoice('until', until ?? 'final', ['final', 'paid']);
  const end = onAbort(signal, () => stop.abort(signal?.reason));
  return poll(send, orderId, options, stop.signal, add).finally(end);
}

/** Queries the state repeatedly until it ends the wait or the time is over. */
async function poll<Goal extends WaitGoal>(
  send: Send,
  orderId: string,
  options: WaitOptions<Goal>,
  signal: AbortSignal,
  add: (state: PaymentState) => void,
): Promise<WaitResult<Goal>> {
  const { until, onUpdate, onError } = options;
  let { timeout = defaultTimeout } = options;
  const start = performance.now();
  const progress: Progress = { orderId, lastState: undefined, attempts: 0, requestId: undefined };
  const remaining = (): number => Math.max(0, start + timeout - performance.now());
  let pause = minPause;
  let expired = false;
  let failed = false;
  for (;;) {
    // The last query is sent at the end of the time, and may take one more second.
    const totalTimeout = expired ? 1_000 : Math.max(1, remaining());
    const { state, failure, wait = 0 } = await queryState(send, progress, { signal, totalTimeout });
    const changed = isChange(state, progress.lastState);
    if (changed) {
      if (!progress.lastState && options.timeout === undefined)
        timeout = Math.min(timeout, performance.now() - start + timeToEnd(state));
      progress.lastState = state;
      pause = minPause;
      add(state);
    }
    if (state) {
      // `onUpdate` is also called after a failure, so that the app can remove the message that it showed in `onError`.
      if (onUpdate && (changed || failed))
        await notify('onUpdate', () => onUpdate(state), remaining(), signal, progress);
      const result = resultOf(state, until);
      if (result) return result;
    }
    failed = !state;
    const pace = Math.min(maxDelay, Math.max(pause, wait));
    const last = pace >= remaining();
    // If the last query used up the time, no other query follows.
    if (expired || (last && failure?.code === 'TIMEOUT')) throw timedOut(progress, timeout, failure);
    // Decided before the pause, because timers may fire slightly early.
    expired = last;
    const delay = Math.min(pace, remaining());
    if (onError && failure) {
      const report = { error: failure, attempt: progress.attempts, delay };
      await notify('onError', () => onError(report), remaining(), signal, progress);
    }
    // If the signal aborts during the pause, the next query ends the wait.
    if (delay > 0) await sleep(Math.min(delay, remaining()), signal);
    pause = Math.min(maxPause, pause * 1.5);
  }
}

/** The order to wait for, and the known data about it. */
interface Progress {
  orderId: string;
  lastState: PaymentState | undefined;
  /** Number of attempts of all queries. */
  attempts: number;
  /** The `X-Request-Id` of the last response. */
  requestId: string | undefined;
}

/** The result of a query: a state, or a temporary failure. */
interface QueryResult {
  state?: PaymentState;
  failure?: AnyTopupError;
  /** The delay that the service requests before the next query, in milliseconds. */
  wait: number | undefined;
}

/** Queries the state of an order once. Throws a failure that is not temporary. */
async function queryState(
  send: Send,
  progress: Progress,
  options: { signal: AbortSignal; totalTimeout: number },
): Promise<QueryResult> {
  const params = { order_id: progress.orderId };
  const earlierAttempts = progress.attempts;
  try {
    const { data, response, attempts, requestId } = await send({
      operation: 'getPaymentStatus',
      params,
      options,
      earlier: {
        earlierAttempts,
        requestId: progress.requestId,
        progress: `, ${describe(progress)}`,
      },
    });
    Object.assign(progress, { attempts: earlierAttempts + attempts, requestId });
    const wait = requestedDelay(response.headers);
    if (typeof data.data?.payment_status === 'string') return { state: data.data, wait };
    const failure = unavailable(progress, 'no payment_status', data);
    // After a valid state, a response without a state counts as a temporary failure.
    if (progress.lastState) return { failure, wait };
    throw failure;
  } catch (error) {
    const failure = error as AnyTopupError; // Safe: every rejection of `send` is a TopupError.
    if (failure.name === 'TopupWaitError') throw failure;
    const { attempts, requestId } = failure;
    Object.assign(progress, { attempts, requestId });
    if (!progress.lastState && 'status' in failure && isMissing(failure))
      throw unavailable(progress, `${failure.status} ${failure.code}`, failure);
    if (!failure.retryable || failure.name === 'TopupAbortError') throw failure;
    return { failure, wait: failure.name === 'TopupHttpError' ? failure.retryAfter : undefined };
  }
}

/**
 * Tells whether the service lacks this route: the response is a 404, a 405, a page, or an error with status 200. A service that reports the
 * order as missing has the route.
 */
const isMissing = ({ status, code, retryable }: TopupHttpError | TopupResponseError): boolean =>
  ((status >= 200 && status < 300) || status === 404 || status === 405) &&
  code !== 'INVOICE_NOT_FOUND' &&
  !retryable;

const unavailable = (progress: Progress, reason: string, cause: unknown): TopupWaitError =>
  new TopupWaitError(
    'STATUS_UNAVAILABLE',
    `The service has no state of ${progress.orderId} (${reason}): no route for it, or no such order for this key. See the payment page.`,
    progress,
    cause,
  );

const isChange = (state: PaymentState | undefined, last: PaymentState | undefined): state is PaymentState =>
  state !== undefined &&
  (state.payment_status !== last?.payment_status || state.buy_status !== last.buy_status);

/**
 * Returns the time until an order must have ended, in milliseconds: until it can no longer be paid, plus the time for its delivery. A
 * service may leave out the expiry.
 */
const timeToEnd = ({ expired_time }: PaymentState): number =>
  Number.isFinite(expired_time)
    ? Math.max(0, expired_time * 1000 - Date.now()) + deliveryTime
    : defaultTimeout;

/** Calls the user's function and awaits it, for at most the remaining time (or a second), or until the signal aborts. */
async function notify(
  name: 'onUpdate' | 'onError',
  call: () => void | Promise<void>,
  timeLeft: number,
  signal: AbortSignal,
  { attempts, requestId }: Progress,
): Promise<void> {
  const done = new AbortController();
  const end = onAbort(signal, () => done.abort());
  try {
    await Promise.race([call(), sleep(Math.max(1_000, timeLeft), done.signal)]);
  } catch (error) {
    throw new TopupUsageError(
      'HOOK_FAILED',
      `${name} threw, see error.cause.`,
      { attempts, requestId },
      error,
    );
  } finally {
    // This clears the timer, which would otherwise keep the process running.
    done.abort();
    end();
  }
}

const describe = ({ lastState }: Progress): string =>
  lastState ? `last state ${lastState.payment_status} / ${lastState.buy_status}` : 'state unknown';

function timedOut(progress: Progress, timeout: number, cause: AnyTopupError | undefined): TopupWaitError {
  const { orderId, attempts } = progress;
  return new TopupWaitError(
    'WAIT_TIMEOUT',
    `${orderId} is not final after ${Math.round(timeout)} ms and ${attempts} attempts: ${describe(progress)}${cause ? `, then ${cause.code}` : ''}.`,
    progress,
    cause,
  );
}
