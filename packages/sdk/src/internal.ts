import { createClient } from './client.ts';
import type { ClientOptions } from './options.ts';
import type { Platform } from './platform.ts';
import type { TopupClient } from './resources/resources.ts';
import { type CheckResponse, clientOptionNames } from './sending/config.ts';
import { createPlainHttp } from './sending/plain-http.ts';

export type { Platform } from './platform.ts';
export { responseShapes } from './validation/generated/response-shapes.ts';
export type { Kind } from './validation/shape.ts';

/** Creates the client of `light.ts` for the command, with its own platform and its own check of responses. */
export const createClientOn = (
  platform: Platform,
  options: ClientOptions,
  check?: CheckResponse,
): TopupClient<ClientOptions> => {
  const entry = { names: clientOptionNames, http: createPlainHttp(platform), check: () => check };
  return createClient(options, entry, platform);
};
