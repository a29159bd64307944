import { createHash, timingSafeEqual } from 'node:crypto';
import type { CallbackReceiver } from '@topup-kit/core/callback';
import { readBytes } from '@topup-kit/core/http';
import ky from 'ky';

/** Error for a failed request to a provider. The message names the provider, and contains no secret and no address. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  /** Milliseconds until the request may be repeated, if the provider limits its frequency. */
  readonly retryAfterMs: number | undefined;
  /** True if the request was certainly not sent. */
  readonly isUnsent: boolean;
  /** Status of an unreadable response. */
  readonly status: number | undefined;

  constructor(
    message: string,
    {
      retryAfterMs,
      isUnsent = false,
      status,
      ...options
    }: ErrorOptions & { retryAfterMs?: number; isUnsent?: boolean; status?: number } = {},
  ) {
    super(message, options);
    this.retryAfterMs = retryAfterMs;
    this.isUnsent = isUnsent;
    this.status = status;
  }
}

export interface ProviderRequest {
  method: 'GET' | 'POST';
  /** Path below the base URL, such as `transaction/create`. */
  path: string;
  query?: Readonly<Record<string, string>>;
  json?: unknown;
  form?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  /** Maximum size of a response in bytes; 1 MiB by default. */
  maxBytes?: number | undefined;
  signal: AbortSignal;
}

export interface ProviderResponse {
  status: number;
  body: unknown;
}

export interface ProviderHttp {
  /**
   * Sends a request once. Any status counts as a response.
   *
   * @throws ProviderError if there is no response, or if the response is too long or not JSON.
   */
  send(request: ProviderRequest): Promise<ProviderResponse>;
  /** Creates an error of this provider. Its text is shortened, and contains no secrets. */
  error(text: string, options?: ConstructorParameters<typeof ProviderError>[1]): ProviderError;
}

/** Returns the secrets that verify callbacks: the current one, and during a rotation also the previous one. */
export const withPrevious = (current: string, previous: string | undefined): readonly string[] =>
  previous === undefined ? [current] : [current, previous];

const defaultMaxBytes = 1_048_576;

/**
 * Time within which a request without a response may still take effect, in milliseconds. No provider documents this time; servers in front
 * of such services time out within one minute, so this is twice that.
 */
export const requestLifetimeMs = 120_000;

/**
 * Tells whether a status proves that a request had no effect. It returns false for a status that may concern an earlier request with the
 * same content (406, 409) or a changing state.
 */
export const isRejection = (status: number): boolean =>
  status >= 400 && status < 500 && !(status >= 406 && status <= 409) && status !== 412 && status !== 425;

const longestText = 300;

/** Returns the code of the root error, such as ECONNREFUSED. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return codeOf(error.cause);
}

/** Tells whether an error happened before a request was sent: unknown host, no connection, untrusted certificate. */
const isUnsent = (code: string): boolean =>
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$|CERT|UNABLE_TO_VERIFY/.test(
    code,
  );

/** Describes how a request failed, without the error itself, whose text may contain the address. */
function failureOf(error: unknown, { method }: ProviderRequest): { text: string; isUnsent: boolean } {
  const code = codeOf(error);
  if (code !== undefined && isUnsent(code))
    return {
      text: code.startsWith('UND_') ? 'could not be reached.' : `could not be reached (${code}).`,
      isUnsent: true,
    };
  const isLate = error instanceof Error && error.name === 'TimeoutError';
  const failure = isLate ? 'did not respond in time.' : 'got no response, because the connection failed.';
  const text = method === 'POST' ? `${failure} The request may have been carried out.` : failure;
  return { text, isUnsent: false };
}

/** Creates an HTTP client for one provider. `secrets` never appear in an error. */
export function createProviderHttp({
  title,
  baseUrl,
  headers = {},
  secrets,
}: {
  /** Name of the provider in errors. */
  title: string;
  baseUrl: string;
  headers?: Readonly<Record<string, string>>;
  secrets: readonly string[];
}): ProviderHttp {
  // Requests are not repeated automatically, because the first request may have made a purchase or a payment.
  const http = ky.create({ retry: 0, timeout: false, throwHttpErrors: false, redirect: 'manual', headers });

  const error: ProviderHttp['error'] = (text, options) => {
    const clean = secrets.reduce((cleaned, secret) => cleaned.replaceAll(secret, '[secret]'), text);
    return new ProviderError(`${title}: ${clean.slice(0, longestText)}`, options);
  };

  async function read(
    request: ProviderRequest,
    about: string,
  ): Promise<{ status: number; bytes: Uint8Array }> {
    const { method, path, query, json, form, headers, signal, maxBytes = defaultMaxBytes } = request;
    try {
      const response = await http(`${baseUrl}/${path}`, {
        method,
        signal,
        ...(query && { searchParams: { ...query } }),
        ...(json !== undefined && { json }),
        ...(form && { body: new URLSearchParams(form) }),
        ...(headers && { headers }),
      });
      const bytes = await readBytes(response.body, maxBytes, signal);
      signal.throwIfAborted();
      if (bytes) return { status: response.status, bytes };
    } catch (cause) {
      const { text, isUnsent } = failureOf(cause, request);
      throw error(`${about} ${text}`, { isUnsent });
    }
    throw error(`${about} got a response of more than ${maxBytes} bytes.`);
  }

  return {
    error,
    async send(request) {
      const about = `${request.method} /${request.path}`;
      const { status, bytes } = await read(request, about);
      try {
        return { status, body: JSON.parse(new TextDecoder().decode(bytes)) };
      } catch {
        throw error(`${about} got a response with status ${status} that is not JSON.`, { status });
      }
    },
  };
}

/** Shortens a string for a provider to a number of characters, without splitting a character. */
export const shorten = (text: string, maxCharacters: number): string =>
  [...text].slice(0, maxCharacters).join('');

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares two strings in a time that reveals nothing about them. */
export const isSameText = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));

/** Parses the JSON of a body; undefined if it is invalid. */
export function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}

/** Creates the result for a callback that is not genuine (401) or unreadable (400). */
export const rejected = (status: 400 | 401, reason: string) =>
  ({ state: 'rejected', status, reason }) as const;

/**
 * Creates responses to callbacks of a supplier that only needs to know whether to repeat them. A purchase of another shop with the same
 * account is unmatched, and its callback needs no repetition.
 *
 * @param field field of the body that contains the result
 */
export const acknowledgement =
  (field: string): CallbackReceiver<unknown>['respond'] =>
  (outcome, rejection = 400) => {
    const status = outcome === 'rejected' ? rejection : outcome === 'failed' ? 503 : 200;
    return { status, body: { [field]: status === 200 } };
  };
