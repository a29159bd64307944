import type { StoredOrder } from '@topup-kit/core/store';
import type { Command } from 'commander';
import { addExample } from '../../command-line.ts';
import { explained, type OperatorAct } from '../../errors/refusal-problem.ts';
import { confirm, dryRunOption, nothingChanged, yesOption } from '../../input/confirm.ts';
import type { Io } from '../../io.ts';
import { type Operating, operate, whoDelivers } from '../../operator.ts';
import { money } from '../../output/money.ts';
import { print, remark } from '../../output/print.ts';
import type { StoreOptions } from '../../store.ts';
import type { Define } from '../define.ts';
import { onStore } from '../on-store.ts';
import { readOrderId } from '../path-argument.ts';
import { orderDocument } from './list.ts';

const stateLine = ({ orderId, paymentStatus, buyStatus }: StoredOrder): string =>
  `${orderId} is ${paymentStatus} / ${buyStatus}.\n`;

export interface ActOptions extends StoreOptions {
  yes?: true;
  dryRun?: true;
}

/** An operator's change of an order, which can't be undone. */
export interface OrderAct extends Pick<OperatorAct, 'orderId' | 'event'> {
  /** What will happen, as a whole sentence. */
  consequence: string;
  /** The order as it would be afterwards. */
  preview(): Promise<StoredOrder>;
  perform(): Promise<StoredOrder>;
}

/**
 * Asks for confirmation, makes the change and prints the order; undefined for a dry run. The engine checks the change
 * before the question, so that nobody confirms what can't be done.
 */
export async function actOnOrder(
  act: OrderAct,
  { yes, dryRun }: ActOptions,
  operating: Operating,
  io: Io,
  command: Command,
): Promise<StoredOrder | undefined> {
  const context = { ...operating, ...act };
  const preview = await explained(context, act.preview);
  if (!dryRun) await confirm(io, command, { yes, consequence: act.consequence });
  const order = dryRun ? preview : await explained(context, act.perform);
  await print(io, command, {
    document: orderDocument(order),
    ids: [order.orderId],
    screen: () => stateLine(order),
  });
  if (!dryRun) return order;
  remark(io, command, nothingChanged);
  return undefined;
}

const refund = (orderId: string, options: ActOptions, io: Io, command: Command): Promise<void> =>
  operate(io, command, options, async (operating) => {
    const { deps } = operating;
    const { previewOrder, refundOrder } = await import('@topup-kit/core/engine');
    const act: OrderAct = {
      orderId,
      event: 'refunded',
      consequence: `${orderId} is noted as refunded for good, and can't be delivered any more.`,
      preview: () => previewOrder(deps, orderId, 'refunded'),
      perform: () => refundOrder(deps, orderId),
    };
    const order = await actOnOrder(act, options, operating, io, command);
    if (!order) return;
    remark(
      io,
      command,
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
    .action((orderId: string, options: ActOptions, self: Command) => refund(orderId, options, io, self));
  addExample(onStore(command), io, 'orders refund INV-20260329093000-ABCDEFGH');
};

const retry = (orderId: string, options: ActOptions, io: Io, command: Command): Promise<void> =>
  operate(io, command, options, async (operating) => {
    const { deps, path, commandLine } = operating;
    const { previewOrder, retryOrder } = await import('@topup-kit/core/engine');
    const act: OrderAct = {
      orderId,
      event: 'retried',
      consequence: `What is missing of ${orderId} is bought from the supplier again.`,
      preview: () => previewOrder(deps, orderId, 'retried'),
      perform: () => retryOrder(deps, orderId),
    };
    if (!(await actOnOrder(act, options, operating, io, command))) return;
    const next = commandLine(`orders show ${orderId} --history`);
    const who = await whoDelivers(path, 'what is missing');
    remark(io, command, `${who} To see how it goes:\n  ${next}`);
  });

export const defineRetry: Define = (orders, io) => {
  const command = orders
    .command('retry')
    .description('Deliver what is missing of an order that failed')
    .argument('<order-id>', 'id of an order that is PAID / Gagal', readOrderId)
    .option(...yesOption)
    .option(...dryRunOption)
    .action((orderId: string, options: ActOptions, self: Command) => retry(orderId, options, io, self));
  addExample(onStore(command), io, 'orders retry INV-20260329093000-ABCDEFGH');
};
