import type { Command } from 'commander';
import { exitCodes } from '../../errors/exit-codes.ts';
import { Problem, usageProblem } from '../../errors/problem.ts';
import { explained } from '../../errors/refusal-problem.ts';
import type { Io } from '../../io.ts';
import { type Operating, operate } from '../../operator.ts';
import { print, remark } from '../../output/print.ts';
import type { StoreOptions } from '../../store.ts';
import { orderDocument, reconciliationDocument } from './order-document.ts';
import { reconciliationScreen } from './reconciliation-screen.ts';
import { stateLine } from './state-line.ts';

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

export const settle = (
  reconciliationId: string,
  options: StoreOptions,
  io: Io,
  command: Command,
): Promise<void> =>
  operate(io, options, async (operating) => {
    const { orderId } = await find(reconciliationId, operating);
    const { settleReconciliation } = await import('@topup-kit/core/engine');
    const order = await explained({ ...operating, orderId, event: 'settled' }, () =>
      settleReconciliation(operating.deps, reconciliationId),
    );
    await print(io, command, orderDocument(order), () => stateLine(order));
    const next = operating.commandLine(`orders show ${orderId} --history`);
    remark(io, command, `The running server delivers it. To see how it goes:\n  ${next}`);
  });

export const noteReturn = (
  { reconciliationId, note }: { reconciliationId: string; note: string },
  options: StoreOptions,
  io: Io,
  command: Command,
): Promise<void> =>
  operate(io, options, async (operating) => {
    if (note.trim() === '') throw usageProblem('--note takes a text.');
    const open = await find(reconciliationId, operating);
    const outcome = await operating.store.returnReconciliation(reconciliationId, note);
    // Somebody else closed it meanwhile: found again, it says how.
    if ('conflict' in outcome) await find(reconciliationId, operating);
    const returned = { ...open, state: 'returned', note } as const;
    await print(io, command, reconciliationDocument(returned), () => reconciliationScreen(returned));
  });
