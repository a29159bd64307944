import { Option } from '@commander-js/extra-typings';
import type { RefundedOrder, RefundOrder } from '@topup-kit/core/engine';
import { defineCommand, type NewCommand, type OptionsOf } from '../../define-command.ts';
import { usageError } from '../../errors/cli-error.ts';
import { readOrderId } from '../../input/arguments.ts';
import { readText } from '../../input/texts.ts';
import { money } from '../../output/format.ts';
import { list } from '../../output/table.ts';
import { shellWord } from '../../output/text.ts';
import { withChangeOptions } from '../../store/open.ts';
import { withOrder } from '../../store/order-id.ts';
import { changeOrder, type OrderChange } from '../orders/change.ts';
import { refundDocument } from './records.ts';

const build = (command: NewCommand) =>
  withChangeOptions(
    command
      .argument('<order-id>', 'id of a paid order', readOrderId)
      .option('--note <text>', 'why, or how it was paid back, for its history')
      .addOption(
        new Option('--amount <number>', 'total refund in the smallest unit, such as 22404').conflicts('all'),
      )
      .option('--all', 'refund the whole payment, including delivered items'),
  );

function askedAmount({ amount, all }: OptionsOf<typeof build>): RefundOrder['amount'] {
  if (all) return 'all';
  return amount === undefined ? undefined : readAmount(amount);
}

/** Formats items: `item 3`, `items 1, 2` or `none`. */
export const itemWords = (items: readonly number[]): string =>
  items.length === 0 ? 'none' : `item${items.length === 1 ? '' : 's'} ${items.join(', ')}`;

const refundedScreen = (planned: RefundedOrder): string => {
  const { amount, toPay, balance } = planned;
  return list([
    ['Paid', money(balance.received)],
    ['Delivered', itemWords(balance.delivered)],
    ['Not delivered', itemWords(balance.undelivered)],
    ['Refunded before', balance.refunded > 0 ? money(balance.refunded) : null],
    ['Refund', money(amount)],
    ['By the gateway', amount > toPay ? money(amount - toPay) : null],
    ['To pay by hand', toPay > 0 ? money(toPay) : 'nothing'],
  ]);
};

const refundedDocument = ({ amount, balance, refunds }: RefundedOrder) => ({
  refund: {
    amount,
    paid_amount: balance.received,
    refunded_before: balance.refunded,
    owed_amount: balance.owed,
    delivered_units: balance.delivered,
    undelivered_units: balance.undelivered,
    refunds: refunds.map(refundDocument),
  },
});

/** Reads an amount of money above zero. */
function readAmount(text: string): number {
  const amount = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (amount > 0) return amount;
  throw usageError(
    `--amount takes a whole number above zero without separators, such as 22404, not "${text}".`,
  );
}

function readAsked(options: OptionsOf<typeof build>): RefundOrder {
  // Operators use a dry run to see the owed amount, so it needs no note.
  const needsNote = !options.dryRun || options.note !== undefined;
  const note = needsNote
    ? readText('--note', options.note, "say why or how, such as --note 'no such player'")
    : undefined;
  return { amount: askedAmount(options), note };
}

export const createRefund = defineCommand({
  name: 'create',
  description: "Record a full or partial refund of an order's payment",
  takesIds: true,
  build,
  help: `By default, it refunds the undelivered share of the payment, including fee and
unique code: for 1 of 3 items and Rp 67,212, that is Rp 22,404. The delivered
share is rounded down. --amount and --all change the amount.

An order that was delivered, such as to the wrong player, needs --amount or --all.
It stays PAID / Sukses, and the refund lowers the profit of its day.

The command moves no money: pay the customer, then record it with refunds paid.
The refund includes amounts that the gateway already paid back.`,
  example: "refunds create INV-20260329093000-ABCDEFGH --all --note 'wrong player'",
  check: readAsked,
  async run(context, options, id) {
    const asked = readAsked(options);
    await withOrder(context, options, id, async (operating, orderId) => {
      const { commandLine } = operating;
      const { comparedWords, refundOrder, refundWords } = await import('@topup-kit/core/engine');
      const change: OrderChange<RefundedOrder> = {
        orderId,
        event: 'refunded',
        instead: 'Another refund of an order that is REFUND / Gagal needs --amount or --all.',
        consequence: (planned) => refundWords(planned, money).en,
        warning: (planned) => comparedWords(planned, money)?.en,
        perform: (deps) => refundOrder(deps, orderId, asked),
        document: refundedDocument,
        screen: refundedScreen,
      };
      const done = await changeOrder(context, operating, change, options);
      const open = done?.refunds.find(({ state }) => state === 'to-pay');
      if (!open) return;
      context.remark(
        `This records the refund but moves no money: pay ${money(open.amount)} back to the customer yourself. Then record it:
  ${commandLine(`refunds paid ${shellWord(open.refundId)} --reference '<how>'`)}`,
      );
    });
  },
});
