import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { Option } from '@commander-js/extra-typings';
import type { AppliedPayment, GatewayPaymentsReport } from '@topup-kit/core/engine';
import type { RemoteGateway } from '@topup-kit/core/gateway';
import type { CommandContext } from '../../context.ts';
import { CliError, exitCodes, QuietExit, reasonOf, usageError } from '../../errors/cli-error.ts';
import { readOrderId } from '../../input/arguments.ts';
import { isTimeText, momentReader } from '../../input/moments.ts';
import { confirm, nothingChanged } from '../../input/prompts.ts';
import { counted, isoTime, money, readableTime, timeInColumn, titleWithZone } from '../../output/format.ts';
import { withProgress } from '../../output/progress.ts';
import type { OutputStyle } from '../../output/style.ts';
import { type Column, table } from '../../output/table.ts';
import { printable, shellWord } from '../../output/text.ts';
import { defineStoreCommand } from '../../store/define-store-command.ts';
import { type OperatorStore, whoDelivers, withChangeOptions } from '../../store/open.ts';

/** Finds the time of the newest order in a backup. Later orders may be lost. */
async function newestIn(file: string): Promise<number> {
  const { readStoreInfo, StoreFileError } = await import('@topup-kit/server/internal');
  try {
    return (await readStoreInfo(file)).newestOrderAt ?? 0;
  } catch (cause) {
    if (!(cause instanceof StoreFileError)) throw cause;
    throw usageError(`${printable(file)}: ${cause.message}`, 'Name the backup that was restored, or a time.');
  }
}

/** Reads the moment from which payments may be lost: a time, or the newest order of a backup. */
async function readSince({ io }: CommandContext, since: string): Promise<number> {
  if (isTimeText(since)) return Date.parse((await momentReader(io))(since, 'begin') ?? '');
  const file = resolve(since);
  if (statSync(file, { throwIfNoEntry: false })?.isFile()) return newestIn(file);
  throw usageError(`Give a backup or a time such as 2026-12-31T18:00+07:00, not "${printable(since)}".`);
}

/** Creates the gateway in the server's settings. */
async function configuredGateway(
  { io, remark }: CommandContext,
  { store, path }: OperatorStore,
): Promise<RemoteGateway> {
  if ((await store.readMode()) === 'sandbox')
    throw new CliError(`${path} is the store of a sandbox, whose payments no gateway knows.`, {
      code: 'SANDBOX',
      exitCode: exitCodes.rejected,
    });
  const { readGateway } = await import('@topup-kit/server/internal');
  const gateway = readGateway(io.environment, remark);
  if (gateway) return gateway;
  throw usageError(
    'No gateway is configured: set TOPUP_GATEWAY.',
    'Run this with the settings of the server, such as those of its EnvironmentFile:\n  set -a; . /etc/topup/topup.env; set +a',
  );
}

/** Returns the outcome of a payment, as a code for programs and in words for people. */
function outcomeOf({ event, outcome, reconciliation }: AppliedPayment): [name: string, words: string] {
  if (reconciliation?.reason === 'refunded')
    return ['reconciliation', 'paid back by the gateway: an operator must close it'];
  if (reconciliation) return ['reconciliation', 'to be reconciled by an operator'];
  if (outcome === 'failed') return ['unclear', 'its order is still being created: the server asks again'];
  return event.status === 'paid'
    ? ['paid', 'its order is paid, and will be delivered']
    : ['refunded', 'recorded: the gateway paid it back'];
}

const paymentDocument = (applied: AppliedPayment) => ({
  payment_reference: applied.event.reference,
  order_id: applied.order?.orderId ?? null,
  named_order_id: applied.event.orderId ?? null,
  status: applied.event.status,
  amount: applied.event.amount,
  at: applied.event.at === null ? null : isoTime(applied.event.at),
  outcome: outcomeOf(applied)[0],
  reconciliation_id: applied.reconciliation?.reconciliationId ?? null,
  reason: applied.reason,
});

const columns = (since: number): Column[] => [
  { title: 'ORDER' },
  { title: 'REFERENCE', long: true, spare: true },
  { title: 'AMOUNT', align: 'right' },
  { title: titleWithZone('WHEN', since), spare: true },
  { title: 'WHAT', long: true },
];

const paymentRow = (applied: AppliedPayment): string[] => [
  applied.order?.orderId ?? applied.event.orderId ?? 'none',
  applied.event.reference,
  money(applied.event.amount),
  applied.event.at === null ? '' : timeInColumn(applied.event.at),
  outcomeOf(applied)[1],
];

const screenOf = (since: number, payments: readonly AppliedPayment[], style: OutputStyle): string =>
  payments.length === 0 ? '' : table(columns(since), payments.map(paymentRow), style);

/** Describes which requests to the gateway succeeded and failed. `again` is the command line that repeats them. */
function askedWords(
  { name }: RemoteGateway,
  { listed, asked, unasked, absent, elsewhere }: GatewayPaymentsReport,
  { since, again }: { since: number; again: string },
): string[] {
  const from = readableTime(since);
  return [
    listed === null
      ? `${name} can't list its payments, so payments of orders that the store does not have were NOT found. Look in its dashboard for payments since ${from}, or in the server's log for orders, and ask about them:\n  ${again} --ask <order-id> <order-id>`
      : `${name} listed ${counted(listed, 'payment')} since ${from}.`,
    `It was asked about ${counted(asked, 'other payment')}.`,
    ...(absent.length > 0 ? [`It has no payment of ${absent.join(', ')}.`] : []),
    ...(elsewhere > 0
      ? [`${counted(elsewhere, 'open payment')} of another gateway could NOT be checked.`]
      : []),
    ...(unasked.length > 0
      ? [
          `${counted(unasked.length, 'payment')} could NOT be checked, such as the payment of ${unasked[0]?.orderId}: ${printable(reasonOf(unasked[0]?.error))}\nRun it again:\n  ${again}`,
        ]
      : []),
  ];
}

/** Warns that items may have been delivered before the restore. A retry submits them again, which not every supplier recognises. */
const deliveredBefore = ({ order }: AppliedPayment, commandLine: OperatorStore['commandLine']): string =>
  `It may have been delivered before the restore, and not every supplier knows a reference again. Look for the orders in the supplier's dashboard before you start the server, and mark what it has delivered:\n  ${commandLine(`orders mark ${order?.orderId ?? '<order-id>'} --delivered --note '<how you know>'`)}`;

const isPaid = (applied: AppliedPayment): boolean => outcomeOf(applied)[0] === 'paid';

function consequenceOf(payments: readonly AppliedPayment[]): string {
  const paid = payments.filter(isPaid).length;
  const others = payments.length - paid;
  return [
    ...(paid > 0
      ? [`${counted(paid, 'order')} will be paid, and delivered under their earlier references.`]
      : []),
    ...(others > 0
      ? [`${counted(others, 'payment')} will wait for an operator, or be recorded as paid back.`]
      : []),
  ].join(' ');
}

/** Asks the gateway for payments since a moment, and for orders that the store doesn't contain. */
const askGateway = async (
  context: CommandContext,
  store: OperatorStore['store'],
  gateway: RemoteGateway,
  { since, lostOrders }: { since: number; lostOrders: readonly string[] },
): Promise<GatewayPaymentsReport> => {
  const { askForPayments } = await import('@topup-kit/core/engine');
  return withProgress(context, `Asking ${gateway.name}`, (report) =>
    askForPayments(
      { store, gateway },
      { since, lostOrders, onProgress: (asked) => report(`Asking ${gateway.name}: ${asked}`) },
    ).catch((cause: unknown) => {
      throw new CliError(`${gateway.name} could not be asked: ${printable(reasonOf(cause))}`, {
        code: 'GATEWAY',
        exitCode: exitCodes.network,
        hint: 'Nothing was changed. Check its settings, and run it again.',
        cause,
      });
    }),
  );
};

export const recover = defineStoreCommand({
  name: 'recover',
  description: 'Find payments at the gateway since a restored backup or a time',
  build: (command) =>
    withChangeOptions(
      command
        .argument('<backup|time>', 'the backup that was restored, or a time')
        .addOption(
          new Option(
            '--ask <order-id...>',
            'ids of orders that the store lacks, to ask the gateway about',
          ).argParser((orderId, before: string[] | undefined) => [...(before ?? []), readOrderId(orderId)]),
        ),
    ),
  help: `Run this after restoring a backup, before you start the server. It marks open
orders as paid if their payment arrived. If a payment is for an order placed after
the backup, "payments list" then shows it. The command needs the settings of the
server's gateway. If the gateway can't list its payments, use --ask to name the
orders that are missing from the backup.`,
  example: 'payments recover 2026-03-29T10:00+07:00',
  async run(operating, context, options, from) {
    const { store, deps, commandLine } = operating;
    const since = await readSince(context, from);
    const gateway = await configuredGateway(context, operating);
    const answers = await askGateway(context, store, gateway, { since, lostOrders: options.ask ?? [] });
    const { applyPayments } = await import('@topup-kit/core/engine');
    const apply = (dryRun: boolean): Promise<AppliedPayment[]> =>
      applyPayments({ store, now: deps.worldClock(), dryRun }, answers.events);
    const planned = await apply(true);
    if (!options.dryRun && planned.length > 0)
      await confirm(context, { yes: options.yes, consequence: consequenceOf(planned) });
    const payments = options.dryRun ? planned : await apply(false);
    await context.print({
      document: {
        since: isoTime(since),
        gateway: gateway.name,
        listed: answers.listed,
        asked: answers.asked,
        absent: answers.absent,
        other_gateways: answers.elsewhere,
        not_asked: answers.unasked.map(({ orderId, error }) => ({
          order_id: orderId,
          reason: reasonOf(error),
        })),
        payments: payments.map(paymentDocument),
      },
      ids: payments.map(({ event }) => event.reference),
      screen: (style) => screenOf(since, payments, style),
    });
    const again = commandLine(`payments recover ${shellWord(from)}`);
    context.remark(askedWords(gateway, answers, { since, again }).join('\n'));
    if (payments.length === 0) context.remark('Nothing is new.');
    const paid = payments.find(isPaid);
    if (options.dryRun) context.remark(nothingChanged);
    else if (paid)
      context.remark(
        `${await whoDelivers(operating, 'what is paid now')} ${deliveredBefore(paid, commandLine)}`,
      );
    if (!options.dryRun && payments.some(({ reconciliation }) => reconciliation))
      context.remark(`To see the payments that need a decision:\n  ${commandLine('payments list')}`);
    if (answers.unasked.length > 0) throw new QuietExit(exitCodes.failure);
  },
});
