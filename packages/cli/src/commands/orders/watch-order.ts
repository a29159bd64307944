import type { OrderResult, PaymentState, Until } from '@topup-kit/sdk';
import type { Service } from '../../client.ts';
import type { CommandContext } from '../../context.ts';
import { type ExitCode, exitCodes, Problem } from '../../errors/cli-error.ts';
import { isoTime, timeInColumn } from '../../output/format.ts';
import { statusStyle } from '../../output/style.ts';
import { shellWord } from '../../output/text.ts';
import type { Trouble } from '../../trouble.ts';

/** What to wait for. */
export interface Watch {
  orderId: string;
  until: Until;
  /** Milliseconds. */
  timeout: number | undefined;
}

type Outcome = OrderResult<Until>['outcome'];

const good: readonly Outcome[] = ['delivered', 'paid'];

/** How an order ended that was not delivered, as a code and in words. */
const endings: Record<Exclude<Outcome, 'delivered' | 'paid'>, { code: string; words: string }> = {
  expired: { code: 'ORDER_EXPIRED', words: 'expired: nobody paid it in time' },
  payment_failed: { code: 'ORDER_PAYMENT_FAILED', words: 'ended, as its payment failed' },
  refunded: { code: 'ORDER_REFUNDED', words: 'was refunded' },
  delivery_failed: { code: 'ORDER_DELIVERY_FAILED', words: 'is paid, but its delivery failed' },
};

const isGood = (outcome: Outcome): outcome is 'delivered' | 'paid' => good.includes(outcome);

const minutesAndSeconds = (milliseconds: number): string => {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const minutes = Math.floor(seconds / 60);
  return minutes >= 60
    ? `${Math.floor(minutes / 60)} h ${minutes % 60} min`
    : `${minutes}:${String(seconds % 60).padStart(2, '0')}`;
};

/** An answer may take as long, in milliseconds. */
const patience = 3_000;

function troubleWords({ since, status }: Trouble, { connection: { baseUrl } }: Service): string {
  const time = new Date(since).toLocaleTimeString('en-GB');
  return status === undefined
    ? `No answer from ${baseUrl} since ${time}`
    : `${baseUrl} answers with status ${status} since ${time}`;
}

/** What is being waited for, and how long that can take. */
function waitingFor(state: PaymentState | undefined, service: Service): string {
  const trouble = service.trouble();
  if (trouble && Date.now() - trouble.since > patience) return troubleWords(trouble, service);
  if (!state) return 'Asking for the order';
  if (state.payment_status === 'PAID') return 'Waiting for the delivery';
  const left = state.expired_time * 1000 - Date.now();
  return `Waiting for the payment, ${minutesAndSeconds(left)} left`;
}

function tellState(state: PaymentState, context: CommandContext): Promise<void> {
  const { order_id, payment_status, buy_status } = state;
  const now = Date.now();
  return context.printNext({
    document: { order_id, payment_status, buy_status, at: isoTime(now) },
    screen: ({ paint }) =>
      `${timeInColumn(now)}  ${paint(statusStyle(payment_status), payment_status)} / ${paint(statusStyle(buy_status), buy_status)}\n`,
  });
}

/** A wait that ended without a result, in the words of somebody who watched. */
function unfinished(problem: Problem, watchAgain: string): Problem {
  const { code, exitCode } = problem.details;
  const stopped: ExitCode[] = [exitCodes.interrupted, exitCodes.terminated];
  if (code !== 'WAIT_TIMEOUT' && !stopped.includes(exitCode)) return problem;
  return new Problem(code === 'WAIT_TIMEOUT' ? problem.message : 'Stopped watching.', {
    ...problem.details,
    hint: `The order goes on by itself. To watch it again:\n  ${watchAgain}`,
  });
}

async function wait(
  { orderId, until, timeout }: Watch,
  service: Service,
  context: CommandContext,
): Promise<OrderResult<Until>> {
  let last: PaymentState | undefined;
  return service.ask(async (client, { signal }, tell) => {
    const say = (): void => tell(waitingFor(last, service));
    say();
    const timer = setInterval(say, 500);
    try {
      return await client.orders.waitFor(orderId, {
        until,
        timeout,
        signal,
        onUpdate(state) {
          last = state;
          say();
          return tell.above(() => tellState(state, context));
        },
      });
    } finally {
      clearInterval(timer);
    }
  });
}

/** Tells each state of an order until it is what was waited for; an order that ends otherwise is a failure. */
export async function watchOrder(watch: Watch, service: Service, context: CommandContext): Promise<void> {
  const { orderId } = watch;
  const again = service.commandLine(`orders watch ${shellWord(orderId)}`);
  const { outcome } = await wait(watch, service, context).catch((error: unknown) => {
    throw error instanceof Problem ? unfinished(error, again) : error;
  });
  if (!isGood(outcome))
    throw new Problem(`${orderId} ${endings[outcome].words}.`, {
      code: endings[outcome].code,
      exitCode: exitCodes.failure,
      hint: `All of it:\n  ${service.commandLine(`orders show ${shellWord(orderId)}`)}`,
    });
  context.remark(outcome === 'paid' ? `\n${orderId} is paid.` : `\n${orderId} is paid and delivered.`);
}
