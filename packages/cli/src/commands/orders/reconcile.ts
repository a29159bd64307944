import { type Command, Option } from 'commander';
import { type CommandContext, contextOf } from '../../context.ts';
import { addExample, type Define } from '../../define-command.ts';
import { usageProblem } from '../../errors/cli-error.ts';
import { dryRunOption, yesOption } from '../../input/prompts.ts';
import { onStore, operate, type StoreOptions } from '../../store/open.ts';
import type { ActOptions } from './act-on-order.ts';
import { reconciliationDocument } from './order-document.ts';
import { reconciliationScreen } from './reconciliation-screen.ts';
import { noteReturn, settle } from './settle-or-return.ts';

interface Options extends StoreOptions, ActOptions {
  all?: true;
  settle?: string;
  return?: string;
  note?: string;
}

const listPayments = (options: Options, context: CommandContext): Promise<void> =>
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
    context.remark(`\nTo take one for its order, or to note that it went back:
  ${commandLine('orders reconcile --settle <payment>')}
  ${commandLine("orders reconcile --return <payment> --note '<how>'")}`);
  });

async function reconcile(options: Options, context: CommandContext): Promise<void> {
  const { settle: settled, return: returned, note } = options;
  if ((returned === undefined) !== (note === undefined))
    throw usageProblem('--return and --note go together: what was returned, and how.');
  if (settled !== undefined) return settle(settled, options, context);
  if (returned !== undefined && note !== undefined)
    return noteReturn({ reconciliationId: returned, note }, options, context);
  return listPayments(options, context);
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
    .action((options: Options, self: Command) => reconcile(options, contextOf(io, self)));
  addExample(onStore(command), io, 'orders reconcile');
};
