import type { Fetch } from './options.ts';

/** The parts of the Fetch standard that a client uses. `globalThis` has them. */
export interface Platform {
  readonly Headers: new (given?: HeadersInit) => Headers;
  readonly Request: new (url: string, init: RequestInit) => Request;
  readonly fetch: Fetch;
}
