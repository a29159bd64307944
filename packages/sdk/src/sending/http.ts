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
export type SendHttp = (request: HttpRequest) => Promise<Response>;

/** The request took longer than its timeout. */
export class TimedOut extends Error {}

/** Calls the listener once the signal has aborted. Returns a function that removes the listener. Hermes has no `AbortSignal.any`. */
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

/** Waits for the given time, or until the signal aborts. */
export function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      end();
      resolve();
    }, milliseconds);
    const end = onAbort(signal, () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
