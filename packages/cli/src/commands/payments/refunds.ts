import type { Refund } from '@topup-kit/core/store';
import type { CommandContext } from '../../context.ts';
import { defineGroup } from '../../define-command.ts';
import { closeRecord } from '../../input/prompts.ts';
import { readText } from '../../input/texts.ts';
import { counted, money } from '../../output/format.ts';
import { defineStoreCommand } from '../../store/define-store-command.ts';
import { describingClosing } from '../../store/from-engine.ts';
import { type OperatorStore, withChangeOptions } from '../../store/open.ts';
import type { ChangeOptions } from '../orders/change.ts';
import { createRefund } from './create-refund.ts';
import { allScreens, refundDocument, refundScreen } from './records.ts';

const list = defineStoreCommand({
  name: 'list',
  description: 'List the refunds that you must still pay',
  build: (command) => command.option('--all', 'also list those that are paid or cancelled'),
  example: 'refunds list',
  async run({ store, path, commandLine }, context, options) {
    const { amountToPay, attachOrders } = await import('@topup-kit/core/engine');
    const refunds = await store.listRefunds(options.all ? undefined : 'to-pay');
    const listed = await attachOrders(store, refunds);
    const total = amountToPay(refunds);
    await context.print({
      document: {
        refunds: listed.map(({ refund, order, isContradicted }) => ({
          ...refundDocument(refund),
          contact: order?.contact ?? null,
          contradicted: isContradicted,
        })),
        to_pay: total,
      },
      ids: refunds.map(({ refundId }) => refundId),
      screen: () => allScreens(listed.map((item) => refundScreen(item.refund, item))),
    });
    const count = refunds.filter(({ state }) => state === 'to-pay').length;
    if (count === 0) return context.remark(`No refunds to pay in ${path}.`);
    context.remark(
      `\n${counted(count, 'refund')} to pay, ${money(total)} in all. When you have paid a refund, or if it isn't owed:
  ${commandLine("refunds paid <refund> --reference '<how>'")}
  ${commandLine("refunds cancel <refund> --note '<why>'")}`,
    );
  },
});

async function close(
  operating: OperatorStore,
  context: CommandContext,
  closing: Pick<Refund, 'refundId'> & { state: 'paid' | 'cancelled'; reference: string },
  options: ChangeOptions,
): Promise<void> {
  const { closeRefund, closingWords, dryRun } = await import('@topup-kit/core/engine');
  const { deps } = operating;
  const closed = await describingClosing(operating, () => closeRefund(dryRun(deps), closing));
  await closeRecord(context, options, {
    document: refundDocument(closed),
    ids: [closing.refundId],
    screen: () => refundScreen(closed),
    consequence: closingWords(closed, money).en,
    perform: () => describingClosing(operating, () => closeRefund(deps, closing)),
  });
}

const refundArgument = ['<refund>', 'id of a refund that is still to be paid'] as const;

const readReference = ({ reference }: { reference?: string | undefined }): string =>
  readText('--reference', reference, 'give the reference of its payment');

const paid = defineStoreCommand({
  name: 'paid',
  description: 'Record that you paid a refund',
  build: (command) =>
    withChangeOptions(
      command
        .argument(...refundArgument)
        .option('--reference <text>', 'identifies the payment, such as the number of a transfer'),
    ),
  takesIds: true,
  example: 'refunds paid INV-20260329093000-ABCDEFGH-R1 --reference 7781',
  check: readReference,
  run: (operating, context, options, refundId) =>
    close(operating, context, { refundId, state: 'paid', reference: readReference(options) }, options),
});

const readNote = ({ note }: { note?: string | undefined }): string =>
  readText('--note', note, "say why it isn't owed");

const cancel = defineStoreCommand({
  name: 'cancel',
  description: 'Record that a refund is no longer owed',
  build: (command) =>
    withChangeOptions(command.argument(...refundArgument).option('--note <text>', "why it isn't owed")),
  takesIds: true,
  example: "refunds cancel INV-20260329093000-ABCDEFGH-R1 --note 'delivered after all'",
  check: readNote,
  run: (operating, context, options, refundId) =>
    close(operating, context, { refundId, state: 'cancelled', reference: readNote(options) }, options),
});

export const noun = defineGroup(
  'These commands work on the store, as an operator. They move no money, and only record refunds.',
  [list, createRefund, paid, cancel],
);
