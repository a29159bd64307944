import { Option } from '@commander-js/extra-typings';
import type { RefundBalance, RefundedOrder, RefundOrder } from '@topup-kit/core/engine';
import type { Refund } from '@topup-kit/core/store';
import type { CommandContext } from '../../context.ts';
import { defineCommand, type NewCommand, type OptionsOf } from '../../define-command.ts';
import { usageError } from '../../errors/cli-error.ts';
import { readOrderId } from '../../input/arguments.ts';
import { isoTime, isoTimeOrNull, money } from '../../output/format.ts';
import { list } from '../../output/table.ts';
import { shellWord } from '../../output/text.ts';
import { stateWords } from '../../store/from-engine.ts';
import { withChangeOptions } from '../../store/open.ts';
import { withOrder } from '../../store/order-id.ts';
import { changeOrder, type OrderChange, readNote } from './change.ts';

export const refundDocument = (refund: Refund) => ({
  refund_id: refund.refundId,
  order_id: refund.orderId,
  amount: refund.amount,
  units: refund.units,
  created_at: isoTime(refund.at),
  by: refund.operator,
  note: refund.note,
  state: refund.state,
  reference: refund.reference,
  closed_at: isoTimeOrNull(refund.closedAt),
  closed_by: refund.closedBy,
});

const build = (command: NewCommand) =>
  withChangeOptions(
    command
      .argument('<order-id>', 'id of a paid order', readOrderId)
      .option('--note <text>', 'why, or how it was paid back, for its history')
      .addOption(
        new Option(
          '--amount <number>',
          'refund so much in all, in the smallest unit, such as 22404',
        ).conflicts('all'),
      )
      .option('--all', 'refund everything that was paid, also what was delivered'),
  );

function askedAmount({ amount, all }: OptionsOf<typeof build>): RefundOrder['amount'] {
  if (all) return 'all';
  return amount === undefined ? undefined : readAmount(amount);
}

/** `item 3`, `items 1, 2`; `none`. */
export const itemWords = (items: readonly number[]): string =>
  items.length === 0 ? 'none' : `item${items.length === 1 ? '' : 's'} ${items.join(', ')}`;

/** `2 of its 3 items were delivered (1, 2), and 1 was not (3).` */
function deliveredWords({ delivered, undelivered }: RefundBalance): string {
  const all = delivered.length + undelivered.length;
  if (all === 1) return `Its item was ${delivered.length === 1 ? '' : 'not '}delivered.`;
  if (delivered.length === 0) return `None of its ${all} items was delivered.`;
  if (undelivered.length === 0) return `All of its ${all} items were delivered.`;
  const were = (count: number): string => (count === 1 ? 'was' : 'were');
  return `${delivered.length} of its ${all} items ${were(delivered.length)} delivered (${delivered.join(', ')}), and ${undelivered.length} ${were(undelivered.length)} not (${undelivered.join(', ')}).`;
}

const paidByHand = ({ refunds }: RefundedOrder): number =>
  refunds.reduce((sum, { state, amount }) => (state === 'to-pay' ? sum + amount : sum), 0);

/** How an amount that an operator chose compares with what is owed. */
function comparedWords({ amount, balance: { owed } }: RefundedOrder): string | undefined {
  if (amount === owed) return undefined;
  const [difference, than] = [money(Math.abs(amount - owed)), 'for what was not delivered'];
  return `That is ${difference} ${amount > owed ? 'more' : 'less'} than is owed ${than} (${money(owed)}).`;
}

function consequenceOf(planned: RefundedOrder): string {
  const { order, amount, balance } = planned;
  const byGateway = amount - paidByHand(planned);
  return [
    `${order.orderId}: ${deliveredWords(balance)}`,
    ...(balance.refunded > 0 ? [`${money(balance.refunded)} was refunded before.`] : []),
    `${money(amount)} of the ${money(balance.received)} that was paid will be recorded as refunded, ${order.paymentStatus === 'REFUND' ? 'and nothing more of the order can be delivered' : `and the order stays ${stateWords(order)}`}.`,
    ...(byGateway > 0 ? [`The gateway has already paid back ${money(byGateway)} of it.`] : []),
  ].join(' ');
}

const refundedScreen = (planned: RefundedOrder): string => {
  const { amount, balance } = planned;
  const byHand = paidByHand(planned);
  return list([
    ['Paid', money(balance.received)],
    ['Delivered', itemWords(balance.delivered)],
    ['Not delivered', itemWords(balance.undelivered)],
    ['Refunded before', balance.refunded > 0 ? money(balance.refunded) : null],
    ['Refund', money(amount)],
    ['By the gateway', amount > byHand ? money(amount - byHand) : null],
    ['To pay by hand', byHand > 0 ? money(byHand) : 'nothing'],
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

const definition = {
  description: 'Record that what was paid for an order goes back, all or in part',
  build,
  help: `It refunds what was not delivered: the same share of what was paid, with the
fee and the unique code, so 1 of 3 items of Rp 67,212 is Rp 22,404. What was
delivered is rounded down. --amount and --all refund something else.

An order that was delivered, such as to the wrong player, needs --amount or --all.
It stays PAID / Sukses, and the refund lowers the profit of its day.

No money is moved: pay it back yourself, then tick it off with refunds paid.
What the gateway reported as paid back is a part of the refund.`,
  async run(context: CommandContext, options: OptionsOf<typeof build>, id: string) {
    const missing = "say why or how, such as --note 'no such player'";
    // A dry run is how an operator looks at what is owed, before there is anything to say.
    const note = options.dryRun && options.note === undefined ? undefined : readNote(options.note, missing);
    const asked = { amount: askedAmount(options), note };
    await withOrder(context, options, id, async (operating, orderId) => {
      const { deps, commandLine } = operating;
      const { previewRefund, refundOrder } = await import('@topup-kit/core/engine');
      const change: OrderChange<RefundedOrder> = {
        orderId,
        event: 'refunded',
        instead: 'More of an order that is REFUND / Gagal is refunded only with --amount or --all.',
        consequence: consequenceOf,
        warning: comparedWords,
        preview: () => previewRefund(deps, orderId, asked),
        perform: () => refundOrder(deps, orderId, asked),
        document: refundedDocument,
        screen: refundedScreen,
      };
      const done = await changeOrder(context, operating, change, options);
      const open = done?.refunds.find(({ state }) => state === 'to-pay');
      if (!open) return;
      context.remark(
        `This records the refund but moves no money: pay ${money(open.amount)} back to the customer yourself. Then tick it off:
  ${commandLine(`refunds paid ${shellWord(open.refundId)} --reference '<how>'`)}`,
      );
    });
  },
};

export const createRefund = defineCommand({
  name: 'create',
  ...definition,
  example: "refunds create INV-20260329093000-ABCDEFGH --all --note 'wrong player'",
});

/** The name of earlier versions. */
export const refund = defineCommand({
  name: 'refund',
  ...definition,
  example: "orders refund INV-20260329093000-ABCDEFGH --note 'no such player'",
});

/** Reads an amount of money above zero. */
function readAmount(text: string): number {
  const amount = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (amount > 0) return amount;
  throw usageError(
    `--amount takes a whole number above zero without separators, such as 22404, not "${text}".`,
  );
}
