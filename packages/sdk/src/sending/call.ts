import type { AnyTopupError } from '../errors/index.ts';

/** An answer with what came along with it. */
export interface Exchange<Data> {
  /** The answer as it is on the wire. */
  data: Data;
  /** The platform's own response: status, headers. Its body was read already, and is `data`. */
  response: Response;
  /** The server's `X-Request-Id`, to quote when you ask for help (an extension). */
  requestId: string | undefined;
  /** How often the request was tried. */
  attempts: number;
  /** The `Idempotency-Key` that `orders.create` sent; undefined for every other operation. */
  idempotencyKey: string | undefined;
}

/** A call's end as a value instead of a thrown error. */
export type Result<Data> =
  | { ok: true; data: Data; error?: never }
  | { ok: false; error: AnyTopupError; data?: never };

/** A call under way: a promise of the answer that can give more. */
export interface TopupCall<Data> extends Promise<Data> {
  /**
   * The answer with status, headers, request id and the number of attempts.
   *
   * @example
   * ```ts
   * const { data, response, attempts } = await client.games.list().withResponse();
   * console.log(response.status, attempts, data.games.length);
   * ```
   */
  withResponse(): Promise<Exchange<Data>>;
  /**
   * Answer or error as a value: this promise never rejects.
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
  const data = exchange.then(({ data }) => data);
  return Object.assign(data, {
    withResponse() {
      // Whoever asks for the whole exchange gets its failure there.
      data.catch(() => {});
      return exchange;
    },
    safe: () => settled(data),
  });
}

export const settled = <Data>(promise: Promise<Data>): Promise<Result<Data>> =>
  promise.then(
    (data): Result<Data> => ({ ok: true, data }),
    // safe: a call rejects with an error of this package and nothing else
    (error): Result<Data> => ({ ok: false, error: error as AnyTopupError }),
  );
