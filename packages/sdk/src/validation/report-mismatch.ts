import type { RequestMetadata } from '../errors/topup-error.ts';
import type { TopupClientOptions } from '../options.ts';
import { checkChoice } from '../request/check-options.ts';
import type { CheckResponse } from '../sending/config.ts';
import { responseError } from '../sending/error-response.ts';
import { createLog, logPrefix } from '../sending/observe.ts';
import { checkWith, type Mismatch, type Report } from './check-response.ts';

/** Compares responses with the contract, and warns once for each operation whose end the service announces. */
export function createResponseCheck(
  { validation = 'warn', ...options }: TopupClientOptions,
  { seen = new Set() }: Pick<CheckResponse, 'seen'> = {},
): CheckResponse | undefined {
  checkChoice('validation', validation, ['strict', 'warn', 'off']);
  const log = createLog(options);
  const consoleWarn = options.logLevel === 'error' ? undefined : warnOnConsole;
  const warn = log.error ? log.warn : consoleWarn;
  const isStrict = validation === 'strict';
  if (validation === 'off' || !(isStrict || warn)) return undefined;
  const isNew = (kind: string): boolean => !seen.has(kind) && Boolean(seen.add(kind));
  const warnOf: Report['onMismatch'] = (mismatch, { operation, requestId }) => {
    if (log.error)
      return warn?.('the response does not match the contract', { operation, requestId, ...mismatch });
    const departure = `${operation}: ${textOf(mismatch)}`;
    if (isNew(departure.replace(/\[\d+\]/g, '')))
      warn?.(
        `the response does not match the contract. ${departure}. ` +
          "validation: 'off' turns such warnings off.",
        { operation },
      );
  };
  const check = checkWith({
    onMismatch: isStrict ? reject : warnOf,
    onDeprecation(operation, sunset) {
      if (isNew(operation))
        warn?.(`${operation} is deprecated${sunset ? ` and ends on ${sunset}` : ''}.`, { operation, sunset });
    },
  });
  return Object.assign(check, { seen });
}

/** Warns on the console, because a difference would go unnoticed without a logger. */
function warnOnConsole(text: string): void {
  // biome-ignore lint/suspicious/noConsole: see above
  console.warn(logPrefix + text);
}

const textOf = ({ path, expected, received }: Mismatch): string =>
  `${received} at ${path} instead of ${expected}`;

function reject(mismatch: Mismatch, metadata: RequestMetadata, response: Response, body: unknown): never {
  const created = metadata.idempotencyKey ? 'The order was created, see error.body. ' : '';
  throw responseError(
    response,
    metadata,
    textOf(mismatch),
    `${created}Use validation: 'warn' to accept such responses.`,
    { code: 'INVALID_RESPONSE', path: mismatch.path, body },
  );
}
