import type { TopupAbortError } from './abort-error.ts';
import type { TopupHttpError } from './http-error.ts';
import type { TopupNetworkError } from './network-error.ts';
import type { TopupResponseError } from './response-error.ts';
import type { TopupTimeoutError } from './timeout-error.ts';
import { brand } from './topup-error.ts';
import type { TopupUsageError } from './usage-error.ts';

/** Every error of this package: narrow it by `name` or by `code`. */
export type AnyTopupError =
  | TopupHttpError
  | TopupResponseError
  | TopupNetworkError
  | TopupTimeoutError
  | TopupAbortError
  | TopupUsageError;

/** Every code of this package's errors; those of `TopupHttpError` are open, as servers add their own. */
export type TopupErrorCode = AnyTopupError['code'];

/**
 * Whether an error is of this package, and has the code when one is given. It holds for errors of another
 * copy of the package too, where `instanceof` does not (source: ours).
 *
 * @example
 * ```ts
 * if (isTopupError(error, 'PAYMENT_LIMIT')) chooseAnotherMethod();
 * if (isTopupError(error) && error.name === 'TopupHttpError') logger.warn(error.requestId);
 * ```
 */
export function isTopupError(error: unknown): error is AnyTopupError;
export function isTopupError<Code extends TopupErrorCode>(
  error: unknown,
  code: Code,
): error is AnyTopupError & { readonly code: Code };
export function isTopupError(error: unknown, code?: string): boolean {
  if (typeof error !== 'object' || error === null || !(brand in error)) return false;
  return code === undefined || ('code' in error && error.code === code);
}
