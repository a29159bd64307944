import type { AnyTopupError } from './errors/index.ts';

/** A response with its metadata. */
export interface ResponseWithMetadata<Data> {
  /** The JSON of the response. */
  data: Data;
  /** The `Response` with status and headers. Its body has been read; use `data`. */
  response: Response;
  /** The server's `X-Request-Id`, for support requests (a Topup Kit extension). */
  requestId: string | undefined;
  /** Number of attempts. */
  attempts: number;
  /** The `Idempotency-Key` that `orders.create` sent; undefined for other operations. */
  idempotencyKey: string | undefined;
}

/** A response with the text of its body. `asResponse` creates a readable body from it. */
export interface ResponseWithText<Data> extends ResponseWithMetadata<Data> {
  text: string | undefined;
}

/** The result of an operation: the response's JSON, and the id of its request as a non-enumerable property. */
export type ResponseData<Data> = Data & {
  /** The service's `X-Request-Id`, for support requests (a Topup Kit extension). A copy of the result doesn't have it. */
  readonly requestId?: string | undefined;
};

/** The outcome of a call as a value: with `data` if `ok` is true, otherwise with `error`. */
export type Result<Data> =
  | { ok: true; data: Data; error?: never }
  | { ok: false; error: AnyTopupError; data?: never };

/** A promise of the response's JSON, with methods for more details. */
export interface TopupCall<Data> extends Promise<Data> {
  /**
   * Resolves with the response's JSON, status, headers, request id and the number of attempts.
   *
   * @example
   * ```ts
   * const { data, response, attempts } = await client.games.list().withResponse();
   * console.log(response.status, attempts, data.games.length);
   * ```
   */
  withResponse(): Promise<ResponseWithMetadata<Data>>;
  /**
   * Resolves with the service's response: status, headers, and a body that can still be read. Its JSON was validated, but not changed. Each
   * call of this method returns a new `Response`. Rejects like the call itself.
   *
   * @example
   * ```ts
   * const response = await client.games.list().asResponse();
   * console.log(response.headers.get('ETag'), await response.text());
   * ```
   */
  asResponse(): Promise<Response>;
  /**
   * Resolves with either the response's JSON or the error. This promise never rejects.
   *
   * @example
   * ```ts
   * const result = await client.games.get('mobile-legends').safe();
   * if (result.ok) console.log(result.data.data.title);
   * else console.error(result.error.code);
   * ```
   */
  safe(): Promise<Result<Data>>;
}
