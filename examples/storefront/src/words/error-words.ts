import { isTopupError } from '@topup-kit/sdk';
import type { Words } from './id.ts';

const isKnown = (code: string, errors: Words['errors']): code is keyof Words['errors'] =>
  Object.hasOwn(errors, code);

/** What to tell a visitor: by the code, never by reading the message, which is shown where the code says nothing. */
export function errorWords(error: unknown, { errors, failed }: Words): string {
  if (!isTopupError(error)) return failed;
  if (isTopupError(error, 'UNKNOWN_OUTCOME') && !error.retryable) return errors.ORDER_UNCERTAIN;
  if (isKnown(error.code, errors)) return errors[error.code];
  if (error.name === 'TopupHttpError' && error.status < 500) return error.serverMessage ?? failed;
  return failed;
}
