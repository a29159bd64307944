import { Option } from '@commander-js/extra-typings';
import type { CommandContext } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { usageError } from '../../errors/cli-error.ts';
import { orderIdArgument } from '../../input/arguments.ts';
import { storeOption } from '../../store/open.ts';
import { withOrder } from '../../store/order-id.ts';
import { printInvoice, shownInvoice } from './screen.ts';

/** Returns the full id if the store on this machine has the order. The service decides about any other text. */
async function wholeId(context: CommandContext, id: string): Promise<string> {
  let whole = id;
  if (!id.includes('-') && context.globals.baseUrl === undefined)
    await withOrder(context, {}, id, async (_operating, orderId) => {
      whole = orderId;
    }).catch(() => undefined);
  return whole;
}

const [store, storeDescription] = storeOption;

export const show = defineCommand({
  name: 'show',
  description: 'Show an order: its state, its prices and how to pay it',
  build: (command) =>
    command
      .argument(...orderIdArgument)
      .option('--history', 'also show its history; reads the store instead of contacting the service')
      .addOption(new Option(store, `with --history: ${storeDescription}`).implies({ history: true })),
  example: 'orders show INV-20260329093000-ABCDEFGH',
  asksService: true,
  async run(context, options, orderId) {
    if (options.history) {
      if (context.globals.baseUrl !== undefined)
        throw usageError('--history reads the store and contacts no service, so --base-url does not apply.');
      const { showWithHistory } = await import('./show-history.ts');
      return showWithHistory(context, orderId, options);
    }
    await printInvoice(context, await wholeId(context, orderId), shownInvoice);
  },
});
