import { checkEnvironment, createClient } from './client.ts';
import type { ClientOptions } from './options.ts';
import type { TopupClient } from './resources/resources.ts';
import { clientOptionNames } from './sending/config.ts';
import { createPlainHttp } from './sending/plain-http.ts';

export type { ClientOptions as TopupClientOptions } from './options.ts';
export * from './shared-exports.ts';

/**
 * Creates the same client as the main entry, at less than half the size: it does not validate responses, and uses the platform's `fetch`
 * without ky. Every rejection of its methods is a `TopupError`.
 *
 * @throws {TopupUsageError} if an option is invalid, or the environment lacks globals such as `fetch` or `Request`.
 *
 * @example
 * ```ts
 * import { createTopupClient } from '@topup-kit/sdk/light';
 *
 * const client = createTopupClient({ baseUrl: 'https://shop.example/api' });
 * ```
 */
export function createTopupClient(options: ClientOptions = {}): TopupClient<ClientOptions> {
  checkEnvironment(options);
  return createClient(options, { names: clientOptionNames, http: createPlainHttp(globalThis) });
}
