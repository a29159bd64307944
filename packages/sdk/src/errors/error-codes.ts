import type { ErrorCode } from '@topup-kit/core/contract';
import type { ProxyErrorCode } from './proxy-error.ts';
import type { ResponseErrorCode } from './response-error.ts';
import type { UsageErrorCode } from './usage-error.ts';
import type { WaitErrorCode } from './wait-error.ts';
import type { WebhookErrorCode } from './webhook-error.ts';

/** Codes of errors that this package creates itself. A server can't cause them, even if it sends the same code. */
export type OwnErrorCode =
  | ResponseErrorCode
  | WaitErrorCode
  | UsageErrorCode
  | WebhookErrorCode
  | 'NETWORK_ERROR'
  | 'TIMEOUT'
  | 'ABORTED'
  | 'UNKNOWN_OUTCOME';

/** Codes of error responses: from a Topup Kit server, derived from a status, or from the proxy. */
export type KnownHttpErrorCode = ErrorCode | 'NOT_FOUND' | 'REJECTED' | 'HTTP_ERROR' | ProxyErrorCode;

export const ownCodes: Readonly<Record<OwnErrorCode, true>> = {
  EMPTY_BODY: true,
  NOT_JSON: true,
  NOT_AN_OBJECT: true,
  INVALID_RESPONSE: true,
  RESPONSE_TOO_LARGE: true,
  NETWORK_ERROR: true,
  TIMEOUT: true,
  ABORTED: true,
  UNKNOWN_OUTCOME: true,
  WAIT_TIMEOUT: true,
  STATUS_UNAVAILABLE: true,
  UNSUPPORTED_ENVIRONMENT: true,
  INVALID_BASE_URL: true,
  INVALID_API_KEY: true,
  API_KEY_IN_BROWSER: true,
  INVALID_OPTION: true,
  INVALID_HEADER: true,
  INVALID_PATH_PARAMETER: true,
  INVALID_IDEMPOTENCY_KEY: true,
  INVALID_REQUEST: true,
  INVALID_PROXY_OPTION: true,
  HOOK_FAILED: true,
  INVALID_WEBHOOK_SECRET: true,
  MISSING_WEBHOOK_HEADER: true,
  STALE_WEBHOOK: true,
  INVALID_WEBHOOK_SIGNATURE: true,
  INVALID_WEBHOOK_BODY: true,
};

const httpCodes: Readonly<Record<KnownHttpErrorCode, true>> = {
  UNAUTHORIZED: true,
  FORBIDDEN: true,
  VALIDATION_ERROR: true,
  MALFORMED_JSON: true,
  GAME_NOT_FOUND: true,
  GAME_CLOSED: true,
  PRODUCT_NOT_FOUND: true,
  PRODUCT_CLOSED: true,
  PRODUCT_OUT_OF_STOCK: true,
  PRODUCT_GAME_MISMATCH: true,
  PAYMENT_METHOD_NOT_FOUND: true,
  PAYMENT_METHOD_CLOSED: true,
  PROMO_NOT_FOUND: true,
  PROMO_INACTIVE: true,
  PROMO_NOT_STARTED: true,
  PROMO_EXPIRED: true,
  PROMO_QUOTA: true,
  PROMO_USED: true,
  PROMO_MINIMUM: true,
  PROMO_NOT_ELIGIBLE: true,
  PAYMENT_LIMIT: true,
  PAYMENT_METHOD_BUSY: true,
  INVOICE_NOT_FOUND: true,
  RECONCILIATION_NOT_FOUND: true,
  PAYMENT_FAILED: true,
  SAVE_FAILED: true,
  IDEMPOTENCY_CONFLICT: true,
  IDEMPOTENCY_KEY_USED: true,
  IDEMPOTENCY_IN_FLIGHT: true,
  STATE_CONFLICT: true,
  RATE_LIMITED: true,
  PAYLOAD_TOO_LARGE: true,
  UNSUPPORTED_MEDIA_TYPE: true,
  METHOD_NOT_ALLOWED: true,
  ROUTE_NOT_FOUND: true,
  SERVER_ERROR: true,
  UNAVAILABLE: true,
  NOT_FOUND: true,
  REJECTED: true,
  HTTP_ERROR: true,
  REQUEST_TIMEOUT: true,
  BAD_REQUEST: true,
  BAD_GATEWAY: true,
  GATEWAY_TIMEOUT: true,
};

/** Any known code of this package's errors. A service may send other codes; compare them with `error.code`. */
export type TopupErrorCode = OwnErrorCode | KnownHttpErrorCode;

/** All known error codes. Each has a section in docs/errors.md. */
// There is no spread, so that bundlers can remove the tables if the list is not used.
export const errorCodes: readonly TopupErrorCode[] = /* @__PURE__ */ Object.keys(httpCodes).concat(
  /* @__PURE__ */ Object.keys(ownCodes),
) as TopupErrorCode[]; // Safe: these are the keys of the tables.
