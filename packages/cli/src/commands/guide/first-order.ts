import type { Service } from '../../client.ts';
import type { CommandContext } from '../../context.ts';
import { type ExitCode, exitCodes, Problem } from '../../errors/cli-error.ts';
import type { Prompts } from '../../input/prompts.ts';
import { shellWord } from '../../output/text.ts';
import { createOrder } from '../orders/create.ts';
import { watchOrder } from '../orders/watch-order.ts';
import { connectSandbox } from '../sandbox/controls.ts';
import type { GuideSandbox } from './find-sandbox.ts';

/** Pays as the customer of a sandbox would, or lets the person do it on the payment page. */
async function pay(orderId: string, prompts: Prompts, context: CommandContext): Promise<void> {
  const way = await prompts.choose('In a real shop the customer scans that and pays. And now?', [
    { value: 'now', label: 'Pay it for me', hint: 'as the customer of a sandbox' },
    { value: 'page', label: 'I pay it on its page', hint: 'open the address above, and press Pay there' },
  ]);
  if (way === 'page') return;
  const controls = await connectSandbox(context);
  await controls.ask(`/orders/${encodeURIComponent(orderId)}/pay`, {});
}

const stops: readonly ExitCode[] = [exitCodes.interrupted, exitCodes.terminated];

/** What became of an order on which somebody turned their back. */
function leftBehind(problem: Problem, orderId: string, isOurs: boolean, watch: string): Problem {
  if (!stops.includes(problem.details.exitCode)) return problem;
  return new Problem(`Stopped; ${orderId} was placed.`, {
    ...problem.details,
    hint: isOurs
      ? 'The sandbox has ended too, and has forgotten it.'
      : `To see what becomes of it:\n  ${watch}`,
  });
}

/** Places an order, lets it be paid and watches it to its end; the service that did it. */
export async function firstOrder(
  { isOurs }: GuideSandbox,
  prompts: Prompts,
  context: CommandContext,
): Promise<Service> {
  const created = await createOrder({}, context);
  if (!created) throw new Error('only a dry run makes no order');
  const { orderId, service } = created;
  context.io.stderr.write('\n');
  try {
    await pay(orderId, prompts, context);
    await watchOrder({ orderId, until: 'final', timeout: undefined }, service, context);
    return service;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw leftBehind(error, orderId, isOurs, service.commandLine(`orders watch ${shellWord(orderId)}`));
  }
}
