import { type AnyTopupError, TopupUsageError, TopupWaitError } from '../errors/index.ts';
import type { WaitOptions } from '../options.ts';
import { checkChoice } from '../request/check-option.ts';
import { resolveLimits } from '../request/limits.ts';
import { settled } from '../sending/call.ts';
import { longestDelay } from '../sending/retry-delay.ts';
import type { Send } from '../sending/send.ts';
import { sleep } from '../sending/sleep.ts';
import type { PaymentState } from '../types.ts';
import { ask } from './ask.ts';
import { createChanges } from './changes.ts';
import { type OrderResult, type OrderWait, resultOf, type Until } from './order-result.ts';

export type WaitFor = <Goal extends Until = 'final'>(
  orderId: string,
  options?: WaitOptions<Goal>,
) => OrderWait<Goal>;

/** Milliseconds between two questions: short at first and after a change, longer while nothing happens. */
const shortestPause = 1_000;
const longestPause = 10_000;

export const createWaitFor =
  (send: Send): WaitFor =>
  (orderId, options) => {
    const leave = new AbortController();
    const changes = createChanges<PaymentState>();
    const end = follow(send, orderId, options ?? {}, leave.signal, changes.add);
    return Object.assign(end, {
      safe: () => settled(end),
      [Symbol.asyncIterator]: () => changes.iterate(end, () => leave.abort()),
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
  resolveLimits({ signal: given }, { timeout, totalTimeout: timeout, retries: 0 }, 'getPaymentStatus');
  checkChoice('until', until ?? 'final', ['final', 'paid']);
  const signal = given ? AbortSignal.any([given, leave]) : leave;
  const deadline = performance.now() + timeout;
  let lastState: PaymentState | undefined;
  const left = (): number => Math.max(0, deadline - performance.now());
  let pause = shortestPause;
  let over = false;
  for (;;) {
    // The last question, asked when the time is over, gets a second of its own.
    const totalTimeout = over ? 1_000 : Math.max(1, left());
    const {
      state,
      failure,
      wait = 0,
    } = await ask(send, { orderId, lastState, options: { signal, totalTimeout } });
    if (isNews(state, lastState)) {
      lastState = state;
      pause = shortestPause;
      add(state);
      if (onUpdate) await tell(onUpdate, state, Math.max(1_000, left()), signal);
      const result = resultOf(state, until);
      if (result) return result;
    }
    const rest = Math.min(longestDelay, Math.max(pause, wait));
    const last = rest >= left();
    // A service that let the time run out is not asked again.
    if (over || (last && failure?.code === 'TIMEOUT')) throw timedOut(orderId, timeout, lastState, failure);
    // Not by the clock after the pause: timers may wake a little early.
    over = last;
    // Once the signal aborts, the next question ends the wait.
    if (left() > 0) await sleep(Math.min(rest, left()), signal);
    pause = Math.min(longestPause, pause * 1.5);
  }
}

const isNews = (state: PaymentState | undefined, last: PaymentState | undefined): state is PaymentState =>
  state !== undefined &&
  (state.payment_status !== last?.payment_status || state.buy_status !== last.buy_status);

/** Waits for what it tells no longer than `time` milliseconds, or until the signal aborts. */
async function tell(
  onUpdate: NonNullable<WaitOptions['onUpdate']>,
  state: PaymentState,
  time: number,
  signal: AbortSignal,
): Promise<void> {
  const told = new AbortController();
  try {
    await Promise.race([onUpdate(state), sleep(time, AbortSignal.any([signal, told.signal]))]);
  } catch (error) {
    throw new TopupUsageError('HOOK_FAILED', 'onUpdate threw, see error.cause.', undefined, error);
  } finally {
    // A timer left behind would keep a process up.
    told.abort();
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
