import type { Command } from 'commander';
import type { Io } from '../../io.ts';
import { lookOf } from '../../output/look.ts';
import { print, type Result, remark } from '../../output/print.ts';
import { qrColumns } from '../../output/qr.ts';
import { orderScreen, qrTextOf, type ShownOrder } from './order-screen.ts';

interface OrderResult extends Pick<Result, 'document' | 'ids'> {
  /** What people see; read only when somebody looks. */
  order(): ShownOrder | Promise<ShownOrder>;
}

/** How wide the terminal would have to be for the QR code that it has no room for. */
function missingColumns(order: ShownOrder, io: Io): number | undefined {
  const { columns } = lookOf(io, io.stdout);
  const text = qrTextOf(order);
  const needed = text === undefined ? undefined : qrColumns(text);
  return columns !== undefined && needed !== undefined && needed > columns ? needed : undefined;
}

/** Prints an order, and says when only the terminal is too narrow for its QR code. */
export async function printOrder(
  io: Io,
  command: Command,
  { order, ...result }: OrderResult,
  printResult = print,
): Promise<void> {
  let shown: ShownOrder | undefined;
  await printResult(io, command, {
    ...result,
    async screen(look) {
      shown = await order();
      return orderScreen(shown, look);
    },
  });
  const needed = shown && missingColumns(shown, io);
  if (needed !== undefined)
    remark(io, command, `\nA terminal of ${needed} columns or more shows the QR code as well.`);
}
