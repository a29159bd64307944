import type { Fetch } from './options.ts';

/** What a client uses of the Fetch standard. `globalThis` has it. */
export interface Platform {
  readonly Headers: new (given?: HeadersInit) => Headers;
  readonly Request: new (url: string, init: RequestInit) => Request;
  readonly fetch: Fetch;
}
