import { checkChoice } from '../request/check-options.ts';
import type { CheckResponse } from '../sending/config.ts';
import { responseError } from '../sending/error-response.ts';
import { createLog, type Log, type LogOptions, logPrefix } from '../sending/observe.ts';
import { checkWith, type Report } from './check-response.ts';

/** What to do when a response does not match the documented format. */
export type Validation = 'strict' | 'warn' | 'off';

export function createResponseCheck({
  validation = 'warn',
  ...options
}: LogOptions & { validation?: Validation | undefined }): CheckResponse | undefined {
  checkChoice('validation', validation, ['strict', 'warn', 'off']);
  if (validation === 'strict') return checkWith(reject);
  if (validation === 'off' || options.logLevel === 'error') return undefined;
  const log = createLog(options);
  return checkWith(log.error ? createWarning(log) : createConsoleWarning());
}

const createWarning =
  ({ warn }: Log): Report =>
  (mismatch, { operation, requestId }) =>
    warn?.('the response does not match the contract', { operation, requestId, ...mismatch });

/** Without a logger, each kind of departure is written to the console once per client. */
function createConsoleWarning(): Report {
  const written = new Set<string>();
  return ({ path, expected, received }, { operation }) => {
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

const reject: Report = ({ path, expected, received }, facts, response, body) => {
  const created = facts.idempotencyKey ? 'The order was created, see error.body. ' : '';
  throw responseError(
    response,
    facts,
    `${received} at ${path} instead of ${expected}`,
    `${created}Use validation: 'warn' to accept such responses.`,
    { code: 'INVALID_RESPONSE', path, body },
  );
};
