import { type Command, Option } from 'commander';
import { connect } from '../../client.ts';
import { type CommandContext, contextOf } from '../../context.ts';
import { addExample, type Define } from '../../define-command.ts';
import { usageProblem } from '../../errors/cli-error.ts';
import { readOrderId } from '../../input/arguments.ts';
import { type StoreOptions, storeOption } from '../../store/open.ts';
import { printOrder } from './print-order.ts';
import { showWithHistory } from './show-history.ts';
import { shownInvoice } from './shown-invoice.ts';

interface Options extends StoreOptions {
  history?: true;
}

async function showOrder(orderId: string, options: Options, context: CommandContext): Promise<void> {
  if (options.history) {
    const { baseUrl } = context.globals;
    if (baseUrl !== undefined)
      throw usageProblem('--history reads the store and asks no service, so it takes no --base-url.');
    return showWithHistory(orderId, options, context);
  }
  const service = await connect(context);
  const answer = await service.ask((client, options) => client.invoices.get(orderId, options));
  await printOrder(context, {
    document: answer,
    ids: [answer.order.order_id],
    order: () => shownInvoice(answer.order),
  });
}

export const defineShow: Define = (orders, io) => {
  const [store, what] = storeOption;
  const show = orders
    .command('show')
    .description('Show an order: its state, its prices and how to pay it')
    .argument('<order-id>', 'id of the order, such as INV-20260329093000-ABCDEFGH', readOrderId)
    .option('--history', 'also all that happened to it; reads the store instead of asking the service')
    .addOption(new Option(store, `with --history: ${what}`).implies({ history: true }))
    .action((orderId: string, options: Options, command: Command) =>
      showOrder(orderId, options, contextOf(io, command)),
    );
  addExample(show, io, 'orders show INV-20260329093000-ABCDEFGH');
};
