/** Status and message of what the proxy says itself. Codes of the contract keep their meaning; clients never parse a message. */
const proxyErrors = {
  FORBIDDEN: [403, 'Pages of this origin may not use this proxy.'],
  ROUTE_NOT_FOUND: [404, 'This is no route that the proxy allows.'],
  METHOD_NOT_ALLOWED: [405, 'The method is not supported here.'],
  REQUEST_TIMEOUT: [408, 'The request body took too long.'],
  PAYLOAD_TOO_LARGE: [413, 'The request body is too large.'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'The Content-Type must be application/json.'],
  BAD_REQUEST: [400, 'The request body could not be read.'],
  RATE_LIMITED: [429, 'Too Many Attempts.'],
  SERVER_ERROR: [500, 'The request body was read before the proxy got the request.'],
  BAD_GATEWAY: [502, 'The service broke off, or its answer could not be used.'],
  UNAVAILABLE: [503, 'The service cannot be used right now.'],
  GATEWAY_TIMEOUT: [504, 'The service did not answer in time.'],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type ProxyErrorCode = keyof typeof proxyErrors;

/** The general envelope of interface 7.1. */
export const envelope = (code: string, message: string): string =>
  JSON.stringify({ success: false, message, error_code: code, errors: {} });

/** Thrown where a request or its answer goes no further; becomes the browser's answer. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError';
  readonly code: ProxyErrorCode;
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor(code: ProxyErrorCode, headers: Record<string, string> = {}) {
    const [status, message] = proxyErrors[code];
    super(message);
    this.code = code;
    this.status = status;
    this.headers = headers;
  }

  /** A 429 has the shape of an authentication failure (open points: errors), the others the general envelope. */
  get body(): string {
    return this.code === 'RATE_LIMITED'
      ? JSON.stringify({ message: this.message })
      : envelope(this.code, this.message);
  }
}
