import type { AnyTopupError } from '../errors/index.ts';

/** A response with its metadata. */
export interface Exchange<Data> {
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

/** The outcome of a call as a value: `ok` tells whether it has `data` or `error`. */
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
  withResponse(): Promise<Exchange<Data>>;
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

export function asCall<Data>(exchange: Promise<Exchange<Data>>): TopupCall<Data> {
  const body = exchange.then(({ data }) => data);
  return Object.assign(body, {
    withResponse() {
      // The caller gets the error from the returned promise instead.
      body.catch(() => {});
      return exchange;
    },
    safe: () => settled(body),
  });
}

export const settled = <Data>(call: Promise<Data>): Promise<Result<Data>> =>
  call.then(
    (data): Result<Data> => ({ ok: true, data }),
    // safe: every rejection of a call is an error of this package
    (error): Result<Data> => ({ ok: false, error: error as AnyTopupError }),
  );
