import {
  TopupAbortError,
  TopupNetworkError,
  TopupResponseError,
  TopupTimeoutError,
  TopupUsageError,
  type UnknownOutcomeCause,
} from '../errors/index.ts';
import { inBrowser } from '../request/check-options.ts';
import type { Config } from './config.ts';
import { TimedOut } from './http.ts';
import type { PreparedRequest } from './prepare.ts';

/** Creates the error for an attempt without a complete response. */
export function failureOf(
  error: unknown,
  { metadata, signal }: PreparedRequest,
  { options, reached }: Config,
  timeout: number,
  sent: boolean,
): UnknownOutcomeCause {
  if ((error instanceof TopupUsageError && !sent) || error instanceof TopupResponseError) return error;
  // Checked by class, because the user's own AbortSignal.timeout() rejects with an error named TimeoutError.
  if (error instanceof TimedOut) return new TopupTimeoutError(metadata, { timeout, sent });
  if (signal?.aborted) return new TopupAbortError(metadata, signal.reason);
  const systemCode = systemCodeOf(error);
  return new TopupNetworkError(metadata, adviceFor(metadata.origin, systemCode), {
    cause: error,
    systemCode,
    // Only connection failures of the runtime's fetch prove that nothing was sent, because a custom fetch may send several times.
    sent: sent && (options.fetch !== undefined || !isUnsent(systemCode, reached)),
  });
}

function adviceFor(origin: string, systemCode: string | undefined): string {
  if (isTlsFailure(systemCode)) return 'Check the scheme of baseUrl.';
  if (inBrowser() && origin !== globalThis.location?.origin)
    return 'Allow CORS there, or set baseUrl to the path of @topup-kit/sdk/proxy on your server.';
  return 'Check that it is up and reachable.';
}

/** Error codes of connection failures in Node and Bun, including invalid certificates. They prove that nothing was sent. */
const connectFailureCodes =
  /^(E(CONNREFUSED|NOTFOUND|AI_AGAIN)|UND_ERR_CONNECT_TIMEOUT|ConnectionRefused|FailedToOpenSocket|UNABLE_TO_VERIFY_LEAF_SIGNATURE)$|(^|_)CERT(_|$)/;

/** Returns the system error code, such as `ECONNREFUSED`. Runtimes set it on the error or on one of its causes. */
export function systemCodeOf(cause: unknown, depth = 9): string | undefined {
  // No `instanceof`, because errors in a test runner may come from another realm. The depth is limited, because causes may be circular.
  const { code, cause: deeper }: { code?: unknown; cause?: unknown } = Object(cause);
  if (typeof code === 'string' && /^[A-Za-z]\w*$/.test(code)) return code;
  return deeper && depth ? systemCodeOf(deeper, depth - 1) : undefined;
}

/** Tells whether an error is that of a TLS handshake with a plain HTTP port, in Node and Bun. */
export const isTlsFailure = (systemCode = ''): boolean =>
  /^(EPROTO|ERR_SSL_WRONG_VERSION_NUMBER)$/.test(systemCode);

/**
 * Tells whether an error means that nothing was sent. A TLS error proves this only before the first response, because a request on a
 * working connection may have been sent.
 */
export const isUnsent = (systemCode: string | undefined, reached: boolean | undefined): boolean =>
  connectFailureCodes.test(systemCode ?? '') || (!reached && isTlsFailure(systemCode));
