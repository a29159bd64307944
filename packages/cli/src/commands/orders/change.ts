import type { StoredOrder } from '@topup-kit/core/store';
import type { CommandContext } from '../../context.ts';
import { defineCommand, type NewCommand, type OptionsOf } from '../../define-command.ts';
import { explained, type OperatorAct } from '../../errors/from-engine.ts';
import { readOrderId } from '../../input/arguments.ts';
import { confirm, dryRunOption, nothingChanged, yesOption } from '../../input/prompts.ts';
import { money } from '../../output/format.ts';
import { type Operating, operate, storeOption, whoDelivers } from '../../store/open.ts';
import { orderDocument } from './list.ts';

const stateLine = ({ orderId, paymentStatus, buyStatus }: StoredOrder): string =>
  `${orderId} is ${paymentStatus} / ${buyStatus}.\n`;

const build = (command: NewCommand) =>
  command
    .argument('<order-id>', 'id of an order that is PAID / Gagal', readOrderId)
    .option(...yesOption)
    .option(...dryRunOption)
    .option(...storeOption);

export type ChangeOptions = OptionsOf<typeof build>;

/** An operator's change to an order, which can't be undone. */
export interface OrderChange extends Pick<OperatorAct, 'orderId' | 'event'> {
  /** What will happen, as a sentence. */
  consequence: string;
  /** The order after the change. */
  preview(): Promise<StoredOrder>;
  perform(): Promise<StoredOrder>;
}

/**
 * Asks for confirmation, makes the change and prints the order; undefined for a dry run. The engine checks the change
 * before the prompt, so that only possible changes are confirmed.
 */
export async function changeOrder(
  context: CommandContext,
  operating: Operating,
  change: OrderChange,
  { yes, dryRun }: ChangeOptions,
): Promise<StoredOrder | undefined> {
  const asked = { ...operating, ...change };
  const preview = await explained(asked, change.preview);
  if (!dryRun) await confirm(context, { yes, consequence: change.consequence });
  const order = dryRun ? preview : await explained(asked, change.perform);
  await context.print({
    document: orderDocument(order),
    ids: [order.orderId],
    screen: () => stateLine(order),
  });
  if (!dryRun) return order;
  context.remark(nothingChanged);
  return undefined;
}

export const refund = defineCommand({
  name: 'refund',
  description: 'Record that an order that failed is refunded',
  build,
  example: 'orders refund INV-20260329093000-ABCDEFGH',
  asksService: false,
  async run(context, options, orderId) {
    await operate(context, options, async (operating) => {
      const { deps } = operating;
      const { previewOrder, refundOrder } = await import('@topup-kit/core/engine');
      const change: OrderChange = {
        orderId,
        event: 'refunded',
        consequence: `${orderId} will be recorded as refunded, and can't be delivered any more.`,
        preview: () => previewOrder(deps, orderId, 'refunded'),
        perform: () => refundOrder(deps, orderId),
      };
      const order = await changeOrder(context, operating, change, options);
      if (!order) return;
      context.remark(
        `This records the refund but moves no money: pay ${money(order.pricing.total_price)} back to the customer yourself.`,
      );
    });
  },
});

export const retry = defineCommand({
  name: 'retry',
  description: 'Deliver the missing items of an order that failed',
  build,
  example: 'orders retry INV-20260329093000-ABCDEFGH',
  asksService: false,
  async run(context, options, orderId) {
    await operate(context, options, async (operating) => {
      const { deps, path, commandLine } = operating;
      const { previewOrder, retryOrder } = await import('@topup-kit/core/engine');
      const change: OrderChange = {
        orderId,
        event: 'retried',
        consequence: `The missing items of ${orderId} will be bought from the supplier again.`,
        preview: () => previewOrder(deps, orderId, 'retried'),
        perform: () => retryOrder(deps, orderId),
      };
      if (!(await changeOrder(context, operating, change, options))) return;
      const next = commandLine(`orders show ${orderId} --history`);
      const who = await whoDelivers(path, 'the missing items');
      context.remark(`${who} To follow it:\n  ${next}`);
    });
  },
});
