/**
 * A function that answers a request, such as the runtime's own `fetch` or an app in this process.
 * What it throws becomes the `cause` of a `TopupNetworkError`.
 */
export type Fetch = (request: Request) => Promise<Response>;

/** Options of `createTopupClient`. */
export interface TopupClientOptions {
  /**
   * Where the service's paths begin (`{base_url}` of the interface): an absolute http(s) URL without
   * credentials, query or fragment; a slash at its end makes no difference.
   */
  baseUrl: string;
  /** Sent as `X-API-KEY` (interface 5). It is a secret of your server: never ship it to a browser. */
  apiKey?: string | undefined;
  /** Called for every request instead of the runtime's `fetch`. */
  fetch?: Fetch | undefined;
  /** Time for a whole answer, its body included, in milliseconds; 30 000 when left out. */
  timeout?: number | undefined;
}

/** Options of every call. */
export interface RequestOptions {
  /** Ends the call with a `TopupAbortError`. */
  signal?: AbortSignal | undefined;
  /** Time for this call's whole answer in milliseconds, instead of the client's. */
  timeout?: number | undefined;
}

/** Options of `orders.create`. */
export interface CreateOrderOptions extends RequestOptions {
  /**
   * The `Idempotency-Key` (an extension; source: ours): 1 to 255 visible ASCII characters, a fresh UUID
   * when left out. Where the server honours it, calling again with the same key makes no second order.
   */
  idempotencyKey?: string | undefined;
}
