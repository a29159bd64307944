import type { CommandContext } from '../../context.ts';
import type { Io } from '../../io.ts';
import type { Result } from '../../output/print.ts';
import { qrColumns } from '../../output/qr.ts';
import { lookOf } from '../../output/style.ts';
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
  context: CommandContext,
  { order, ...result }: OrderResult,
  printResult = context.print,
): Promise<void> {
  let shown: ShownOrder | undefined;
  await printResult({
    ...result,
    async screen(look) {
      shown = await order();
      return orderScreen(shown, look);
    },
  });
  const needed = shown && missingColumns(shown, context.io);
  if (needed !== undefined)
    context.remark(`\nA terminal of ${needed} columns or more shows the QR code as well.`);
}
