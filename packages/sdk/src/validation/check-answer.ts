import { TopupResponseError } from '../errors/index.ts';
import { checkChoice } from '../request/check-option.ts';
import { responseFacts } from '../sending/read-answer.ts';
import type { CheckAnswer } from '../sending/send.ts';
import { findMismatch } from './find-mismatch.ts';

/** What happens when an answer is not as the contract says. */
export type Validation = 'strict' | 'warn' | 'off';

export function createAnswerCheck(validation: Validation = 'warn'): CheckAnswer | undefined {
  checkChoice('validation', validation, ['strict', 'warn', 'off']);
  return validation === 'off' ? undefined : validation === 'strict' ? refuse : warn;
}

const warn: CheckAnswer = (body, _response, { operation }, log) => {
  // Where nobody reads warnings there is nothing to look for.
  const mismatch = log.warn && findMismatch(operation, body);
  if (mismatch) log.warn?.('the answer is not as the contract says', { operation, ...mismatch });
};

const refuse: CheckAnswer = (body, response, facts) => {
  const mismatch = findMismatch(facts.operation, body);
  if (mismatch === undefined) return;
  const { path, expected, received } = mismatch;
  const made = facts.idempotencyKey ? 'The order was made, see error.body. ' : '';
  throw new TopupResponseError(
    facts,
    `${received} at ${path}, where the contract says ${expected}`,
    `${made}Use validation: 'warn' to take such answers.`,
    { code: 'INVALID_ANSWER', retryable: false, ...responseFacts(response), path, body },
  );
};
