import type { Command } from 'commander';
import { type CommandContext, contextOf } from '../../context.ts';
import { addExample, type Define } from '../../define-command.ts';
import { readOrderId } from '../../input/arguments.ts';
import { dryRunOption, yesOption } from '../../input/prompts.ts';
import { money } from '../../output/format.ts';
import { onStore, operate, type StoreOptions } from '../../store/open.ts';
import { type ActOptions, actOnOrder, type OrderAct } from './act-on-order.ts';

interface Options extends StoreOptions, ActOptions {}

const refund = (orderId: string, options: Options, context: CommandContext): Promise<void> =>
  operate(context, options, async (operating) => {
    const { deps } = operating;
    const { previewOrder, refundOrder } = await import('@topup-kit/core/engine');
    const act: OrderAct = {
      orderId,
      event: 'refunded',
      consequence: `${orderId} is noted as refunded for good, and can't be delivered any more.`,
      preview: () => previewOrder(deps, orderId, 'refunded'),
      perform: () => refundOrder(deps, orderId),
    };
    const order = await actOnOrder(act, options, operating, context);
    if (!order) return;
    context.remark(
      `That is noted, and moves no money: give the customer ${money(order.pricing.total_price)} back yourself.`,
    );
  });

export const defineRefund: Define = (orders, io) => {
  const command = orders
    .command('refund')
    .description('Note that the money of an order that failed goes back')
    .argument('<order-id>', 'id of an order that is PAID / Gagal', readOrderId)
    .option(...yesOption)
    .option(...dryRunOption)
    .action((orderId: string, options: Options, self: Command) =>
      refund(orderId, options, contextOf(io, self)),
    );
  addExample(onStore(command), io, 'orders refund INV-20260329093000-ABCDEFGH');
};
