import type { Command } from 'commander';
import { type CommandContext, contextOf } from '../../context.ts';
import { addExample, type Define } from '../../define-command.ts';
import { readOrderId } from '../../input/arguments.ts';
import { dryRunOption, yesOption } from '../../input/prompts.ts';
import { onStore, operate, type StoreOptions, whoDelivers } from '../../store/open.ts';
import { type ActOptions, actOnOrder, type OrderAct } from './act-on-order.ts';

interface Options extends StoreOptions, ActOptions {}

const retry = (orderId: string, options: Options, context: CommandContext): Promise<void> =>
  operate(context, options, async (operating) => {
    const { deps, path, commandLine } = operating;
    const { previewOrder, retryOrder } = await import('@topup-kit/core/engine');
    const act: OrderAct = {
      orderId,
      event: 'retried',
      consequence: `What is missing of ${orderId} is bought from the supplier again.`,
      preview: () => previewOrder(deps, orderId, 'retried'),
      perform: () => retryOrder(deps, orderId),
    };
    if (!(await actOnOrder(act, options, operating, context))) return;
    const next = commandLine(`orders show ${orderId} --history`);
    const who = await whoDelivers(path, 'what is missing');
    context.remark(`${who} To see how it goes:\n  ${next}`);
  });

export const defineRetry: Define = (orders, io) => {
  const command = orders
    .command('retry')
    .description('Deliver what is missing of an order that failed')
    .argument('<order-id>', 'id of an order that is PAID / Gagal', readOrderId)
    .option(...yesOption)
    .option(...dryRunOption)
    .action((orderId: string, options: Options, self: Command) =>
      retry(orderId, options, contextOf(io, self)),
    );
  addExample(onStore(command), io, 'orders retry INV-20260329093000-ABCDEFGH');
};
