import { Option } from '@commander-js/extra-typings';
import type { SettledOrder } from '@topup-kit/core/engine';
import type { Reconciliation } from '@topup-kit/core/store';
import type { CommandContext } from '../../context.ts';
import { defineCommand } from '../../define-command.ts';
import { CliError, exitCodes, usageError } from '../../errors/cli-error.ts';
import { readOrderId } from '../../input/arguments.ts';
import { operatorOption } from '../../input/operator.ts';
import { closeRecord, dryRunOption, yesOption } from '../../input/prompts.ts';
import { isoTime, isoTimeOrNull, money, readableTime } from '../../output/format.ts';
import { list } from '../../output/table.ts';
import { shellWord } from '../../output/text.ts';
import { differenceWords } from '../../store/from-engine.ts';
import {
  notInStore,
  type OperatorStore,
  type StoreOptions,
  storeOption,
  whoDelivers,
  withOperatorStore,
} from '../../store/open.ts';
import { type ChangeOptions, changeOrder, type OrderChange } from './change.ts';
import { recoverPayments } from './lost-payments.ts';
import { refundDocument } from './refund.ts';

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
  closed_at: isoTimeOrNull(one.closedAt),
  closed_by: one.closedBy,
});

const reasons: Record<Reconciliation['reason'], string> = {
  late: 'paid after the order expired',
  amount: "not the order's total",
  closed: 'paid again, or after the order failed',
  unknown: 'no order has this payment reference',
  refunded: 'the gateway paid so much back, and the order does not show it',
};

function stateWords({ state, reason }: Reconciliation): string {
  const isRefund = reason === 'refunded';
  const words = {
    open: 'open',
    settled: `settled: counted as the order's ${isRefund ? 'refund' : 'payment'}`,
    returned: isRefund ? 'closed' : 'returned',
  };
  return words[state];
}

/** `ani, 29 Mar 2026, 10:00 GMT+7`. */
const closedWords = ({ closedBy, closedAt }: Reconciliation): string | null =>
  closedAt === null ? null : [closedBy ?? 'the gateway', readableTime(closedAt)].join(', ');

export const reconciliationScreen = (one: Reconciliation): string =>
  list([
    ['Payment', one.reconciliationId],
    ['Order', one.orderId ?? 'none'],
    ['Ref', one.reference],
    ['Amount', money(one.amount)],
    ['Why', reasons[one.reason]],
    [one.reason === 'refunded' ? 'Refunded' : 'Paid', readableTime(one.paidAt)],
    ['State', stateWords(one)],
    ['By', closedWords(one)],
    ['Note', one.note],
  ]);

/** Throws if the payment doesn't exist or is closed. */
async function findOpen(reconciliationId: string, operating: OperatorStore) {
  const payment = (await operating.store.listReconciliations()).find(
    (one) => one.reconciliationId === reconciliationId,
  );
  if (!payment)
    throw notInStore(operating, {
      what: `payment ${reconciliationId} to reconcile`,
      code: 'RECONCILIATION_NOT_FOUND',
      listedBy: 'orders reconcile',
    });
  if (payment.state === 'open') return payment;
  throw new CliError(`The payment ${reconciliationId} is already ${payment.state}.`, {
    code: 'RECONCILIATION_CLOSED',
    exitCode: exitCodes.rejected,
  });
}

/** The order that a payment is to settle. Only a payment that was made for no known order leaves a choice. */
function orderToSettle(
  { reconciliationId, orderId, reference }: Reconciliation,
  order: string | undefined,
  { commandLine }: OperatorStore,
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
  { commandLine }: OperatorStore,
): void {
  if (reason !== 'refunded') return;
  const refund = [
    `orders mark ${orderId} --failed --note '<how you know>'`,
    `orders refund ${orderId} --note 'by the gateway'`,
  ];
  const close = `orders reconcile --return ${shellWord(reconciliationId)} --note '<what you did>'`;
  throw new CliError(
    `The gateway paid ${reconciliationId} back, so there is no money to settle ${orderId} with.`,
    {
      code: 'RECONCILIATION_REFUNDED',
      exitCode: exitCodes.rejected,
      hint: `What was not delivered: mark it if need be, and refund it, of which this is then a part:\n${refund.map((one) => `  ${commandLine(one)}`).join('\n')}\nIf the order is not to be refunded:\n  ${commandLine(close)}`,
    },
  );
}

/** What is short or over, and who bears it. */
function differenceSentence({ difference }: SettledOrder): string[] {
  if (difference === 0) return [];
  const than = `That is ${differenceWords(difference)} its total`;
  return difference > 0
    ? [`${than}, which becomes a refund to be paid by hand.`]
    : [`${than}, which you bear.`];
}

const settledScreen = (amount: number, settled: SettledOrder): string => {
  const { difference, order, refunds } = settled;
  return list([
    ['Paid', money(amount)],
    ['Total', money(order.pricing.total_price)],
    [difference > 0 ? 'Over' : 'Short', money(Math.abs(difference))],
    ['To pay back', refunds[0] ? `${money(difference)} (${refunds[0].refundId})` : null],
  ]);
};

const settlePayment = (
  context: CommandContext,
  reconciliationId: string,
  options: ChangeOptions & { order?: string | undefined; otherAmount?: true | undefined },
): Promise<void> =>
  withOperatorStore(context, options, async (operating) => {
    const { deps, commandLine } = operating;
    const unsettled = await findOpen(reconciliationId, operating);
    rejectRefund(unsettled, operating);
    const { amount } = unsettled;
    const orderId = orderToSettle(unsettled, options.order, operating);
    const { previewSettlement, settleReconciliation } = await import('@topup-kit/core/engine');
    const settlement = { reconciliationId, orderId, otherAmount: options.otherAmount };
    const payment = shellWord(reconciliationId);
    const ofOrder = unsettled.orderId === null ? ` --order ${orderId}` : '';
    const change: OrderChange<SettledOrder> = {
      orderId,
      event: 'settled',
      accept: `To deliver it all the same: what is short is yours to bear, and what is over becomes a refund:\n  ${commandLine(`orders reconcile --settle ${payment}${ofOrder} --other-amount`)}`,
      instead: `To pay the money back, and record that:\n  ${commandLine(`orders reconcile --return ${payment} --note '<how>'`)}`,
      consequence: (planned) =>
        [
          `The payment of ${money(amount)} will count as the payment of ${orderId}, which is then delivered.`,
          ...differenceSentence(planned),
        ].join(' '),
      preview: () => previewSettlement(deps, settlement),
      perform: () => settleReconciliation(deps, settlement),
      document: ({ difference, refunds }) => ({
        settled: { paid_amount: amount, difference, refunds: refunds.map(refundDocument) },
      }),
      screen: (settled) => (settled.difference === 0 ? '' : settledScreen(amount, settled)),
    };
    const settled = await changeOrder(context, operating, change, options);
    if (!settled) return;
    const next = commandLine(`orders show ${orderId} --history`);
    const who = await whoDelivers(operating, 'it');
    context.remark(`${who} To follow it:\n  ${next}`);
    const [refund] = settled.refunds;
    if (refund)
      context.remark(
        `Pay ${money(refund.amount)} back to the customer yourself. Then tick it off:\n  ${commandLine(`refunds paid ${refund.refundId} --reference '<how>'`)}`,
      );
  });

const returnPayment = (
  context: CommandContext,
  { reconciliationId, note }: { reconciliationId: string; note: string },
  options: ChangeOptions,
): Promise<void> =>
  withOperatorStore(context, options, async (operating) => {
    if (note.trim() === '') throw usageError('--note needs a text.');
    const { deps } = operating;
    const open = await findOpen(reconciliationId, operating);
    const closing = { closedAt: deps.worldClock(), closedBy: deps.operator };
    const returned = { ...open, ...closing, state: 'returned', note } as const;
    await closeRecord(context, options, {
      document: reconciliationDocument(returned),
      ids: [reconciliationId],
      screen: () => reconciliationScreen(returned),
      consequence:
        open.reason === 'refunded'
          ? `The refund of ${money(open.amount)} by the gateway will be closed. The order stays as it is.`
          : `The payment of ${money(open.amount)} will be recorded as returned to the customer.`,
      async perform() {
        const { returnPayment: recordReturn } = await import('@topup-kit/core/engine');
        // Another operator closed it in the meantime: this throws the matching error.
        if ('conflict' in (await recordReturn(deps, reconciliationId, note)))
          await findOpen(reconciliationId, operating);
      },
    });
  });

const listPayments = (context: CommandContext, options: StoreOptions & { all?: true }): Promise<void> =>
  withOperatorStore(context, options, async ({ store, path, commandLine }) => {
    const payments = await store.listReconciliations(options.all ? {} : { state: 'open' });
    const document = { reconciliations: payments.map(reconciliationDocument) };
    await context.print({
      document,
      ids: payments.map(({ reconciliationId }) => reconciliationId),
      screen: () => payments.map(reconciliationScreen).join('\n'),
    });
    const open = payments.find(({ state }) => state === 'open');
    if (payments.length === 0) context.remark(`No payments to reconcile in ${path}.`);
    if (!open) return;
    context.remark(
      `\nTo count one as its order's payment, or to record that it was returned, or what you did about a refund:
  ${commandLine('orders reconcile --settle <payment>')}
  ${commandLine("orders reconcile --return <payment> --note '<how>'")}`,
    );
  });

export const reconcile = defineCommand({
  name: 'reconcile',
  description: 'List the payments and refunds that match no order, find them, or close one',
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
          '--since <backup|time>',
          'ask the gateway what was paid since a backup that was restored, or a time',
        ).conflicts(['settle', 'return', 'all']),
      )
      .addOption(
        new Option(
          '--ask <order-id...>',
          'with --since: orders that the store does not have, to ask about, too',
        ).argParser((orderId, before: string[] | undefined) => [...(before ?? []), readOrderId(orderId)]),
      )
      .addOption(
        new Option(
          '--order <order-id>',
          'with --settle: the order, for a payment of no known order',
        ).argParser(readOrderId),
      )
      .option('--other-amount', "with --settle: although the payment is less or more than the order's total")
      .option('--note <text>', 'with --return: how it was returned, or what you did about it')
      .option(...operatorOption)
      .option(...yesOption)
      .option(...dryRunOption)
      .option('--all', 'also list closed ones')
      .option(...storeOption),
  help: `After the restore of a backup, before the server is started, --since finds what
the store does not know: open orders that were paid become paid, and money for
orders that came after the backup waits here. It needs the settings of the
server's gateway. One that can't list its payments has to be asked about each
order, so name those that the backup does not have with --ask.`,
  example: 'orders reconcile',
  async run(context, options) {
    const { settle, return: returned, note, order, otherAmount, since, ask } = options;
    if (ask !== undefined && since === undefined) throw usageError('--ask goes with --since.');
    if (since !== undefined) return recoverPayments(context, { ...options, since });
    if (order !== undefined && settle === undefined) throw usageError('--order goes with --settle.');
    if (otherAmount && settle === undefined) throw usageError('--other-amount goes with --settle.');
    if ((returned === undefined) !== (note === undefined))
      throw usageError('--return and --note go together: the payment, and how it was returned.');
    if (settle !== undefined) return settlePayment(context, settle, options);
    if (returned !== undefined && note !== undefined)
      return returnPayment(context, { reconciliationId: returned, note }, options);
    return listPayments(context, options);
  },
});
