import { Option } from '@commander-js/extra-typings';
import type { SettledOrder } from '@topup-kit/core/engine';
import { readOrderId } from '../../input/arguments.ts';
import { money } from '../../output/format.ts';
import { list } from '../../output/table.ts';
import { shellWord } from '../../output/text.ts';
import { defineStoreCommand } from '../../store/define-store-command.ts';
import { describingClosing } from '../../store/from-engine.ts';
import { whoDelivers, withChangeOptions } from '../../store/open.ts';
import { changeOrder, type OrderChange } from '../orders/change.ts';
import { refundDocument } from './records.ts';

const settledScreen = (amount: number, { difference, order, refunds }: SettledOrder): string =>
  difference === 0
    ? ''
    : list([
        ['Paid', money(amount)],
        ['Total', money(order.pricing.total_price)],
        [difference > 0 ? 'Over' : 'Short', money(Math.abs(difference))],
        ['To pay back', refunds[0] ? `${money(difference)} (${refunds[0].refundId})` : null],
      ]);

export const settle = defineStoreCommand({
  name: 'settle',
  description: "Accept a payment as its order's payment; the server then delivers the order",
  build: (command) =>
    withChangeOptions(
      command
        .argument('<payment>', 'id of a payment to reconcile')
        .addOption(
          new Option('--order <order-id>', 'the order, if the payment names no known order').argParser(
            readOrderId,
          ),
        )
        .option('--other-amount', "accept an amount that differs from the order's total")
        .option('--note <text>', 'why, for its history'),
    ),
  takesIds: true,
  example: 'payments settle INV-20260329093000-ABCDEFGH-late',
  async run(operating, context, options, reconciliationId) {
    const { store, commandLine } = operating;
    const { findPayment, settleReconciliation, settlementWords } = await import('@topup-kit/core/engine');
    const payment = await describingClosing(operating, () => findPayment(store, reconciliationId));
    const { order, otherAmount, note } = options;
    const orderId = payment.orderId ?? order ?? '';
    const settlement = { reconciliationId, orderId: order, otherAmount, note };
    const name = shellWord(reconciliationId);
    const ofOrder = payment.orderId === null ? ` --order ${orderId}` : '';
    const change: OrderChange<SettledOrder> = {
      orderId,
      event: 'settled',
      accept: `To deliver it anyway, accept the amount. You lose a missing amount, and an excess becomes a refund:\n  ${commandLine(`payments settle ${name}${ofOrder} --other-amount`)}`,
      instead: `To pay the money back, and record that:\n  ${commandLine(`payments return ${name} --note '<how>'`)}`,
      consequence: (planned) => settlementWords(planned, money).en,
      perform: (deps) => settleReconciliation(deps, settlement),
      document: ({ difference, refunds }) => ({
        settled: { paid_amount: payment.amount, difference, refunds: refunds.map(refundDocument) },
      }),
      screen: (settled) => settledScreen(payment.amount, settled),
    };
    const settled = await changeOrder(context, operating, change, options);
    if (!settled) return;
    context.remark(
      `${await whoDelivers(operating, 'it')} To follow it:\n  ${commandLine(`orders show ${orderId} --history`)}`,
    );
    const [refund] = settled.refunds;
    if (refund)
      context.remark(
        `Pay ${money(refund.amount)} back to the customer yourself. Then record it:\n  ${commandLine(`refunds paid ${refund.refundId} --reference '<how>'`)}`,
      );
  },
});
