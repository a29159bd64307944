import { createHash, timingSafeEqual } from 'node:crypto';
import type { CallbackReceiver } from '@topup-kit/core/callback';
import { readBytes } from '@topup-kit/core/http';
import ky from 'ky';

/** A request to a provider went wrong. The message names the provider, and holds no secret and no address. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  /** In how many milliseconds the same may be asked again, if the provider limits how often. */
  readonly retryAfterMs: number | undefined;
  /** Whether the request surely was not sent. */
  readonly isUnsent: boolean;
  /** Of a response that can't be read. */
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
  /** Below the base URL, such as `transaction/create`. */
  path: string;
  query?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as a form. */
  form?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  /** The longest response to accept; 1 MiB when it is left out. */
  maxBytes?: number | undefined;
  signal: AbortSignal;
}

export interface ProviderResponse {
  status: number;
  body: unknown;
}

export interface ProviderHttp {
  /**
   * Sends a request once. Any status is a response.
   *
   * @throws ProviderError when there is no response, or one that is too long or not JSON.
   */
  send(request: ProviderRequest): Promise<ProviderResponse>;
  /** An error of this provider whose text is free of secrets and not too long. */
  error(text: string, options?: ConstructorParameters<typeof ProviderError>[1]): ProviderError;
}

/** The secrets by which callbacks are verified: the current one, and the previous one while it is replaced. */
export const withPrevious = (current: string, previous: string | undefined): readonly string[] =>
  previous === undefined ? [current] : [current, previous];

const defaultMaxBytes = 1_048_576;

/**
 * How long a request without a response may still be carried out, in milliseconds. No provider says how long; the servers in
 * front of such services give up within one minute, so this is twice that.
 */
export const requestLifetimeMs = 120_000;

/**
 * Whether a status says for certain that a request was not carried out. Those that may be about an earlier request with the
 * same content (406, 409), or about a state that changes, say nothing.
 */
export const isRejection = (status: number): boolean =>
  status >= 400 && status < 500 && !(status >= 406 && status <= 409) && status !== 412 && status !== 425;

const longestText = 300;

/** The code of the error at the root, such as ECONNREFUSED. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return codeOf(error.cause);
}

/** Errors before a request is sent: no such host, no connection, no trusted certificate. */
const isUnsent = (code: string): boolean =>
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$|CERT|UNABLE_TO_VERIFY/.test(
    code,
  );

/** How a request failed, without the error itself: its text may hold the address. */
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

/** HTTP of one provider. `secrets` never appear in an error. */
export function createProviderHttp({
  title,
  baseUrl,
  headers = {},
  secrets,
}: {
  /** Its name in errors. */
  title: string;
  baseUrl: string;
  /** Sent with every request. */
  headers?: Readonly<Record<string, string>>;
  secrets: readonly string[];
}): ProviderHttp {
  // Never sent twice by itself: a purchase or a payment may have been made.
  const http = ky.create({ retry: 0, timeout: false, throwHttpErrors: false, redirect: 'manual', headers });

  const error: ProviderHttp['error'] = (text, options) => {
    const clean = secrets.reduce((one, secret) => one.replaceAll(secret, '[secret]'), text);
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

/** The beginning of a text that may be too long for a provider: at most so many characters, and no half of one. */
export const shorten = (text: string, maxCharacters: number): string =>
  [...text].slice(0, maxCharacters).join('');

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares two texts in a time that says nothing about them. */
export const isSameText = (one: string, other: string): boolean =>
  timingSafeEqual(digest(one), digest(other));

/** The JSON of a body; undefined when it is none. */
export function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}

/** The reading of a callback that is not genuine (401), or not readable (400). */
export const rejected = (status: 400 | 401, reason: string) =>
  ({ state: 'rejected', status, reason }) as const;

/**
 * The responses to callbacks of a supplier that only wants to know whether to send one again. A purchase of another shop with the same
 * account is unmatched, and no reason to try again.
 *
 * @param field what says it in the body
 */
export const acknowledgement =
  (field: string): CallbackReceiver<unknown>['respond'] =>
  (outcome, rejection = 400) => {
    const status = outcome === 'rejected' ? rejection : outcome === 'failed' ? 503 : 200;
    return { status, body: { [field]: status === 200 } };
  };
