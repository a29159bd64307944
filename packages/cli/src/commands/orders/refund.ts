import type { Command } from 'commander';
import { addExample } from '../../command-line.ts';
import { explained } from '../../errors/refusal-problem.ts';
import type { Io } from '../../io.ts';
import { operate } from '../../operator.ts';
import { money } from '../../output/money.ts';
import { print, remark } from '../../output/print.ts';
import type { StoreOptions } from '../../store.ts';
import type { Define } from '../define.ts';
import { onStore } from '../on-store.ts';
import { orderDocument } from './order-document.ts';
import { stateLine } from './state-line.ts';

const refund = (orderId: string, options: StoreOptions, io: Io, command: Command): Promise<void> =>
  operate(io, options, async ({ deps, path, commandLine }) => {
    const { refundOrder } = await import('@topup-kit/core/engine');
    const act = { orderId, event: 'refunded', path, commandLine } as const;
    const order = await explained(act, () => refundOrder(deps, orderId));
    await print(io, command, orderDocument(order), () => stateLine(order));
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
    .argument('<order-id>', 'id of an order that is PAID / Gagal')
    .action((orderId: string, options: StoreOptions, self: Command) => refund(orderId, options, io, self));
  addExample(onStore(command), io, 'orders refund INV-20260329093000-ABCDEFGH');
};
