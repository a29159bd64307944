import type { Command } from 'commander';
import { connect } from '../../client.ts';
import { type CommandContext, contextOf } from '../../context.ts';
import { addExample, type Define } from '../../define-command.ts';
import { readOrderId } from '../../input/arguments.ts';
import { readableTime } from '../../output/format.ts';
import { statusStyle } from '../../output/style.ts';
import { list } from '../../output/table.ts';
import { shellWord } from '../../output/text.ts';

async function showStatus(orderId: string, context: CommandContext): Promise<void> {
  const service = await connect(context);
  const answer = await service.ask((client, options) => client.invoices.paymentStatus(orderId, options));
  const { order_id, payment_status, buy_status, expired_time } = answer.data;
  await context.print({
    document: answer,
    screen: (look) =>
      list(
        [
          ['Order', order_id, 'title'],
          ['Payment', payment_status, statusStyle(payment_status)],
          ['Delivery', buy_status, statusStyle(buy_status)],
          ['Before', payment_status === 'UNPAID' ? readableTime(expired_time * 1000) : null],
        ],
        look,
      ),
  });
  const next = service.commandLine(`orders watch ${shellWord(order_id)}`);
  if (payment_status === 'UNPAID') context.remark(`\nTo see what becomes of it:\n  ${next}`);
}

export const defineStatus: Define = (invoices, io) => {
  const status = invoices
    .command('status')
    .description('Show the state of an order alone, by the route that is made to be asked often')
    .argument('<order-id>', 'id of the order, such as INV-20260329093000-ABCDEFGH', readOrderId)
    .action((orderId: string, _options: object, command: Command) =>
      showStatus(orderId, contextOf(io, command)),
    );
  addExample(status, io, 'invoices status INV-20260329093000-ABCDEFGH');
};
