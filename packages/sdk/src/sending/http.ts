/** An answer with its body read. */
export interface RawResponse {
  response: Response;
  /** Undefined when an error answer's body could not be read: its status says enough. */
  text: string | undefined;
}

/** One request and what goes with it. */
export interface HttpRequest {
  url: string;
  method: string;
  headers: Headers;
  body: string | null;
  signal: AbortSignal | undefined;
  /** Milliseconds for the whole answer, its body included. */
  timeout: number;
  /** Called with the request once it is made; must not throw but reject. */
  fetch(request: Request): Promise<Response>;
  /** Called with the answer before its body is read, which may be cut off. */
  onResponse(response: Response): void;
}

/**
 * Makes one exchange over HTTP. It rejects with `TimedOut`, the signal's reason, or what the fetch threw. It follows
 * no redirect: fetch would hand `X-API-KEY` to whatever host it names.
 */
export type Http = (request: HttpRequest) => Promise<RawResponse>;

/** The time of an exchange is over. */
export class TimedOut extends Error {}

/** Settles with the work, or rejects once the signal aborts: an in-process fetch need not heed it. */
export async function untilAborted<Result>(
  work: Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  if (!signal) return work;
  let onAbort = (): void => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(signal.reason);
  });
  if (signal.aborted) {
    work.catch(() => {});
    throw signal.reason;
  }
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Codes of failures to connect, in Node and Bun, certificates among them: nothing can have been sent. */
const failuresToConnect =
  /^(E(CONNREFUSED|NOTFOUND|AI_AGAIN)|UND_ERR_CONNECT_TIMEOUT|ConnectionRefused|FailedToOpenSocket|UNABLE_TO_VERIFY_LEAF_SIGNATURE)$|(^|_)CERT(_|$)/;

/** The system's code, such as `ECONNREFUSED`; runtimes put it some causes deep. */
export function systemCodeOf(cause: unknown, depth = 9): string | undefined {
  // No `instanceof`: a test runner's errors are of another realm. No end of causes either: they may go in a circle.
  const { code, cause: deeper }: { code?: unknown; cause?: unknown } = Object(cause);
  if (typeof code === 'string' && /^[A-Za-z]\w*$/.test(code)) return code;
  return deeper && depth ? systemCodeOf(deeper, depth - 1) : undefined;
}

export const isConnectFailure = (systemCode = ''): boolean => failuresToConnect.test(systemCode);
