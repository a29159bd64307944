/** A response whose body has been read. */
export interface RawResponse {
  response: Response;
  /** Undefined when the body of an error response could not be read; its status is enough then. */
  text: string | undefined;
}

/** One request with its options. */
export interface HttpRequest {
  url: string;
  method: string;
  body: string | null;
  signal: AbortSignal | undefined;
  /** Time limit for the whole response including its body, in milliseconds. */
  timeout: number;
  cache?: 'no-store';
  /** Adds the headers, sends the request, and reads the body of its response. Must reject instead of throwing. */
  fetch(request: Request): Promise<Response>;
}

/**
 * Sends one request over HTTP. It rejects with `TimedOut`, the signal's reason, or the error of the fetch. It doesn't
 * follow redirects, because fetch would send `X-API-KEY` to the other host.
 */
export type Http = (request: HttpRequest) => Promise<Response>;

/** The request took longer than its timeout. */
export class TimedOut extends Error {}

/** Calls the listener when the signal aborts, also if it has, and returns what ends that. Hermes has no `AbortSignal.any`. */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  const end = (): void => signal?.removeEventListener('abort', call);
  const call = (): void => {
    end();
    listener();
  };
  if (signal?.aborted) listener();
  else signal?.addEventListener('abort', call);
  return end;
}

/** Settles with the work, or rejects when the signal aborts, because an in-process fetch may ignore the signal. */
export const untilAborted = <Result>(
  work: Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> =>
  new Promise((resolve, reject) => {
    const end = onAbort(signal, () => reject(signal?.reason));
    void work.then(resolve, reject).then(end);
  });

/** Error codes of connection failures (also invalid certificates) in Node and Bun. With these, nothing was sent. */
const connectFailureCodes =
  /^(E(CONNREFUSED|NOTFOUND|AI_AGAIN)|UND_ERR_CONNECT_TIMEOUT|ConnectionRefused|FailedToOpenSocket|UNABLE_TO_VERIFY_LEAF_SIGNATURE)$|(^|_)CERT(_|$)/;

/** The system error code, such as `ECONNREFUSED`. Runtimes put it on the error or on one of its causes. */
export function systemCodeOf(cause: unknown, depth = 9): string | undefined {
  // No `instanceof`, because errors in a test runner may be from another realm. The depth is limited, because causes may be circular.
  const { code, cause: deeper }: { code?: unknown; cause?: unknown } = Object(cause);
  if (typeof code === 'string' && /^[A-Za-z]\w*$/.test(code)) return code;
  return deeper && depth ? systemCodeOf(deeper, depth - 1) : undefined;
}

/** The errors of a TLS handshake with a port that speaks plain HTTP, in Node and Bun. */
export const isTlsFailure = (systemCode = ''): boolean =>
  /^(EPROTO|ERR_SSL_WRONG_VERSION_NUMBER)$/.test(systemCode);

/**
 * Whether an error says that nothing was sent. One of TLS says so only where no response came before: in a connection
 * that works, the request may have been sent.
 */
export const isUnsent = (systemCode: string | undefined, reached: boolean): boolean =>
  connectFailureCodes.test(systemCode ?? '') || (!reached && isTlsFailure(systemCode));
