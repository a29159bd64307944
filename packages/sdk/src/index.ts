import { createClient, type TopupClient } from './client.ts';
import type { TopupClientOptions as ClientOptions } from './options.ts';
import { kyHttp } from './sending/ky-http.ts';
import { createAnswerCheck, type Validation } from './validation/check-answer.ts';

export * from './errors/index.ts';
export type * from './public-types.ts';
export type { Validation } from './validation/check-answer.ts';
export { version } from './version.ts';

/** Options of `createTopupClient`. */
export interface TopupClientOptions extends ClientOptions {
  /**
   * What happens when a successful answer is not as the contract says. `warn`, the default, hands it out and
   * tells the logger where it departs; `strict` rejects with a `TopupResponseError`, code `INVALID_ANSWER`, that
   * names the JSON path; `off` does not look. Unknown fields and unknown statuses are no departure.
   *
   * @example
   * ```ts
   * createTopupClient({ baseUrl, validation: 'strict' });
   * ```
   */
  validation?: Validation | undefined;
}

/**
 * Makes a client of a top-up service. Every method rejects with a `TopupError` and nothing else.
 *
 * @throws {TopupUsageError} for an option that cannot be used.
 *
 * @example
 * ```ts
 * const client = createTopupClient({
 *   baseUrl: 'http://127.0.0.1:4000/api',
 *   apiKey: process.env.TOPUP_API_KEY,
 * });
 * const { games } = await client.games.list();
 * ```
 */
export const createTopupClient = ({ validation, ...options }: TopupClientOptions): TopupClient =>
  createClient(options, kyHttp, createAnswerCheck(validation));
