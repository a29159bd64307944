import { type ErrorCode, type ErrorDefinition, errors } from '../errors.ts';
import { headers } from '../headers.ts';
import type { Operation } from '../routes.ts';
import type { HeaderObject } from './document.ts';

type Headers = Record<string, HeaderObject>;

const header = (
  description: string,
  schema: HeaderObject['schema'],
  source: HeaderObject['x-topup-source'] = 'ours',
): HeaderObject => ({ description, schema, 'x-topup-source': source });

const text = { type: 'string' };

/** Every answer has it. */
const requestId = { [headers.requestId]: header('names the request in the logs of the service', text) };

const idempotencyKey = {
  [headers.idempotencyKey]: header('the key of the request, when it had one: a retry is safe', text),
};

const replayed = {
  [headers.idempotencyReplayed]: header('there when an earlier answer is repeated', {
    type: 'string',
    const: 'true',
  }),
};

const rateLimit = {
  [headers.rateLimitPolicy]: header('the rate limit, when there is one: `"reads";q=120;w=60`', text),
  [headers.rateLimit]: header('what is left of it: `"reads";r=119;t=60`', text),
};

const retryAfter = {
  [headers.retryAfter]: header('seconds after which to try again', { type: 'integer', minimum: 0 }),
};

const echo = (operation: Operation): Headers => (operation === 'createOrder' ? idempotencyKey : {});

export const successHeaders = (operation: Operation): Headers => ({
  ...requestId,
  ...echo(operation),
  ...(operation === 'createOrder' && replayed),
  ...rateLimit,
});

const waits = (code: ErrorCode): boolean => {
  const { status, retryAfter }: ErrorDefinition = errors[code];
  return status === 429 || retryAfter !== undefined;
};

/** The headers of the answer that carries one of these errors. */
export const errorHeaders = (operation: Operation, codes: readonly ErrorCode[]): Headers => ({
  ...requestId,
  [headers.errorCode]: header('what went wrong, for programs', { type: 'string', enum: codes }),
  ...echo(operation),
  ...(codes.some(waits) && retryAfter),
  ...(codes.includes('RATE_LIMITED') && rateLimit),
});
