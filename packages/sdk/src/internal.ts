import { createClient } from './client.ts';
import type { TopupClientOptions } from './options.ts';
import type { Platform } from './platform.ts';
import type { TopupClient } from './resources/resources.ts';
import type { CheckResponse } from './sending/config.ts';
import { createPlainHttp } from './sending/plain-http.ts';

export type { Platform } from './platform.ts';
export { responseShapes } from './validation/generated/response-shapes.ts';
export type { Kind } from './validation/shape.ts';

/** Creates the client of `light.ts` for the command, which has a platform and a check of responses of its own. */
export const createClientOn = (
  platform: Platform,
  options: TopupClientOptions,
  check?: CheckResponse,
): TopupClient => createClient(options, createPlainHttp(platform), check, platform);
