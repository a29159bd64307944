import { checkEnvironment, createClient } from './client.ts';
import type { TopupClientOptions as ClientOptions } from './options.ts';
import { checkNames } from './request/check-options.ts';
import type { TopupClient } from './resources/resources.ts';
import { clientOptionNames } from './sending/config.ts';
import { kyHttp } from './sending/ky-http.ts';
import { createResponseCheck, type Validation } from './validation/report-mismatch.ts';

export * from './shared-exports.ts';
export type { Validation } from './validation/report-mismatch.ts';

/** Options of `createTopupClient`. */
export interface TopupClientOptions extends ClientOptions {
  /**
   * What to do when a successful response does not match the documented format. `warn` (the default) returns the
   * response and logs the difference to your `logger`, else once to the console; `strict` rejects with a `TopupResponseError`, code `INVALID_RESPONSE`, that has
   * the JSON path; `off` does not validate. Unknown fields and unknown statuses are allowed.
   *
   * @example
   * ```ts
   * createTopupClient({ baseUrl, validation: 'strict' });
   * ```
   */
  validation?: Validation | undefined;
}

/**
 * Creates a client for a top-up service. Every rejection of its methods is a `TopupError`.
 *
 * @throws {TopupUsageError} when an option is invalid, or the environment has no `fetch`, `Request` and the like.
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
export function createTopupClient(options: TopupClientOptions = {}): TopupClient {
  checkNames(options, { ...clientOptionNames, validation: true });
  checkEnvironment(options);
  return createClient(options, kyHttp, createResponseCheck(options));
}
