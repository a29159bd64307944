import type { Reconciliation } from '@topup-kit/core/store';
import { type Command, Option } from 'commander';
import { addExample } from '../../command-line.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { Problem, usageProblem } from '../../errors/problem.ts';
import { confirm, dryRunOption, nothingChanged, yesOption } from '../../input/confirm.ts';
import type { Io } from '../../io.ts';
import { type Operating, operate, whoDelivers } from '../../operator.ts';
import { money } from '../../output/money.ts';
import { print, remark } from '../../output/print.ts';
import { list } from '../../output/table.ts';
import { readableTime } from '../../output/times.ts';
import type { Define } from '../define.ts';
import { isoTime } from '../iso-time.ts';
import { onStore } from '../on-store.ts';
import { type ActOptions, actOnOrder, type OrderAct } from './change.ts';

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
};

const states: Record<Reconciliation['state'], string> = {
  open: 'open',
  settled: 'settled: taken for the order',
  returned: 'returned',
};

/** A payment that matches no order, and its state. */
export const reconciliationScreen = (one: Reconciliation): string =>
  list([
    ['Payment', one.reconciliationId],
    ['Order', one.orderId],
    ['Amount', money(one.amount)],
    ['Why', reasons[one.reason]],
    ['Paid', readableTime(one.paidAt)],
    ['State', states[one.state]],
    ['Note', one.note],
  ]);

const missing = (reconciliationId: string, { path, commandLine }: Operating): Problem =>
  new Problem(`There is no payment ${reconciliationId} to reconcile in ${path}.`, {
    code: 'RECONCILIATION_NOT_FOUND',
    exitCode: exitCodes.notFound,
    hint: `This lists them:\n  ${commandLine('orders reconcile')}`,
  });

/** Throws for a payment that does not exist, or is closed. */
async function findOpen(reconciliationId: string, operating: Operating) {
  const found = (await operating.store.listReconciliations()).find(
    (one) => one.reconciliationId === reconciliationId,
  );
  if (!found) throw missing(reconciliationId, operating);
  if (found.state === 'open') return found;
  throw new Problem(`The payment ${reconciliationId} is ${found.state} already.`, {
    code: 'RECONCILIATION_CLOSED',
    exitCode: exitCodes.rejected,
  });
}

const settle = (reconciliationId: string, options: ActOptions, io: Io, command: Command): Promise<void> =>
  operate(io, command, options, async (operating) => {
    const { deps } = operating;
    const { orderId, amount } = await findOpen(reconciliationId, operating);
    const { previewOrder, settleReconciliation } = await import('@topup-kit/core/engine');
    const act: OrderAct = {
      orderId,
      event: 'settled',
      consequence: `The payment of ${money(amount)} is taken for ${orderId} for good, which is then delivered.`,
      preview: () => previewOrder(deps, orderId, 'settled'),
      perform: () => settleReconciliation(deps, reconciliationId),
    };
    if (!(await actOnOrder(act, options, operating, io, command))) return;
    const next = operating.commandLine(`orders show ${orderId} --history`);
    const who = await whoDelivers(operating.path, 'it');
    remark(io, command, `${who} To see how it goes:\n  ${next}`);
  });

const noteReturn = (
  { reconciliationId, note }: { reconciliationId: string; note: string },
  options: ActOptions,
  io: Io,
  command: Command,
): Promise<void> =>
  operate(io, command, options, async (operating) => {
    if (note.trim() === '') throw usageProblem('--note takes a text.');
    const open = await findOpen(reconciliationId, operating);
    const returned = { ...open, state: 'returned', note } as const;
    const result = {
      document: reconciliationDocument(returned),
      ids: [reconciliationId],
      screen: () => reconciliationScreen(returned),
    };
    if (options.dryRun) {
      await print(io, command, result);
      return remark(io, command, nothingChanged);
    }
    const consequence = `The payment of ${money(open.amount)} is noted as returned to the customer for good.`;
    await confirm(io, command, { yes: options.yes, consequence });
    const outcome = await operating.store.returnReconciliation(reconciliationId, note);
    // Somebody else closed it in the meantime: this throws, and says how.
    if ('conflict' in outcome) await findOpen(reconciliationId, operating);
    await print(io, command, result);
  });

interface Options extends ActOptions {
  all?: true;
  settle?: string;
  return?: string;
  note?: string;
}

const listPayments = (options: Options, io: Io, command: Command): Promise<void> =>
  operate(io, command, options, async ({ store, path, commandLine }) => {
    const found = await store.listReconciliations(options.all ? undefined : 'open');
    const document = { reconciliations: found.map(reconciliationDocument) };
    await print(io, command, {
      document,
      ids: found.map(({ reconciliationId }) => reconciliationId),
      screen: () => found.map(reconciliationScreen).join('\n'),
    });
    const open = found.find(({ state }) => state === 'open');
    if (found.length === 0) remark(io, command, `No payments to reconcile in ${path}.`);
    if (!open) return;
    remark(
      io,
      command,
      `\nTo take one for its order, or to note that it went back:
  ${commandLine('orders reconcile --settle <payment>')}
  ${commandLine("orders reconcile --return <payment> --note '<how>'")}`,
    );
  });

async function reconcile(options: Options, io: Io, command: Command): Promise<void> {
  const { settle: settled, return: returned, note } = options;
  if ((returned === undefined) !== (note === undefined))
    throw usageProblem('--return and --note go together: what was returned, and how.');
  if (settled !== undefined) return settle(settled, options, io, command);
  if (returned !== undefined && note !== undefined)
    return noteReturn({ reconciliationId: returned, note }, options, io, command);
  return listPayments(options, io, command);
}

export const defineReconcile: Define = (orders, io) => {
  const command = orders
    .command('reconcile')
    .description('List the payments that match no order as it stands, or close one')
    .addOption(
      new Option('--settle <payment>', 'take it for its order, which is then delivered').conflicts([
        'return',
        'all',
      ]),
    )
    .addOption(new Option('--return <payment>', 'note that it went back to the customer').conflicts('all'))
    .option('--note <text>', 'with --return: how it went back')
    .option(...yesOption)
    .option(...dryRunOption)
    .option('--all', 'list also those that are closed')
    .action((options: Options, self: Command) => reconcile(options, io, self));
  addExample(onStore(command), io, 'orders reconcile');
};
