import { Option } from '@commander-js/extra-typings';
import type { StoredOrder } from '@topup-kit/core/store';
import { runForEach } from '../../bulk.ts';
import type { CommandContext } from '../../context.ts';
import { defineCommand, type NewCommand, type OptionsOf } from '../../define-command.ts';
import { usageError } from '../../errors/cli-error.ts';
import { readOrderId, wholeNumber } from '../../input/arguments.ts';
import { confirm } from '../../input/prompts.ts';
import { counted, money } from '../../output/format.ts';
import { type OperatorStore, whoDelivers, withChangeOptions, withOperatorStore } from '../../store/open.ts';
import { withOrder } from '../../store/order-id.ts';
import { changeOrder, type OrderChange } from './change.ts';
import { readFilter, withSelection } from './filter.ts';
import { problemOrders } from './list.ts';

const build = (command: NewCommand) =>
  withSelection(
    withChangeOptions(
      command
        .argument(
          '[order-id]',
          'id of an order that is PAID / Gagal or PAID / Proses; - for ids on stdin',
          readOrderId,
        )
        .option('--all-failed', 'every order whose delivery failed, or those that the filters select')
        .addOption(
          new Option('--max-loss <number>', 'maximum accepted loss per item, in the smallest unit').argParser(
            wholeNumber,
          ),
        ),
    ),
  );

type RetryOptions = OptionsOf<typeof build>;

const filters = ['account', 'game', 'phone', 'since', 'until'] as const;

/** Returns whether the order was retried; false for a dry run. */
async function retryOrder(
  context: CommandContext,
  operating: OperatorStore,
  orderId: string,
  options: RetryOptions,
): Promise<boolean> {
  const engine = await import('@topup-kit/core/engine');
  const { maxLoss } = options;
  const change: OrderChange = {
    orderId,
    event: 'retried',
    consequence: ({ order }) =>
      [
        `The missing items of ${orderId} will be bought from the supplier again, and waiting items are tried now.`,
        ...(maxLoss === undefined
          ? []
          : [
              `Each may cost up to ${money(order.pricing.unit_price_before_promo + maxLoss)}, which is ${money(maxLoss)} more than its price.`,
            ]),
      ].join(' '),
    perform: async (deps) => ({ order: await engine.retryOrder(deps, orderId, { maxLoss }) }),
  };
  return (await changeOrder(context, operating, change, options)) !== undefined;
}

const paidFor = (orders: readonly StoredOrder[]): number =>
  orders.reduce((sum, { pricing }) => sum + pricing.total_price, 0);

const retryAllFailed = (context: CommandContext, options: RetryOptions): Promise<void> =>
  withOperatorStore(context, options, async (operating) => {
    const { yes, dryRun } = options;
    const filter = { ...(await readFilter(context, options, operating)), limit: Number.POSITIVE_INFINITY };
    const orders = await problemOrders(operating, { kind: 'failed' }, filter);
    const consequence = `The missing items of ${counted(orders.length, 'order')}, for which customers paid ${money(paidFor(orders))}, will be bought from the supplier again.`;
    if (orders.length > 0)
      if (dryRun) context.remark(consequence);
      else await confirm(context, { yes, consequence });
    await runForEach(
      context,
      orders.map(({ orderId }) => orderId),
      async (each, orderId) => {
        await retryOrder(each, operating, orderId, { ...options, yes: true });
      },
    );
    if (orders.length === 0) return context.remark(`No matching failed orders in ${operating.path}.`);
    if (!dryRun) context.remark(await whoDelivers(operating, 'the missing items'));
  });

export const retry = defineCommand({
  name: 'retry',
  description: 'Deliver failed items of an order again, and waiting items now',
  build,
  takesIds: true,
  help: `Items wait if the balance at the supplier is too low, or if it accepts no
purchases. The server retries them automatically. Use this command after a
deposit.

The server doesn't buy an item that costs more than its price before any promo
code, unless --max-loss accepts the difference. Every report shows the loss.

--all-failed shows the number of orders and their total payments, and asks for confirmation.`,
  example: 'orders retry --all-failed --game mobile-legends --since 2h --dry-run',
  check(options, id) {
    if (options.allFailed && id !== undefined) throw usageError('Give an order, or --all-failed, not both.');
    if (options.allFailed) return;
    const filter = filters.find((name) => options[name] !== undefined);
    if (filter !== undefined) throw usageError(`--${filter} selects orders for --all-failed only.`);
    if (id === undefined) throw usageError('Give the id of an order, or --all-failed.');
  },
  async run(context, options, id) {
    if (id === undefined) return retryAllFailed(context, options);
    await withOrder(context, options, id, async (operating, orderId) => {
      if (!(await retryOrder(context, operating, orderId, options))) return;
      const next = operating.commandLine(`orders show ${orderId} --history`);
      const who = await whoDelivers(operating, 'the missing items');
      context.remark(`${who} To follow it:\n  ${next}`);
    });
  },
});
