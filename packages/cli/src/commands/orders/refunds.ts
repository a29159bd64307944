import { Option } from '@commander-js/extra-typings';
import type { ListedRefund } from '@topup-kit/core/engine';
import type { Refund } from '@topup-kit/core/store';
import type { CommandContext } from '../../context.ts';
import { defineCommand, defineGroup, type NewCommand, type OptionsOf } from '../../define-command.ts';
import { CliError, exitCodes, usageError } from '../../errors/cli-error.ts';
import { closeRecord } from '../../input/prompts.ts';
import { counted, money, readableTime } from '../../output/format.ts';
import { list } from '../../output/table.ts';
import {
  notInStore,
  type OperatorStore,
  type StoreOptions,
  storeOption,
  withChangeOptions,
  withOperatorStore,
} from '../../store/open.ts';
import { createRefund, refundDocument } from './refund.ts';

function stateWords({ state, closedBy, closedAt }: Refund): string {
  if (state === 'to-pay' || closedAt === null) return 'to pay';
  return `${state} by ${closedBy ?? 'the gateway'}, ${readableTime(closedAt)}`;
}

const forWords = ({ units }: Refund): string =>
  units.length === 0
    ? "what was paid over the order's total"
    : `item${units.length === 1 ? '' : 's'} ${units.join(', ')}`;

/** The lines of a refund; `more` is what is known of its order. */
export const refundScreen = (refund: Refund, more: [string, string | null][] = []): string =>
  list([
    ['Refund', refund.refundId],
    ['Amount', money(refund.amount)],
    ['For', forWords(refund)],
    ...more,
    [
      'Decided',
      `${refund.operator === null ? 'by the gateway' : `by ${refund.operator}`}, ${readableTime(refund.at)}`,
    ],
    ['Note', refund.note],
    ['State', stateWords(refund)],
    [refund.state === 'cancelled' ? 'Because' : 'Reference', refund.reference],
  ]);

const listedDocument = ({ refund, order, isContradicted }: ListedRefund) => ({
  ...refundDocument(refund),
  contact: order?.contact ?? null,
  contradicted: isContradicted,
});

const listedScreen = ({ refund, order, isContradicted }: ListedRefund): string =>
  refundScreen(refund, [
    ['Customer', order && [order.contact.whatsapp, order.contact.email].filter(Boolean).join(', ')],
    [
      'Careful',
      isContradicted && refund.state === 'to-pay'
        ? 'the supplier contradicted itself, so find out first what was delivered'
        : null,
    ],
  ]);

const allOption = ['--all', 'also list those that are paid or cancelled'] as const;

const listRefunds = (
  context: CommandContext,
  options: StoreOptions & { all?: true | undefined },
): Promise<void> =>
  withOperatorStore(context, options, async (operating) => {
    const { store, path, commandLine } = operating;
    const { withOrders } = await import('@topup-kit/core/engine');
    const refunds = await store.listRefunds(options.all ? undefined : 'to-pay');
    const listed = await withOrders(store, refunds);
    const toPay = refunds.filter(({ state }) => state === 'to-pay');
    const total = toPay.reduce((sum, { amount }) => sum + amount, 0);
    await context.print({
      document: { refunds: listed.map(listedDocument), to_pay: total },
      ids: refunds.map(({ refundId }) => refundId),
      screen: () => listed.map(listedScreen).join('\n'),
    });
    if (toPay.length === 0) return context.remark(`No refunds to pay in ${path}.`);
    context.remark(
      `\n${counted(toPay.length, 'refund')} to pay, ${money(total)} in all. Once one is paid, or if it isn't owed:
  ${commandLine("refunds paid <refund> --reference '<how>'")}
  ${commandLine("refunds cancel <refund> --note '<why>'")}`,
    );
  });

/** The refund, if it is still to be paid; throws otherwise. */
async function findToPay(refundId: string, operating: OperatorStore): Promise<Refund> {
  const refund = (await operating.store.listRefunds()).find((one) => one.refundId === refundId);
  if (!refund)
    throw notInStore(operating, {
      what: `refund ${refundId}`,
      code: 'REFUND_NOT_FOUND',
      listedBy: 'refunds list --all',
    });
  if (refund.state === 'to-pay') return refund;
  const under = refund.state === 'paid' ? `, under ${refund.reference}` : '';
  throw new CliError(`The refund ${refundId} is already ${stateWords(refund)}${under}.`, {
    code: 'REFUND_CLOSED',
    exitCode: exitCodes.rejected,
  });
}

const closeOne = (
  context: CommandContext,
  { refundId, state, reference }: { refundId: string; state: 'paid' | 'cancelled'; reference: string },
  options: Pick<Options, 'by' | 'yes' | 'dryRun' | 'store'>,
): Promise<void> =>
  withOperatorStore(context, options, async (operating) => {
    const { deps } = operating;
    const open = await findToPay(refundId, operating);
    const closed: Refund = {
      ...open,
      state,
      reference,
      closedAt: deps.worldClock(),
      closedBy: deps.operator,
    };
    const what = `The refund ${refundId} of ${money(open.amount)}`;
    await closeRecord(context, options, {
      document: refundDocument(closed),
      ids: [refundId],
      screen: () => refundScreen(closed),
      consequence:
        state === 'paid'
          ? `${what} will be recorded as paid, under ${reference}.`
          : `${what} will be cancelled, so that nobody pays it. The order stays as it is.`,
      async perform() {
        const { closeRefund } = await import('@topup-kit/core/engine');
        // Another operator closed it in the meantime: this throws the matching error.
        if ('conflict' in (await closeRefund(deps, { refundId, state, reference })))
          await findToPay(refundId, operating);
      },
    });
  });

const build = (command: NewCommand) =>
  withChangeOptions(
    command
      .addOption(
        new Option('--paid <refund>', 'record that it was paid back by hand').conflicts(['cancel', 'all']),
      )
      .option(
        '--reference <text>',
        'with --paid: by what the payment is found, such as the number of a transfer',
      )
      .addOption(new Option('--cancel <refund>', "record that it isn't owed after all").conflicts('all'))
      .option('--note <text>', "with --cancel: why it isn't owed")
      .option(...allOption),
  );

/** @throws CliError when the text is missing or empty. */
function readText(flag: string, text: string | undefined, missing: string): string {
  if (text === undefined || text.trim() === '')
    throw usageError(`${flag} ${text === undefined ? `is missing: ${missing}` : 'needs a text'}.`);
  return text;
}

const listCommand = defineCommand({
  name: 'list',
  description: 'List the refunds that are still to be paid by hand',
  build: (command) => command.option(...allOption).option(...storeOption),
  example: 'refunds list',
  run: listRefunds,
});

const refundArgument = ['<refund>', 'id of a refund that is still to be paid'] as const;

const paid = defineCommand({
  name: 'paid',
  description: 'Record that a refund was paid back by hand',
  build: (command) =>
    withChangeOptions(
      command
        .argument(...refundArgument)
        .option('--reference <text>', 'by what the payment is found, such as the number of a transfer'),
    ),
  example: 'refunds paid INV-20260329093000-ABCDEFGH-R1 --reference 7781',
  async run(context, options, refundId) {
    const reference = readText('--reference', options.reference, 'say by what its payment is found');
    await closeOne(context, { refundId, state: 'paid', reference }, options);
  },
});

const cancel = defineCommand({
  name: 'cancel',
  description: "Record that a refund isn't owed after all",
  build: (command) =>
    withChangeOptions(command.argument(...refundArgument).option('--note <text>', "why it isn't owed")),
  example: "refunds cancel INV-20260329093000-ABCDEFGH-R1 --note 'delivered after all'",
  async run(context, options, refundId) {
    const reference = readText('--note', options.note, "say why it isn't owed");
    await closeOne(context, { refundId, state: 'cancelled', reference }, options);
  },
});

/** The commands of the noun `refunds`. */
export const refundCommands = defineGroup(
  'They work on the store, as an operator. No money is moved: they record what goes back.',
  [listCommand, createRefund, paid, cancel],
);

type Options = OptionsOf<typeof build>;

function rejectIncomplete({ paid, reference, cancel, note }: Options): void {
  if ((paid === undefined) !== (reference === undefined))
    throw usageError('--paid and --reference go together: the refund, and by what its payment is found.');
  if ((cancel === undefined) !== (note === undefined))
    throw usageError("--cancel and --note go together: the refund, and why it isn't owed.");
  for (const [flag, text] of Object.entries({ '--reference': reference, '--note': note }))
    if (text?.trim() === '') throw usageError(`${flag} needs a text.`);
}

export const refunds = defineCommand({
  name: 'refunds',
  description: 'List the refunds that are still to be paid by hand, or tick one off, as refunds does',
  build,
  help: `orders refund makes them, and so does a payment over the total of an order that
is settled with it. One that the gateway reports as paid back is ticked off by
itself.`,
  example: 'orders refunds --paid INV-20260329093000-ABCDEFGH-R1 --reference 7781',
  async run(context, options) {
    rejectIncomplete(options);
    const { paid, reference = '', cancel, note = '' } = options;
    if (paid !== undefined) return closeOne(context, { refundId: paid, state: 'paid', reference }, options);
    if (cancel !== undefined)
      return closeOne(context, { refundId: cancel, state: 'cancelled', reference: note }, options);
    return listRefunds(context, options);
  },
});
