import type { Command } from 'commander';
import { type CommandContext, contextOf } from '../../context.ts';
import { addExample, type Define } from '../../define-command.ts';
import { readOrderId } from '../../input/arguments.ts';
import { connect } from '../../service/client.ts';
import { type Options, printOption, showPage } from './show-page.ts';

async function openPage(orderId: string, options: Options, context: CommandContext): Promise<void> {
  const service = await connect(context);
  const { order } = await service.ask((client, request) => client.invoices.get(orderId, request));
  await showPage(order.payment_url, options, context);
}

export const definePage: Define = (open, io) => {
  const command = open
    .command('page')
    .description("Open an order's payment page")
    .argument('<order-id>', 'id of the order', readOrderId)
    .option(...printOption)
    .action((orderId: string, options: Options, self: Command) =>
      openPage(orderId, options, contextOf(io, self)),
    );
  addExample(command, io, 'open page INV-20260329093000-ABCDEFGH');
};
