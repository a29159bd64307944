import { Option } from '@commander-js/extra-typings';
import type { Reconciliation } from '@topup-kit/core/store';
import type { CommandContext } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { CliError, exitCodes, usageError } from '../../errors/cli-error.ts';
import { readOrderId } from '../../input/arguments.ts';
import { confirm, dryRunOption, nothingChanged, yesOption } from '../../input/prompts.ts';
import { isoTime, money, readableTime } from '../../output/format.ts';
import { list } from '../../output/table.ts';
import { shellWord } from '../../output/text.ts';
import { type Operating, operate, type StoreOptions, storeOption, whoDelivers } from '../../store/open.ts';
import { type ChangeOptions, changeOrder, type OrderChange } from './change.ts';

export const reconciliationDocument = (one: Reconciliation) => ({
  reconciliation_id: one.reconciliationId,
  order_id: one.orderId,
  payment_reference: one.reference,
  amount: one.amount,
  paid_at: isoTime(one.paidAt),
  noticed_at: isoTime(one.noticedAt),
  reason: one.reason,
  state: one.state,
  note: one.note,
});

const reasons: Record<Reconciliation['reason'], string> = {
  late: 'paid after the order expired',
  amount: "not the order's total",
  closed: 'paid again, or after the order failed',
  unknown: 'no order has this payment reference',
  refunded: 'the gateway paid it back, although the order counts as paid',
};

const states: Record<Reconciliation['state'], string> = {
  open: 'open',
  settled: "settled: counted as the order's payment",
  returned: 'returned',
};

export const reconciliationScreen = (one: Reconciliation): string =>
  list([
    ['Payment', one.reconciliationId],
    ['Order', one.orderId ?? 'none'],
    ['Ref', one.reference],
    ['Amount', money(one.amount)],
    ['Why', reasons[one.reason]],
    [one.reason === 'refunded' ? 'Refunded' : 'Paid', readableTime(one.paidAt)],
    ['State', one.reason === 'refunded' && one.state === 'returned' ? 'closed' : states[one.state]],
    ['Note', one.note],
  ]);

const missing = (reconciliationId: string, { path, commandLine }: Operating): CliError =>
  new CliError(`There is no payment ${reconciliationId} to reconcile in ${path}.`, {
    code: 'RECONCILIATION_NOT_FOUND',
    exitCode: exitCodes.notFound,
    hint: `This lists them:\n  ${commandLine('orders reconcile')}`,
  });

/** Throws if the payment doesn't exist or is closed. */
async function findOpen(reconciliationId: string, operating: Operating) {
  const found = (await operating.store.listReconciliations()).find(
    (one) => one.reconciliationId === reconciliationId,
  );
  if (!found) throw missing(reconciliationId, operating);
  if (found.state === 'open') return found;
  throw new CliError(`The payment ${reconciliationId} is already ${found.state}.`, {
    code: 'RECONCILIATION_CLOSED',
    exitCode: exitCodes.rejected,
  });
}

/** The order that a payment is to settle. Only a payment that was made for no known order leaves a choice. */
function orderToSettle(
  { reconciliationId, orderId, reference }: Reconciliation,
  order: string | undefined,
  { commandLine }: Operating,
): string {
  if (orderId !== null && order !== undefined && order !== orderId)
    throw usageError(`The payment ${reconciliationId} was made for ${orderId}, so it can't settle ${order}.`);
  const chosen = orderId ?? order;
  if (chosen !== undefined) return chosen;
  throw usageError(
    `The payment ${reconciliationId} was made for no known order: say for which with --order.`,
    `Look for ${reference} at the payment gateway. Then:\n  ${commandLine(`orders reconcile --settle ${shellWord(reconciliationId)} --order <order-id>`)}`,
  );
}

/** Rejects a refund: its money has left, so it pays for nothing. */
function rejectRefund(
  { reason, reconciliationId, orderId }: Reconciliation,
  { commandLine }: Operating,
): void {
  if (reason !== 'refunded') return;
  const commands = [
    `orders mark ${orderId} --failed --note '<how you know>'`,
    `orders refund ${orderId} --note 'by the gateway'`,
    `orders reconcile --return ${shellWord(reconciliationId)} --note '<what you did>'`,
  ];
  throw new CliError(
    `The gateway paid ${reconciliationId} back, so there is no money to settle ${orderId} with.`,
    {
      code: 'RECONCILIATION_REFUNDED',
      exitCode: exitCodes.rejected,
      hint: `If nothing was delivered, record that, and then close it:\n${commands.map((one) => `  ${commandLine(one)}`).join('\n')}`,
    },
  );
}

const settlePayment = (
  context: CommandContext,
  reconciliationId: string,
  options: ChangeOptions & { order?: string | undefined },
): Promise<void> =>
  operate(context, options, async (operating) => {
    const { deps } = operating;
    const found = await findOpen(reconciliationId, operating);
    rejectRefund(found, operating);
    const { amount } = found;
    const orderId = orderToSettle(found, options.order, operating);
    const { previewOrder, settleReconciliation } = await import('@topup-kit/core/engine');
    const change: OrderChange = {
      orderId,
      event: 'settled',
      instead: `To pay the money back, and record that:\n  ${operating.commandLine(`orders reconcile --return ${shellWord(reconciliationId)} --note '<how>'`)}`,
      consequence: `The payment of ${money(amount)} will count as the payment of ${orderId}, which is then delivered.`,
      preview: () => previewOrder(deps, orderId, 'settled'),
      perform: () => settleReconciliation(deps, reconciliationId, orderId),
    };
    if (!(await changeOrder(context, operating, change, options))) return;
    const next = operating.commandLine(`orders show ${orderId} --history`);
    const who = await whoDelivers(operating, 'it');
    context.remark(`${who} To follow it:\n  ${next}`);
  });

const returnPayment = (
  context: CommandContext,
  { reconciliationId, note }: { reconciliationId: string; note: string },
  options: ChangeOptions,
): Promise<void> =>
  operate(context, options, async (operating) => {
    if (note.trim() === '') throw usageError('--note needs a text.');
    const open = await findOpen(reconciliationId, operating);
    const returned = { ...open, state: 'returned', note } as const;
    const result = {
      document: reconciliationDocument(returned),
      ids: [reconciliationId],
      screen: () => reconciliationScreen(returned),
    };
    if (options.dryRun) {
      await context.print(result);
      return context.remark(nothingChanged);
    }
    const consequence =
      open.reason === 'refunded'
        ? `The refund of ${money(open.amount)} by the gateway will be closed. The order stays as it is.`
        : `The payment of ${money(open.amount)} will be recorded as returned to the customer.`;
    await confirm(context, { yes: options.yes, consequence });
    const outcome = await operating.store.returnReconciliation(reconciliationId, note);
    // Another operator closed it in the meantime: this throws the matching error.
    if ('conflict' in outcome) await findOpen(reconciliationId, operating);
    await context.print(result);
  });

const listPayments = (context: CommandContext, options: StoreOptions & { all?: true }): Promise<void> =>
  operate(context, options, async ({ store, path, commandLine }) => {
    const found = await store.listReconciliations(options.all ? undefined : 'open');
    const document = { reconciliations: found.map(reconciliationDocument) };
    await context.print({
      document,
      ids: found.map(({ reconciliationId }) => reconciliationId),
      screen: () => found.map(reconciliationScreen).join('\n'),
    });
    const open = found.find(({ state }) => state === 'open');
    if (found.length === 0) context.remark(`No payments to reconcile in ${path}.`);
    if (!open) return;
    context.remark(
      `\nTo count one as its order's payment, or to record that it was returned, or what you did about a refund:
  ${commandLine('orders reconcile --settle <payment>')}
  ${commandLine("orders reconcile --return <payment> --note '<how>'")}`,
    );
  });

export const reconcile = defineCommand({
  name: 'reconcile',
  description: 'List the payments and refunds that match no order, or close one',
  build: (command) =>
    command
      .addOption(
        new Option(
          '--settle <payment>',
          "count it as its order's payment; the order is then delivered",
        ).conflicts(['return', 'all']),
      )
      .addOption(
        new Option(
          '--return <payment>',
          'record that it was returned to the customer, or close a refund',
        ).conflicts('all'),
      )
      .addOption(
        new Option(
          '--order <order-id>',
          'with --settle: the order, for a payment of no known order',
        ).argParser(readOrderId),
      )
      .option('--note <text>', 'with --return: how it was returned, or what you did about it')
      .option(...yesOption)
      .option(...dryRunOption)
      .option('--all', 'also list closed ones')
      .option(...storeOption),
  example: 'orders reconcile',
  asksService: false,
  async run(context, options) {
    const { settle, return: returned, note, order } = options;
    if (order !== undefined && settle === undefined) throw usageError('--order goes with --settle.');
    if ((returned === undefined) !== (note === undefined))
      throw usageError('--return and --note go together: the payment, and how it was returned.');
    if (settle !== undefined) return settlePayment(context, settle, options);
    if (returned !== undefined && note !== undefined)
      return returnPayment(context, { reconciliationId: returned, note }, options);
    return listPayments(context, options);
  },
});
