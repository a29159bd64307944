import { headers as names } from '@topup-kit/core/contract';
import { TopupUsageError } from '../errors/index.ts';
import type { Hooks } from '../options.ts';
import { type IncomingRequest, worldOf } from './world-of.ts';

export type { Hooks } from '../options.ts';
export type { IncomingRequest, RequestHeaders } from './world-of.ts';

/** The used part of Node's `AsyncLocalStorage`. */
interface RequestStorage {
  run<Result>(request: IncomingRequest, run: () => Result): Result;
  getStore(): IncomingRequest | undefined;
}

interface Runtime {
  process?: {
    getBuiltinModule?: (name: string) => { AsyncLocalStorage: new () => RequestStorage } | undefined;
  };
  AsyncLocalStorage?: new () => RequestStorage;
  [key: symbol]: RequestStorage | undefined;
}

/** A global key, because a framework may load this module several times, for pages, routes and middleware. */
const storageKey = Symbol.for('@topup-kit/sdk/worlds');

/** Returns the storage of current requests; undefined before the first one. */
const storage = (): RequestStorage | undefined => (globalThis as Runtime)[storageKey]; // Safe: the key is known.

function createStorage(): RequestStorage {
  const runtime = globalThis as Runtime; // Safe: every property that may be missing is optional.
  const { AsyncLocalStorage = runtime.AsyncLocalStorage } =
    runtime.process?.getBuiltinModule?.('node:async_hooks') ?? {};
  if (!AsyncLocalStorage)
    throw new TopupUsageError(
      'UNSUPPORTED_ENVIRONMENT',
      'withRequest needs AsyncLocalStorage, which this runtime lacks. Pass a function that returns the request to passWorld instead.',
    );
  runtime[storageKey] = new AsyncLocalStorage();
  return runtime[storageKey];
}

/**
 * Runs a function for a request that your server received. During it, even after an `await`, hooks of {@link passWorld} without a function
 * find this request. Use it if your framework gives no access to the current request.
 *
 * @throws TopupUsageError with code `UNSUPPORTED_ENVIRONMENT` if there is no `AsyncLocalStorage`
 *
 * @example
 * ```ts
 * const handle = (request: Request) => withRequest(request, () => client.games.list());
 * ```
 */
export const withRequest = <Result>(request: IncomingRequest, run: () => Result): Result =>
  (storage() ?? createStorage()).run(request, run);

/**
 * Creates the hook `onRequest` of a client on your server. It forwards the world in the current request to a sandbox, so that tests of
 * pages that your server renders can run in parallel: each in its own world, with its own orders, faults and clock.
 *
 * A test names its world in the header `X-Topup-World` or the cookie `topup_world`. A live service ignores the header.
 *
 * @param request returns the request, or its headers; by default, the request of {@link withRequest}
 *
 * @example
 * ```ts
 * const client = createTopupClient({ baseUrl, apiKey: 'tk_test_...', hooks: { onRequest: passWorld() } });
 * ```
 */
export function passWorld(
  request: () => IncomingRequest | undefined | Promise<IncomingRequest | undefined> = () =>
    storage()?.getStore(),
): NonNullable<Hooks['onRequest']> {
  return async ({ headers }) => {
    const found = await request();
    const world = found && worldOf(found);
    if (world) headers.set(names.world, world);
  };
}
