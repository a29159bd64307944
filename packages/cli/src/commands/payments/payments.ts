import { defineGroup } from '../../define-command.ts';
import { closeRecord } from '../../input/prompts.ts';
import { readText } from '../../input/texts.ts';
import { money } from '../../output/format.ts';
import { defineStoreCommand } from '../../store/define-store-command.ts';
import { describingClosing } from '../../store/from-engine.ts';
import { withChangeOptions } from '../../store/open.ts';
import { allScreens, paymentDocument, paymentScreen } from './records.ts';
import { recover } from './recover.ts';
import { settle } from './settle.ts';

const list = defineStoreCommand({
  name: 'list',
  description: 'List the payments and refunds of the gateway that match no order',
  build: (command) => command.option('--all', 'also list closed payments'),
  example: 'payments list',
  async run({ store, path, commandLine }, context, options) {
    const { withActions } = await import('@topup-kit/core/engine');
    const payments = await store.listReconciliations(options.all ? {} : { state: 'open' });
    await context.print({
      document: { reconciliations: payments.map(paymentDocument) },
      ids: payments.map(({ reconciliationId }) => reconciliationId),
      screen: () => allScreens(payments.map(paymentScreen)),
    });
    if (payments.length === 0) context.remark(`No payments to reconcile in ${path}.`);
    const listed = await withActions(store, payments);
    const settles = listed.some(({ canSettle }) => canSettle);
    if (!listed.some(({ canReturn }) => canReturn)) return;
    context.remark(
      `\nTo ${settles ? "accept a payment as its order's payment, or to " : ''}record that it was returned, or what you did about a refund:${settles ? `\n  ${commandLine('payments settle <payment>')}` : ''}
  ${commandLine("payments return <payment> --note '<how>'")}`,
    );
  },
});

const readNote = ({ note }: { note?: string | undefined }): string =>
  readText('--note', note, 'say how it was returned, or what you did about it');

const giveBack = defineStoreCommand({
  name: 'return',
  description: 'Record that a payment was returned to its customer, or close a refund by the gateway',
  build: (command) =>
    withChangeOptions(
      command
        .argument('<payment>', 'id of a payment to reconcile')
        .option('--note <text>', 'how it was returned, or what you did about it'),
    ),
  takesIds: true,
  example: "payments return INV-20260329093000-ABCDEFGH-late --note 'by transfer'",
  check: readNote,
  async run(operating, context, options, id) {
    const note = readNote(options);
    const { dryRun, returnPayment, returnWords } = await import('@topup-kit/core/engine');
    const { deps } = operating;
    const returned = await describingClosing(operating, () => returnPayment(dryRun(deps), id, note));
    await closeRecord(context, options, {
      document: paymentDocument(returned),
      ids: [id],
      screen: () => paymentScreen(returned),
      consequence: returnWords(returned, money).en,
      perform: () => describingClosing(operating, () => returnPayment(deps, id, note)),
    });
  },
});

export const noun = defineGroup(
  'These commands work on the store, as an operator. They move no money, and only record what you did.',
  [list, settle, giveBack, recover],
);
