import type { Command } from 'commander';
import type { Prompts } from '../../input/prompts.ts';
import type { Io } from '../../io.ts';
import { createOrder } from '../orders/create.ts';
import { watchOrder } from '../orders/watch-order.ts';
import { connectSandbox } from '../sandbox/controls.ts';

/** Pays as the customer of a sandbox would, or lets the person do it on the payment page. */
async function pay(orderId: string, prompts: Prompts, io: Io, command: Command): Promise<void> {
  const way = await prompts.choose('In a real shop the customer scans that and pays. And now?', [
    { value: 'now', label: 'Pay it for me', hint: 'as the customer of a sandbox' },
    { value: 'page', label: 'I pay it on its page', hint: 'open the address above, and press Pay there' },
  ]);
  if (way === 'page') return;
  const controls = await connectSandbox(io, command);
  await controls.ask(`/orders/${encodeURIComponent(orderId)}/pay`, {});
}

/** Places an order, lets it be paid and watches it to its end. */
export async function firstOrder(prompts: Prompts, io: Io, command: Command): Promise<void> {
  const created = await createOrder({}, io, command);
  if (!created) return;
  const { orderId, service } = created;
  io.stderr.write('\n');
  await pay(orderId, prompts, io, command);
  await watchOrder({ orderId, until: 'final', timeout: undefined }, service, io, command);
}
