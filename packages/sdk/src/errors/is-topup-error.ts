import { type OwnErrorCode, ownCodes, type TopupErrorCode } from './error-codes.ts';
import type { TopupHttpError } from './http-error.ts';
import type { TopupAbortError, TopupNetworkError, TopupTimeoutError } from './no-response-error.ts';
import type { TopupResponseError } from './response-error.ts';
import { brand } from './topup-error.ts';
import type { TopupUnknownOutcomeError } from './unknown-outcome-error.ts';
import type { TopupUsageError } from './usage-error.ts';
import type { TopupWaitError } from './wait-error.ts';
import type { TopupWebhookError } from './webhook-error.ts';

/**
 * Any error of this package. `isTopupError(error, code)` narrows it to the class of the code. Comparing `error.code` narrows it only after
 * a check that `name` is not `TopupHttpError`, because a service may send any code.
 */
export type AnyTopupError =
  | TopupHttpError
  | TopupResponseError
  | TopupNetworkError
  | TopupTimeoutError
  | TopupAbortError
  | TopupUnknownOutcomeError
  | TopupWaitError
  | TopupWebhookError
  | TopupUsageError;

/** Errors with a fixed set of codes. `TopupHttpError` is not one of them, because servers may add codes. */
type OwnError = Exclude<AnyTopupError, TopupHttpError>;

type OfCode<Kind, Code> = Kind extends { readonly code: infer Own }
  ? Code extends Own
    ? Kind & { readonly code: Code }
    : never
  : never;

/** The error type with this code. */
export type ErrorByCode<Code> = Code extends OwnErrorCode
  ? OfCode<OwnError, Code>
  : OfCode<TopupHttpError, Code>;

/**
 * Checks whether a value is an error of this package and, if `code` is given, has this code. Unlike `instanceof`, it accepts errors from
 * another copy of this package. For one of this package's own codes, such as `TIMEOUT`, it returns false if a server sent the code. The
 * code must be known, so that typing mistakes do not compile. Compare other codes of your service with `error.code`.
 *
 * @example
 * ```ts
 * if (isTopupError(error, 'PAYMENT_LIMIT')) showMessage('Please pay another way.');
 * if (isTopupError(error) && error.name === 'TopupHttpError') logger.warn(error.message, { id: error.requestId });
 * ```
 */
export function isTopupError(error: unknown): error is AnyTopupError;
export function isTopupError<Code extends TopupErrorCode>(
  error: unknown,
  code: Code,
): error is ErrorByCode<Code>;
export function isTopupError(error: unknown, code?: string): boolean {
  if (typeof error !== 'object' || error === null || !(brand in error)) return false;
  if (code === undefined) return true;
  if (!('code' in error && error.code === code)) return false;
  const fromServer = 'name' in error && error.name === 'TopupHttpError';
  return !(fromServer && Object.hasOwn(ownCodes, code));
}
