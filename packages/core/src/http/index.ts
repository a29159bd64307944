export { clientName } from './client-name.ts';
export { missingGlobals } from './environment.ts';
export { isLocalName } from './local-name.ts';
export { maskCredentials } from './mask-credentials.ts';
export { parseUrl } from './parse-url.ts';
export { type Counted, createRateLimiter, type RateLimiter, type RatePolicy } from './rate-limiter.ts';
export { readBytes } from './read-bytes.ts';
