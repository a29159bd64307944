import type { StoredOrder } from '@topup-kit/core/store';
import type { CommandContext } from '../../context.ts';
import { explained, type OperatorAct } from '../../errors/from-engine.ts';
import { confirm } from '../../input/prompts.ts';
import type { Operating } from '../../store/open.ts';
import { orderDocument } from './order-document.ts';
import { stateLine } from './state-line.ts';

export interface ActOptions {
  yes?: true;
  dryRun?: true;
}

/** What an operator does to an order, and can't undo. */
export interface OrderAct extends Pick<OperatorAct, 'orderId' | 'event'> {
  /** What will happen, a whole sentence. */
  consequence: string;
  /** The order as it would be. */
  preview(): Promise<StoredOrder>;
  perform(): Promise<StoredOrder>;
}

export const nothingChanged = 'Nothing was changed: this is what it would be.';

/**
 * Does it, if it can be done and is meant, and shows the order as it then is; undefined when that was a dry run. Asked
 * is only for what the engine would do.
 */
export async function actOnOrder(
  act: OrderAct,
  { yes, dryRun }: ActOptions,
  operating: Operating,
  context: CommandContext,
): Promise<StoredOrder | undefined> {
  const said = { ...operating, ...act };
  const preview = await explained(said, act.preview);
  if (!dryRun) await confirm(context, { yes, consequence: act.consequence });
  const order = dryRun ? preview : await explained(said, act.perform);
  await context.print({
    document: orderDocument(order),
    ids: [order.orderId],
    screen: () => stateLine(order),
  });
  if (!dryRun) return order;
  context.remark(nothingChanged);
  return undefined;
}
