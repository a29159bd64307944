export {
  errorCodes,
  type KnownHttpErrorCode,
  type OwnErrorCode,
  type TopupErrorCode,
} from './error-codes.ts';
export { type HttpErrorCode, TopupHttpError } from './http-error.ts';
export { type AnyTopupError, type ErrorByCode, isTopupError } from './is-topup-error.ts';
export { TopupAbortError, TopupNetworkError, TopupTimeoutError } from './no-response-error.ts';
export { type ResponseErrorCode, TopupResponseError } from './response-error.ts';
export { type CallMetadata, type Method, type OperationName, TopupError } from './topup-error.ts';
export { TopupUnknownOutcomeError, type UnknownOutcomeCause } from './unknown-outcome-error.ts';
export { TopupUsageError, type UsageErrorCode } from './usage-error.ts';
export { TopupWaitError, type WaitErrorCode } from './wait-error.ts';
export { TopupWebhookError, type WebhookErrorCode } from './webhook-error.ts';
