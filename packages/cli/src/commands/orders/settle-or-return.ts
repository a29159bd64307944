import type { CommandContext } from '../../context.ts';
import { exitCodes, Problem, usageProblem } from '../../errors/cli-error.ts';
import { confirm } from '../../input/prompts.ts';
import { money } from '../../output/format.ts';
import { type Operating, operate, type StoreOptions, whoDelivers } from '../../store/open.ts';
import { type ActOptions, actOnOrder, nothingChanged, type OrderAct } from './act-on-order.ts';
import { reconciliationDocument } from './order-document.ts';
import { reconciliationScreen } from './reconciliation-screen.ts';

interface Options extends StoreOptions, ActOptions {}

const missing = (reconciliationId: string, { path, commandLine }: Operating): Problem =>
  new Problem(`There is no payment ${reconciliationId} to reconcile in ${path}.`, {
    code: 'RECONCILIATION_NOT_FOUND',
    exitCode: exitCodes.notFound,
    hint: `This lists them:\n  ${commandLine('orders reconcile')}`,
  });

async function find(reconciliationId: string, operating: Operating) {
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

export const settle = (reconciliationId: string, options: Options, context: CommandContext): Promise<void> =>
  operate(context, options, async (operating) => {
    const { deps } = operating;
    const { orderId, amount } = await find(reconciliationId, operating);
    const { previewOrder, settleReconciliation } = await import('@topup-kit/core/engine');
    const act: OrderAct = {
      orderId,
      event: 'settled',
      consequence: `The payment of ${money(amount)} is taken for ${orderId} for good, which is then delivered.`,
      preview: () => previewOrder(deps, orderId, 'settled'),
      perform: () => settleReconciliation(deps, reconciliationId),
    };
    if (!(await actOnOrder(act, options, operating, context))) return;
    const next = operating.commandLine(`orders show ${orderId} --history`);
    const who = await whoDelivers(operating.path, 'it');
    context.remark(`${who} To see how it goes:\n  ${next}`);
  });

export const noteReturn = (
  { reconciliationId, note }: { reconciliationId: string; note: string },
  options: Options,
  context: CommandContext,
): Promise<void> =>
  operate(context, options, async (operating) => {
    if (note.trim() === '') throw usageProblem('--note takes a text.');
    const open = await find(reconciliationId, operating);
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
    const consequence = `The payment of ${money(open.amount)} is noted as returned to the customer for good.`;
    await confirm(context, { yes: options.yes, consequence });
    const outcome = await operating.store.returnReconciliation(reconciliationId, note);
    // Somebody else closed it meanwhile: found again, it says how.
    if ('conflict' in outcome) await find(reconciliationId, operating);
    await context.print(result);
  });
