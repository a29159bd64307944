import { Option } from '@commander-js/extra-typings';
import type { MarkOrderInput, OperatorDependencies } from '@topup-kit/core/engine';
import type { RevokedItem, StoredOrder } from '@topup-kit/core/store';
import type { CommandContext } from '../../context.ts';
import { defineCommand, type NewCommand, type OptionsOf } from '../../define-command.ts';
import { usageError } from '../../errors/cli-error.ts';
import { readOrderId } from '../../input/arguments.ts';
import { confirm, nothingChanged } from '../../input/prompts.ts';
import { readText } from '../../input/texts.ts';
import { money } from '../../output/format.ts';
import { shellWord } from '../../output/text.ts';
import { describingErrors, type OperatorAction } from '../../store/from-engine.ts';
import { type OperatorStore, type StoreOptions, withChangeOptions } from '../../store/open.ts';
import { withOrder } from '../../store/order-id.ts';
import { orderDocument } from './list.ts';

const stateLine = ({ orderId, paymentStatus, buyStatus }: StoredOrder, dryRun?: boolean): string =>
  `${orderId} ${dryRun ? 'would be' : 'is'} ${paymentStatus} / ${buyStatus}.\n`;

export type ChangeOptions = StoreOptions & { yes?: true | undefined; dryRun?: true | undefined };

/** Formats revoked items: `item 1 (SN-1), item 2 (no serial number)`. */
export const revokedWords = (revoked: readonly RevokedItem[]): string =>
  revoked.map(({ unit, serialNumber }) => `item ${unit} (${serialNumber || 'no serial number'})`).join(', ');

/** The result of a change to an order. */
interface Changed {
  order: StoredOrder;
}

/** An operator's change to an order, which can't be undone. */
export interface OrderChange<Result extends Changed = Changed>
  extends Pick<OperatorAction, 'orderId' | 'event' | 'instead' | 'accept'> {
  /** Describes the effect in sentences. */
  consequence(planned: Result): string;
  /** Returns a warning that a dry run also prints. */
  warning?(planned: Result): string | undefined;
  perform(deps: OperatorDependencies): Promise<Result>;
  /** Returns additional fields for the printed document. */
  document?(result: Result): object;
  screen?(result: Result): string;
}

/**
 * Asks for confirmation, makes the change and prints the order; returns undefined for a dry run. The engine checks the change before the
 * question, so that only possible changes are confirmed.
 */
export async function changeOrder<Result extends Changed>(
  context: CommandContext,
  operating: OperatorStore,
  change: OrderChange<Result>,
  { yes, dryRun }: ChangeOptions,
): Promise<Result | undefined> {
  const asked = { ...operating, ...change };
  const { dryRun: dry } = await import('@topup-kit/core/engine');
  const preview = await describingErrors(asked, () => change.perform(dry(operating.deps)));
  const warning = change.warning?.(preview);
  const consequence = [change.consequence(preview), warning ?? []].flat().join(' ');
  if (!dryRun) await confirm(context, { yes, consequence });
  const result = dryRun ? preview : await describingErrors(asked, () => change.perform(operating.deps));
  const { order } = result;
  await context.print({
    document: { ...orderDocument(order), ...change.document?.(result) },
    ids: [order.orderId],
    screen: () => [stateLine(order, dryRun), change.screen?.(result) || []].flat().join('\n'),
  });
  if (!dryRun) return result;
  if (warning !== undefined) context.remark(warning);
  context.remark(nothingChanged);
  return undefined;
}

const buildMark = (command: NewCommand) =>
  withChangeOptions(
    command
      .argument('<order-id>', 'id of a paid order; - for ids on stdin', readOrderId)
      .addOption(
        new Option('--delivered', 'mark open or contradicted items as delivered').conflicts('failed'),
      )
      .option('--failed', 'mark open or contradicted items as never delivered')
      .option('--note <text>', 'how you know, for its history')
      .option('--item <number>', 'only this item, such as 2; default: all open or contradicted items')
      .addOption(
        new Option('--serial-number <text>', 'the proof of delivery, with --delivered').conflicts('failed'),
      ),
  );

function readItem(item: string | undefined): number | undefined {
  if (item === undefined || /^[1-9]\d{0,3}$/.test(item)) return item === undefined ? undefined : Number(item);
  throw usageError(`--item takes the number of an item, from 1 up, not "${item}".`);
}

function readMark({
  delivered,
  failed,
  item,
  note,
  serialNumber,
}: OptionsOf<typeof buildMark>): MarkOrderInput {
  if (!delivered && !failed) throw usageError('Say what happened to the order: --delivered or --failed.');
  const reason = readText(
    '--note',
    note,
    "say how you know, such as --note 'seen in the records of the supplier'",
  );
  return { outcome: delivered ? 'delivered' : 'failed', note: reason, serialNumber, unit: readItem(item) };
}

const revokedWarning = (revoked: readonly RevokedItem[]): string | undefined =>
  revoked.length === 0
    ? undefined
    : `These delivered items will count as NOT delivered, and a retry buys them again: ${revokedWords(revoked)}.`;

/** Describes how marking a refunded order changes its refunds, because more or less was delivered than assumed. */
async function remarkRefunds(
  context: CommandContext,
  { deps, store, commandLine }: OperatorStore,
  orderId: string,
): Promise<void> {
  const { readRefundBalance } = await import('@topup-kit/core/engine');
  const { delivered, owed } = await readRefundBalance(deps, orderId);
  if (owed > 0)
    context.remark(
      `${money(owed)} more is owed to the customer. To refund it:\n  ${commandLine(`refunds create ${orderId} --note '<why>'`)}`,
    );
  const open = (await store.findRefunds(orderId)).filter(({ state }) => state === 'to-pay');
  for (const { refundId, units, amount } of open)
    if (units.some((unit) => delivered.includes(unit)))
      context.remark(
        `The refund of ${money(amount)} is still to be paid, for items that now count as delivered. If it isn't owed:\n  ${commandLine(`refunds cancel ${shellWord(refundId)} --note '<why>'`)}`,
      );
}

export const mark = defineCommand({
  name: 'mark',
  description: 'Record the outcome of a delivery after you checked it',
  build: buildMark,
  takesIds: true,
  help: `If every item has a clear outcome, --failed marks the delivered ones as NOT
delivered, and orders retry buys them again. The dry run and the question name
them with their serial numbers, which stay in the history. --delivered then
marks the failed ones.`,
  example: "orders mark INV-20260329093000-ABCDEFGH --failed --note 'no stock'",
  check: readMark,
  async run(context, options, id) {
    const outcome = readMark(options);
    await withOrder(context, options, id, async (operating, orderId) => {
      const { commandLine } = operating;
      const { markOrder, markWords } = await import('@topup-kit/core/engine');
      const change: OrderChange<Changed & { revoked: RevokedItem[] }> = {
        orderId,
        event: 'marked',
        warning: ({ revoked }) => revokedWarning(revoked),
        consequence: () => markWords(orderId, outcome).en,
        perform: (deps) => markOrder(deps, orderId, outcome),
      };
      const order = (await changeOrder(context, operating, change, options))?.order;
      if (order?.paymentStatus === 'REFUND') await remarkRefunds(context, operating, orderId);
      if (order?.paymentStatus === 'PAID' && order.buyStatus === 'Gagal')
        context.remark(
          `To buy the undelivered items again, or to refund them:\n  ${commandLine(`orders retry ${orderId}`)}\n  ${commandLine(`refunds create ${orderId} --note '<how>'`)}`,
        );
    });
  },
});
