import { exitCodes, Problem, reasonOf } from '../errors/cli-error.ts';

/** The folder of the notes can't be used, so no order can be noted before it is sent. */
export const unusableFolder = (folder: string, error: unknown): Problem =>
  new Problem(`Orders can't be noted in ${folder}: ${reasonOf(error)}.`, {
    code: 'STATE_FOLDER',
    exitCode: exitCodes.failure,
    hint: 'An order is noted before it is sent, so that it is never made twice. Mend the folder, name another with XDG_STATE_HOME, or keep the order in mind yourself, with a key of yours: --idempotency-key.',
    cause: error,
  });

/** A note that can't be read may be of an order that was made. */
export const corruptNote = (path: string): Problem =>
  new Problem(`The note of an unfinished order can't be read: ${path}`, {
    code: 'STATE_FILE',
    exitCode: exitCodes.unknownOutcome,
    hint: 'Nothing was sent: this order may have been made already. Look for it at the service first; then run the command again with --another, which forgets it.',
  });
