import type { AmountError, ClosingError, OperatorEvent, UnitsError } from '@topup-kit/core/engine';
import type { OrderState } from '@topup-kit/core/store';
import { CliError, exitCodes, usageError } from '../errors/cli-error.ts';
import { money, readableTime } from '../output/format.ts';
import { shellWord } from '../output/text.ts';
import { notInStore } from './open.ts';

export interface OperatorAction {
  orderId: string;
  event: OperatorEvent;
  /** Next step if the order's state doesn't allow the action, as a sentence with a command. */
  instead?: string;
  /** Advice on how to accept a payment of another amount, as a sentence with a command. */
  accept?: string;
  path: string;
  commandLine: (args: string) => string;
}

export const orderMissing = ({ orderId, ...act }: Omit<OperatorAction, 'event'>): CliError =>
  notInStore(act, `order ${orderId}`, 'INVOICE_NOT_FOUND', 'orders list');

export const stateWords = ({ paymentStatus, buyStatus }: OrderState): string =>
  `${paymentStatus} / ${buyStatus}`;

/** Returns the error for an event that the order's state doesn't allow, with the allowed states. */
async function stateError(act: OperatorAction, state: string): Promise<CliError> {
  const { orderId, event, commandLine, instead } = act;
  const { operatorStates } = await import('@topup-kit/core/engine');
  const allowed = operatorStates[event]
    .map((possible) => {
      // A refunded item can be marked only to end a contradiction.
      const condition =
        event === 'marked' && possible.paymentStatus === 'REFUND' ? ' with a contradicted delivery' : '';
      return stateWords(possible) + condition;
    })
    .join(' or ');
  return new CliError(`${orderId} can't be ${event}: it is ${state}.`, {
    code: 'STATE_CONFLICT',
    exitCode: exitCodes.rejected,
    hint: [
      `The order must be ${allowed}. To see its history:\n  ${commandLine(`orders show ${orderId} --history`)}`,
      instead ?? [],
    ]
      .flat()
      .join('\n'),
  });
}

/** Returns the error for units that don't allow the change. */
function unitsError({ orderId, commandLine }: OperatorAction, { message, next }: UnitsError): CliError {
  const show = `  ${commandLine(`orders show ${orderId} --history`)}`;
  const mark = commandLine(`orders mark ${orderId} --delivered --note '<how you know>'`);
  const hints = {
    mark: `The first command shows what to ask the supplier. Record the supplier's answer with one of the other commands:\n${show}\n  ${mark}\n  ${mark.replace('--delivered', '--failed')}`,
    wait: `If the supplier's dashboard shows the outcome, mark the order; otherwise wait. To see the known facts:\n${show}\n  ${mark}`,
    none: `To see what happened to it:\n${show}`,
  };
  return new CliError(`${orderId} was not changed. ${message}`, {
    code: 'UNITS_CONFLICT',
    exitCode: exitCodes.rejected,
    hint: hints[next],
  });
}

/** Formats a difference: `Rp 7,212 less than`. */
export const differenceWords = (difference: number): string =>
  `${money(Math.abs(difference))} ${difference > 0 ? 'more' : 'less'} than`;

/** Returns the error for an amount that can't be refunded, or that differs from the order's total. */
function amountError(
  { orderId, accept, instead, commandLine }: OperatorAction,
  error: AmountError,
): CliError {
  const hints: Partial<Record<AmountError['problem'], string>> = {
    'other-than-total': [accept ?? [], instead ?? []].flat().join('\n'),
    'nothing-owed': `To refund a part of the payment, or all of it:\n  ${commandLine(`refunds create ${orderId} --amount <number> --note '<why>'`)}\n  ${commandLine(`refunds create ${orderId} --all --note '<why>'`)}`,
  };
  return new CliError(`${orderId} was not changed. ${error.words({ money, time: readableTime }).en}`, {
    code: 'AMOUNT',
    exitCode: exitCodes.rejected,
    hint: hints[error.problem],
  });
}

/** Returns the next step for a payment that can't be settled as requested. */
function settlingHint({ code, payment }: ClosingError, commandLine: OperatorAction['commandLine']) {
  if (!payment) return undefined;
  const { reconciliationId, orderId, reference } = payment;
  const id = shellWord(reconciliationId);
  if (code === 'RECONCILIATION_WITHOUT_ORDER')
    return `Look for ${reference} at the payment gateway. Then:\n  ${commandLine(`payments settle ${id} --order <order-id>`)}`;
  const refund = `If items were not delivered, mark them if necessary, and record their refund, which then includes this amount:
  ${commandLine(`orders mark ${orderId} --failed --note '<how you know>'`)}
  ${commandLine(`refunds create ${orderId} --note 'by the gateway'`)}
`;
  return `${orderId === null ? '' : refund}If you don't refund the order:\n  ${commandLine(`payments return ${id} --note '<what you did>'`)}`;
}

/** Runs work on payments and refunds. An engine error becomes a CliError with a hint for operators. */
export async function describingClosing<Result>(
  { path, commandLine }: Pick<OperatorAction, 'path' | 'commandLine'>,
  work: () => Promise<Result>,
): Promise<Result> {
  const { ClosingError } = await import('@topup-kit/core/engine');
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ClosingError)) throw error;
    const { code } = error;
    const message = error.words({ money, time: readableTime }).en;
    if (code === 'RECONCILIATION_WITHOUT_ORDER' || code === 'RECONCILIATION_OF_OTHER_ORDER')
      throw usageError(message, settlingHint(error, commandLine));
    if (code !== 'RECONCILIATION_NOT_FOUND' && code !== 'REFUND_NOT_FOUND')
      throw new CliError(message, {
        code,
        exitCode: exitCodes.rejected,
        hint: settlingHint(error, commandLine),
      });
    const listedBy = code === 'REFUND_NOT_FOUND' ? 'refunds list --all' : 'payments list';
    throw new CliError(message.replace(/\.$/, ` in ${path}.`), {
      code,
      exitCode: exitCodes.notFound,
      hint: `This lists them:\n  ${commandLine(listedBy)}`,
    });
  }
}

/** Runs an operator's work. An engine error becomes a CliError with a hint for operators. */
export async function describingErrors<Result>(
  act: OperatorAction,
  work: () => Promise<Result>,
): Promise<Result> {
  const { AmountError, DomainError, UnitsError } = await import('@topup-kit/core/engine');
  try {
    return await describingClosing(act, work);
  } catch (error) {
    if (error instanceof UnitsError) throw unitsError(act, error);
    if (error instanceof AmountError) throw amountError(act, error);
    if (!(error instanceof DomainError)) throw error;
    if (error.code === 'INVOICE_NOT_FOUND') throw orderMissing(act);
    if (error.code === 'STATE_CONFLICT')
      throw await stateError(act, `${error.params.payment} / ${error.params.buy}`);
    throw error;
  }
}

/** Returns the error for a promo that was already used more often than its new quota allows. */
export async function quotaError(conflict: { code: string; uses: number }): Promise<CliError> {
  const { overusedWords } = await import('@topup-kit/core/engine');
  return new CliError(overusedWords(conflict).en, {
    code: 'PROMO_QUOTA_BELOW_USES',
    exitCode: exitCodes.rejected,
    hint: `Nothing was changed. Set a quota of at least ${conflict.uses}, or disable the promo.`,
  });
}
