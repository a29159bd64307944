import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { parseDuration } from '@topup-kit/core/contract';
import type { PaymentState, WaitGoal, WaitResult } from '@topup-kit/sdk';
import type { CommandContext } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { CliError, type ExitCode, exitCodes } from '../../errors/cli-error.ts';
import { orderIdArgument } from '../../input/arguments.ts';
import { isoTime, timeInColumn, timeOfDay } from '../../output/format.ts';
import { statusStyle } from '../../output/style.ts';
import { shellWord } from '../../output/text.ts';
import { connect, type Outage, type Service } from '../../service/client.ts';
import { failureWords } from './screen.ts';

interface Watch {
  orderId: string;
  until: WaitGoal;
  /** Timeout in milliseconds. */
  timeout: number | undefined;
}

type Outcome = WaitResult<WaitGoal>['outcome'];

const good: readonly Outcome[] = ['delivered', 'paid'];

const endings: Record<Exclude<Outcome, 'delivered' | 'paid'>, { code: string; description: string }> = {
  expired: { code: 'ORDER_EXPIRED', description: 'expired: it was not paid in time' },
  payment_failed: { code: 'ORDER_PAYMENT_FAILED', description: 'ended because its payment failed' },
  refunded: { code: 'ORDER_REFUNDED', description: 'was refunded' },
  delivery_failed: { code: 'ORDER_DELIVERY_FAILED', description: 'is paid, but its delivery failed' },
};

const isGood = (outcome: Outcome): outcome is 'delivered' | 'paid' => good.includes(outcome);

/** Formats a duration: `1:05`, or `1 h 5 min` from one hour on. */
export const minutesAndSeconds = (milliseconds: number): string => {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const minutes = Math.floor(seconds / 60);
  return minutes >= 60
    ? `${Math.floor(minutes / 60)} h ${minutes % 60} min`
    : `${minutes}:${String(seconds % 60).padStart(2, '0')}`;
};

/** Time after which a missing response is reported, in milliseconds. */
const timeoutMs = 3_000;

function outageMessage({ since, status }: Outage, { connection: { baseUrl } }: Service): string {
  const time = timeOfDay(since);
  return status === undefined
    ? `No response from ${baseUrl} since ${time}`
    : `${baseUrl} has responded with status ${status} since ${time}`;
}

/** Describes the awaited state, and the time since which the service has not responded. */
function waitingFor(state: PaymentState | undefined, service: Service): string {
  const outage = service.outage();
  if (outage && Date.now() - outage.since > timeoutMs) return outageMessage(outage, service);
  if (!state) return 'Asking for the order';
  if (state.payment_status === 'PAID') return 'Waiting for the delivery';
  const left = state.expired_time * 1000 - Date.now();
  return `Waiting for the payment, ${minutesAndSeconds(left)} left`;
}

function printState(context: CommandContext, state: PaymentState): Promise<void> {
  const { order_id, payment_status, buy_status } = state;
  const now = Date.now();
  return context.printNext({
    document: { order_id, payment_status, buy_status, at: isoTime(now) },
    screen: ({ paint }) =>
      `${timeInColumn(now)}  ${paint(statusStyle(payment_status), payment_status)} / ${paint(statusStyle(buy_status), buy_status)}\n`,
  });
}

/** Returns the error of a wait without a result, with the command to continue the wait. */
function unfinished(problem: CliError, watchAgain: string): CliError {
  const { code, exitCode } = problem.details;
  const stopped: ExitCode[] = [exitCodes.interrupted, exitCodes.terminated];
  if (code !== 'WAIT_TIMEOUT' && !stopped.includes(exitCode)) return problem;
  const hint = `The order continues without this command. To watch it again:\n  ${watchAgain}`;
  return problem.with({ hint }, code === 'WAIT_TIMEOUT' ? problem.message : 'Stopped watching.');
}

async function wait(
  context: CommandContext,
  service: Service,
  { orderId, until, timeout }: Watch,
): Promise<WaitResult<WaitGoal>> {
  let last: PaymentState | undefined;
  return service.ask(async (client, { signal }, progress) => {
    const report = (): void => progress(waitingFor(last, service));
    report();
    const timer = setInterval(report, 500);
    try {
      return await client.orders.waitFor(orderId, {
        until,
        timeout,
        signal,
        onUpdate(state) {
          last = state;
          report();
          return progress.above(() => printState(context, state));
        },
      });
    } finally {
      clearInterval(timer);
    }
  });
}

/** Returns the reason for a failed delivery, after a colon; empty if the service gives no reason. */
async function failureOf(service: Service, orderId: string): Promise<string> {
  // Reports the failed delivery even if this request fails.
  const invoice = await service
    .ask((client, options) => client.invoices.get(orderId, options))
    .catch(() => undefined);
  const reason = invoice?.order.failure_reason;
  return reason ? `: ${failureWords(reason)}` : '';
}

/** Prints each status of an order until the awaited status. Throws if the order ends in another status. */
export async function watchOrder(context: CommandContext, service: Service, watch: Watch): Promise<void> {
  const { orderId } = watch;
  const again = service.commandLine(`orders watch ${shellWord(orderId)}`);
  const { outcome } = await wait(context, service, watch).catch((error: unknown) => {
    throw error instanceof CliError ? unfinished(error, again) : error;
  });
  if (!isGood(outcome)) {
    const reason = outcome === 'delivery_failed' ? await failureOf(service, orderId) : '';
    throw new CliError(`${orderId} ${endings[outcome].description}${reason}.`, {
      code: endings[outcome].code,
      exitCode: exitCodes.failure,
      hint: `Details:\n  ${service.commandLine(`orders show ${shellWord(orderId)}`)}`,
    });
  }
  context.remark(outcome === 'paid' ? `\n${orderId} is paid.` : `\n${orderId} is paid and delivered.`);
}

const hour = 3_600_000;
/** Maximum duration of a timer in milliseconds; Node fires longer timers immediately. */
const longestTimer = 2 ** 31 - 1;

function duration(text: string): number {
  const value = parseDuration(text);
  if (value === undefined || value < 1 || value > longestTimer)
    throw new InvalidArgumentError('Give a duration of up to 24 days, such as 30m or 1h30m.');
  return value;
}

export const watch = defineCommand({
  name: 'watch',
  description: 'Wait until an order is delivered, and print each state change',
  build: (command) =>
    command
      .argument(...orderIdArgument)
      .addOption(
        new Option('--until <goal>', 'wait only for the payment, or for any final state')
          .choices(['paid', 'final'] as const)
          .default('final' as const),
      )
      .addOption(
        new Option('--timeout <duration>', 'maximum time to wait, such as 30m')
          .argParser(duration)
          .default(hour, '1h'),
      ),
  help: `Exits with 0 when the order reached that state, with 1 when it ended in another
state, and with 8 when it is still pending after the timeout. --json prints one
line for each state.`,
  example: 'orders watch INV-20260329093000-ABCDEFGH --until paid --timeout 30m',
  async run(context, options, orderId) {
    await watchOrder(context, await connect(context), { ...options, orderId });
  },
});
