/** An answer with its body read. */
export interface RawAnswer {
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
export type Http = (request: HttpRequest) => Promise<RawAnswer>;

/** The time of an exchange is over. */
export class TimedOut extends Error {}
