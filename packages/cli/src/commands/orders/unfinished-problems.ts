import { exitCodes } from '../../errors/exit-codes.ts';
import { Problem } from '../../errors/problem.ts';
import type { BegunOrder } from '../../orders-state/begun-order.ts';

/** A failure that left it open whether the order was made; its note stays. */
export const outcomeUnknown = ({ message, details }: Problem): Problem =>
  new Problem(message, {
    ...details,
    exitCode: exitCodes.unknownOutcome,
    hint: `It is unknown whether the order was made. It is noted: run the same command again to finish it,
with the same key, so that it is made once.`,
  });

/** An order that can't be finished safely: nobody but a person can tell whether it was made. */
export const lookFirst = (message: string, order: BegunOrder): Problem =>
  new Problem(message, {
    code: 'UNFINISHED_ORDER',
    exitCode: exitCodes.unknownOutcome,
    idempotencyKey: order.idempotency_key,
    hint: `Nothing was sent, as the order may have been made. Look for it first: at the service, or with
\`orders list\` where the store is yours. To place another one all the same, and forget
this one, run the command again with --another.`,
  });
