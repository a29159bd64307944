import { checkEnvironment, createClient } from './client.ts';
import type { TopupClientOptions } from './options.ts';
import type { TopupClient } from './resources/resources.ts';
import { clientOptionNames, type Entry } from './sending/config.ts';
import { kyHttp } from './sending/ky-http.ts';
import { createResponseCheck } from './validation/report-mismatch.ts';

export type { TopupClientOptions } from './options.ts';
export * from './shared-exports.ts';

const entry: Entry<TopupClientOptions> = {
  names: { ...clientOptionNames, validation: true },
  http: kyHttp,
  check: createResponseCheck,
};

/**
 * Creates a client for a top-up service. Every rejection of its methods is a `TopupError`.
 *
 * @throws {TopupUsageError} if an option is invalid, or the environment lacks globals such as `fetch` or `Request`.
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
  checkEnvironment(options);
  return createClient(options, entry);
}
