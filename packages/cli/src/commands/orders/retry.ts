import type { Command } from 'commander';
import { addExample } from '../../command-line.ts';
import { explained } from '../../errors/refusal-problem.ts';
import type { Io } from '../../io.ts';
import { operate } from '../../operator.ts';
import { print, remark } from '../../output/print.ts';
import type { StoreOptions } from '../../store.ts';
import type { Define } from '../define.ts';
import { onStore } from '../on-store.ts';
import { orderDocument } from './order-document.ts';
import { stateLine } from './state-line.ts';

const retry = (orderId: string, options: StoreOptions, io: Io, command: Command): Promise<void> =>
  operate(io, options, async ({ deps, path, commandLine }) => {
    const { retryOrder } = await import('@topup-kit/core/engine');
    const act = { orderId, event: 'retried', path, commandLine } as const;
    const order = await explained(act, () => retryOrder(deps, orderId));
    await print(io, command, orderDocument(order), () => stateLine(order));
    const next = commandLine(`orders show ${orderId} --history`);
    remark(io, command, `The running server delivers what is missing. To see how it goes:\n  ${next}`);
  });

export const defineRetry: Define = (orders, io) => {
  const command = orders
    .command('retry')
    .description('Deliver what is missing of an order that failed')
    .argument('<order-id>', 'id of an order that is PAID / Gagal')
    .action((orderId: string, options: StoreOptions, self: Command) => retry(orderId, options, io, self));
  addExample(onStore(command), io, 'orders retry INV-20260329093000-ABCDEFGH');
};
