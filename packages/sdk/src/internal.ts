import { createClient, type TopupClient } from './client.ts';
import type { TopupClientOptions } from './options.ts';
import type { Platform } from './platform.ts';
import { createPlainHttp } from './sending/plain-http.ts';

export type { Platform } from './platform.ts';

/** Creates the client of `light.ts` for the command, which has a platform of its own. */
export const createClientOn = (platform: Platform, options: TopupClientOptions): TopupClient =>
  createClient(options, createPlainHttp(platform), undefined, platform);
