import type { Operation } from '@topup-kit/core/contract';
import { checkChoice } from '../request/check-options.ts';
import { type LogOptions, loggerOf, logPrefix } from '../sending/observe.ts';
import { responseError } from '../sending/read-response.ts';
import type { CheckResponse } from '../sending/send.ts';
import { responseShapes } from './generated/response-shapes.ts';
import { type Mismatch, mismatchOf, within } from './shape.ts';

/** What to do when a response does not match the documented format. */
export type Validation = 'strict' | 'warn' | 'off';

export function createResponseCheck({
  validation = 'warn',
  ...options
}: LogOptions & { validation?: Validation | undefined }): CheckResponse | undefined {
  checkChoice('validation', validation, ['strict', 'warn', 'off']);
  if (validation === 'strict') return reject;
  if (validation === 'off' || options.logLevel === 'error') return undefined;
  return loggerOf(options) ? warn : createConsoleWarning();
}

const warn: CheckResponse = (operation, body, _response, { requestId }, log) => {
  const mismatch = findMismatch(operation, body);
  if (mismatch) log.warn?.('the response does not match the contract', { operation, requestId, ...mismatch });
};

/** Without a logger, each kind of departure is written to the console once per client. */
function createConsoleWarning(): CheckResponse {
  const written = new Set<string>();
  return (operation, body) => {
    const { path, expected, received } = findMismatch(operation, body) ?? {};
    if (path === undefined) return;
    const departure = `${operation}: ${received} at ${path} instead of ${expected}`;
    const kind = departure.replace(/\[\d+\]/g, '');
    if (written.has(kind)) return;
    written.add(kind);
    // biome-ignore lint/suspicious/noConsole: without a logger, nobody would see that the service departs.
    console.warn(
      `${logPrefix}the response does not match the contract. ${departure}. ` +
        "It was passed on. A logger gets every such warning; validation: 'off' turns them off.",
    );
  };
}

const reject: CheckResponse = (operation, body, response, facts) => {
  const mismatch = findMismatch(operation, body);
  if (mismatch === undefined) return;
  const { path, expected, received } = mismatch;
  const created = facts.idempotencyKey ? 'The order was created, see error.body. ' : '';
  throw responseError(
    response,
    facts,
    `${received} at ${path} instead of ${expected}`,
    `${created}Use validation: 'warn' to accept such responses.`,
    { code: 'INVALID_RESPONSE', path, body },
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
  const mismatch = mismatchOf(responseShapes[operation], body);
  return mismatch && within('$', mismatch);
}
