import type { CommandContext } from '../context.ts';
import { CliError, exitCodes } from '../errors/cli-error.ts';
import { grouped } from '../output/format.ts';
import { orderMissing } from './from-engine.ts';
import { type OperatorStore, type StoreOptions, withOperatorStore } from './open.ts';

/** Number of changes that become searchable per step. */
const batchSize = 1_000;

/** Indexes all changes for search that no server has indexed yet, and reports a longer wait. */
export async function catchUp({ store }: OperatorStore, remark: (text: string) => void): Promise<void> {
  for (let total = 0; ; ) {
    const count = await store.indexForSearch(batchSize);
    total += count;
    if (count < batchSize) return;
    if (total % (50 * batchSize) === 0)
      remark(`Making orders searchable for the first time: ${grouped(total)} changes so far.`);
  }
}

/** Maximum number of compared orders. The last part of an id is random, so few orders match. */
const mostFound = 100;

/**
 * Finds an order's id by the full id or by its last part.
 * @throws CliError if no order, or more than one, has this last part.
 */
export async function findOrderId(
  operating: OperatorStore,
  given: string,
  { remark }: Pick<CommandContext, 'remark'>,
): Promise<string> {
  if (given.includes('-')) return given;
  await catchUp(operating, remark);
  const found = await operating.store.searchOrders({ text: given, limit: mostFound });
  const ids = found
    .map(({ orderId }) => orderId)
    .filter((orderId) => orderId.endsWith(`-${given.toUpperCase()}`));
  const [orderId = given] = ids;
  if (ids.length > 1)
    throw new CliError(`The ids of ${ids.length} orders end with ${given}.`, {
      code: 'AMBIGUOUS_ORDER',
      exitCode: exitCodes.usage,
      hint: `Give the whole id:\n  ${ids.join('\n  ')}`,
    });
  // An order id from another server may have no parts.
  if (ids.length === 0 && !(await operating.store.findOrder(given)))
    throw orderMissing({ ...operating, orderId });
  return orderId;
}

/** Opens an existing store for an operator's command on one order, and passes the full id to the work. */
export const withOrder = (
  context: CommandContext,
  options: StoreOptions,
  given: string,
  work: (operating: OperatorStore, orderId: string) => Promise<void>,
): Promise<void> =>
  withOperatorStore(context, options, async (operating) => {
    const orderId = await findOrderId(operating, given, context);
    if (context.handled?.has(orderId)) return;
    context.handled?.add(orderId);
    await work(operating, orderId);
  });
