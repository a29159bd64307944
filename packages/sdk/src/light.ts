import { createClient, type TopupClient } from './client.ts';
import type { TopupClientOptions } from './options.ts';
import { plainHttp } from './sending/plain-http.ts';

export * from './errors/index.ts';
export type { TopupClientOptions } from './options.ts';
export type * from './public-types.ts';
export { version } from './version.ts';

/**
 * Makes a client as the main entry does, and less than half its size: answers are not validated, and HTTP goes
 * through the platform's fetch without ky. Every method rejects with a `TopupError` and nothing else.
 *
 * @throws {TopupUsageError} for an option that cannot be used.
 *
 * @example
 * ```ts
 * import { createTopupClient } from '@topup-kit/sdk/light';
 *
 * const client = createTopupClient({ baseUrl: 'https://shop.example/api' });
 * ```
 */
export const createTopupClient = (options: TopupClientOptions): TopupClient =>
  createClient(options, plainHttp);
