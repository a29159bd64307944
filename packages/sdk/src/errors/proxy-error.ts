import { headers as names } from '@topup-kit/core/contract';

/** Status and message of each error that the proxy creates. Codes of the contract keep their meaning. Clients never parse messages. */
const proxyErrors = {
  FORBIDDEN: [403, 'Pages of this origin may not use this proxy.'],
  ROUTE_NOT_FOUND: [404, 'The proxy does not allow this route.'],
  METHOD_NOT_ALLOWED: [405, 'The method is not supported here.'],
  REQUEST_TIMEOUT: [408, 'The request body was sent too slowly.'],
  PAYLOAD_TOO_LARGE: [413, 'The request body is too large.'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'The Content-Type must be application/json.'],
  BAD_REQUEST: [400, 'The request body could not be read.'],
  RATE_LIMITED: [429, 'Too Many Attempts.'],
  SERVER_ERROR: [500, 'The request body was read before the proxy got the request.'],
  BAD_GATEWAY: [502, 'The service closed the connection, or its response was invalid.'],
  UNAVAILABLE: [503, 'The service is not available right now.'],
  GATEWAY_TIMEOUT: [504, 'The service did not respond in time.'],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type ProxyErrorCode = keyof typeof proxyErrors;

/** The general envelope of interface 7.1. */
export const envelope = (code: string, message: string): string =>
  JSON.stringify({ success: false, message, error_code: code, errors: {} });

/** Thrown if the proxy doesn't pass on a request or a response. It becomes the response to the browser. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError';
  readonly code: ProxyErrorCode;
  readonly status: number;
  readonly headers: Record<string, string>;
  /** The problem between this server and the service, for the log only, not for the browser. */
  readonly reason: string | undefined;

  constructor(
    code: ProxyErrorCode,
    {
      headers = {},
      reason,
      hint = '',
    }: { headers?: Record<string, string>; reason?: string; hint?: string } = {},
  ) {
    const [status, message] = proxyErrors[code];
    super(message + hint);
    this.code = code;
    this.status = status;
    this.headers = { ...(status === 503 && { [names.retryAfter]: '1' }), ...headers };
    this.reason = reason;
  }

  /** The body of the response. A 429 has the shape of an authentication failure (open points: errors); others have the general envelope. */
  get body(): string {
    return this.code === 'RATE_LIMITED'
      ? JSON.stringify({ message: this.message })
      : envelope(this.code, this.message);
  }
}
