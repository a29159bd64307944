export { TopupAbortError } from './abort-error.ts';
export { type HttpErrorCode, TopupHttpError } from './http-error.ts';
export { type AnyTopupError, isTopupError, type TopupErrorCode } from './is-topup-error.ts';
export { TopupNetworkError } from './network-error.ts';
export { type ResponseErrorCode, TopupResponseError } from './response-error.ts';
export { TopupTimeoutError } from './timeout-error.ts';
export { TopupError } from './topup-error.ts';
export { TopupUsageError, type UsageErrorCode } from './usage-error.ts';
