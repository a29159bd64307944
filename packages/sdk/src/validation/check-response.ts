import type { Operation } from '@topup-kit/core/contract';
import { TopupResponseError } from '../errors/index.ts';
import { checkChoice } from '../request/check-options.ts';
import { responseFacts } from '../sending/read-response.ts';
import type { CheckResponse } from '../sending/send.ts';
import { responseShapes } from './response-shapes.ts';
import { type Mismatch, mismatchOf } from './shape.ts';

/** What to do when a response does not match the documented format. */
export type Validation = 'strict' | 'warn' | 'off';

export function createResponseCheck(validation: Validation = 'warn'): CheckResponse | undefined {
  checkChoice('validation', validation, ['strict', 'warn', 'off']);
  return validation === 'off' ? undefined : validation === 'strict' ? reject : warn;
}

const warn: CheckResponse = (body, _response, { operation }, log) => {
  // Without a logger for warnings, the check is not needed.
  const mismatch = log.warn && findMismatch(operation, body);
  if (mismatch) log.warn?.('the response does not match the contract', { operation, ...mismatch });
};

const reject: CheckResponse = (body, response, facts) => {
  const mismatch = findMismatch(facts.operation, body);
  if (mismatch === undefined) return;
  const { path, expected, received } = mismatch;
  const created = facts.idempotencyKey ? 'The order was created, see error.body. ' : '';
  throw new TopupResponseError(
    facts,
    `${received} at ${path} instead of ${expected}`,
    `${created}Use validation: 'warn' to accept such responses.`,
    { code: 'INVALID_RESPONSE', retryable: false, ...responseFacts(response), path, body },
  );
};

/**
 * The first difference between a successful response and the contract, in the order of the fields; undefined when there
 * is none. Unknown fields and unknown enum values are allowed, so that clients keep working with newer services.
 *
 * @example
 * findMismatch('listGames', { success: true, games: [{ id: '11' }] });
 * // { path: '$.games[0].id', expected: 'integer', received: 'string' }
 */
export function findMismatch(operation: Operation, body: unknown): Mismatch | undefined {
  const found = mismatchOf(responseShapes[operation], body);
  return found && { ...found, path: `$${found.path}` };
}
