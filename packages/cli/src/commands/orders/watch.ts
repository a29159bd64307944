import { parseDuration } from '@topup-kit/core/contract';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { connect } from '../../client.ts';
import { contextOf } from '../../context.ts';
import { addExample, type Define } from '../../define-command.ts';
import { readOrderId } from '../../input/arguments.ts';
import { type Watch, watchOrder } from './watch-order.ts';

interface Options extends Omit<Watch, 'orderId'> {
  timeout: number;
}

const hour = 3_600_000;
/** Longer timers run out at once. */
const longest = 2 ** 31 - 1;

function duration(text: string): number {
  const value = parseDuration(text);
  if (value === undefined || value < 1 || value > longest)
    throw new InvalidArgumentError('It takes a duration up to 24 days, such as 30m or 1h30m.');
  return value;
}

const more = `
It exits with 0 when the order is what was waited for, with 1 when it ended
otherwise, and with 8 when it is still pending after the timeout. --json prints
one line for each state.`;

export const defineWatch: Define = (orders, io) => {
  const watch = orders
    .command('watch')
    .description('Wait until an order is delivered, and tell each state on the way')
    .argument('<order-id>', 'id of the order, such as INV-20260329093000-ABCDEFGH', readOrderId)
    .addOption(
      new Option('--until <goal>', 'wait for the payment alone, or for any end')
        .choices(['paid', 'final'])
        .default('final'),
    )
    .addOption(
      new Option('--timeout <duration>', 'how long to wait at most, such as 30m')
        .argParser(duration)
        .default(hour, '1h'),
    )
    .addHelpText('after', more)
    .action(async (orderId: string, options: Options, command: Command) =>
      watchOrder({ ...options, orderId }, await connect(contextOf(io, command)), contextOf(io, command)),
    );
  addExample(watch, io, 'orders watch INV-20260329093000-ABCDEFGH --until paid --timeout 30m');
};
