export { missingGlobals } from './environment.ts';
export {
  clientName,
  createRateLimiter,
  type RateLimiter,
  type RateLimitResult,
  type RatePolicy,
  withoutPort,
} from './rate-limiter.ts';
export { readBytes } from './read-bytes.ts';
export { isLocalName, maskCredentials, parseUrl } from './url.ts';
