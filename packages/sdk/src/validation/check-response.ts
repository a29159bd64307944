import type { Operation } from '@topup-kit/core/contract';
import { TopupResponseError } from '../errors/index.ts';
import { checkChoice } from '../request/check-options.ts';
import { responseFacts } from '../sending/read-response.ts';
import type { CheckResponse } from '../sending/send.ts';
import { responseShapes } from './response-shapes.ts';
import { type Mismatch, mismatchOf } from './shape.ts';

/** What happens when an answer is not as the contract says. */
export type Validation = 'strict' | 'warn' | 'off';

export function createResponseCheck(validation: Validation = 'warn'): CheckResponse | undefined {
  checkChoice('validation', validation, ['strict', 'warn', 'off']);
  return validation === 'off' ? undefined : validation === 'strict' ? reject : warn;
}

const warn: CheckResponse = (body, _response, { operation }, log) => {
  // Where nobody reads warnings there is nothing to look for.
  const mismatch = log.warn && findMismatch(operation, body);
  if (mismatch) log.warn?.('the answer is not as the contract says', { operation, ...mismatch });
};

const reject: CheckResponse = (body, response, facts) => {
  const mismatch = findMismatch(facts.operation, body);
  if (mismatch === undefined) return;
  const { path, expected, received } = mismatch;
  const made = facts.idempotencyKey ? 'The order was made, see error.body. ' : '';
  throw new TopupResponseError(
    facts,
    `${received} at ${path}, where the contract says ${expected}`,
    `${made}Use validation: 'warn' to take such answers.`,
    { code: 'INVALID_RESPONSE', retryable: false, ...responseFacts(response), path, body },
  );
};

/**
 * The first departure of a successful answer from the contract, in the order of its fields; undefined when there is
 * none. Fields that the contract does not name are left alone, and a status or any other name out of a list may be
 * a new one, so that a client outlives a service that grows (source: ours).
 *
 * @example
 * findMismatch('listGames', { success: true, games: [{ id: '11' }] });
 * // { path: '$.games[0].id', expected: 'integer', received: 'string' }
 */
export function findMismatch(operation: Operation, body: unknown): Mismatch | undefined {
  const found = mismatchOf(responseShapes[operation], body);
  return found && { ...found, path: `$${found.path}` };
}
