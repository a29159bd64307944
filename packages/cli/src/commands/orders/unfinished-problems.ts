import { exitCodes, isEarlyEnd, isOutputProblem, Problem } from '../../errors/cli-error.ts';
import type { BegunOrder } from '../../orders-state/begun-order.ts';

const lookForIt =
  'Look for it first: at the service, or with `orders list` where the store is yours. To place another one all the same, and forget this one, run the command again with --another.';

/** A failure that left it open whether the order was made; its note stays. */
export const outcomeUnknown = ({ message, details }: Problem): Problem =>
  new Problem(message, {
    ...details,
    exitCode: exitCodes.unknownOutcome,
    hint: 'It is unknown whether the order was made. It is noted: run the same command again to finish it, with the same key, so that it is made once.',
  });

/** A refusal of an order that an earlier run sent: a service may judge an order before it looks at its key. */
export const refusedNow = ({ message, details }: Problem, order: BegunOrder): Problem =>
  new Problem(`The service refuses it now: ${message}`, {
    ...details,
    exitCode: exitCodes.unknownOutcome,
    idempotencyKey: order.idempotency_key,
    hint: `The first run may have made it all the same. ${lookForIt}`,
  });

/** What failed while an order was told that was made; early ends are none of it. */
export function untold(error: unknown, orderId: string, isNoted: boolean): unknown {
  if (!(error instanceof Problem) || !isOutputProblem(error) || isEarlyEnd(error)) return error;
  return new Problem(`${error.message} The order was made: ${orderId}`, {
    ...error.details,
    exitCode: exitCodes.unknownOutcome,
    hint: isNoted
      ? 'It is noted: run the same command again to have it printed, and no second one made.'
      : undefined,
  });
}

/** An order that can't be finished safely: nobody but a person can tell whether it was made. */
export const lookFirst = (message: string, order: BegunOrder): Problem =>
  new Problem(message, {
    code: 'UNFINISHED_ORDER',
    exitCode: exitCodes.unknownOutcome,
    idempotencyKey: order.idempotency_key,
    hint: `Nothing was sent, as the order may have been made. ${lookForIt}`,
  });
