export { missingGlobals } from './environment.ts';
export {
  type Counted,
  clientName,
  createRateLimiter,
  type RateLimiter,
  type RatePolicy,
  withoutPort,
} from './rate-limiter.ts';
export { readBytes } from './read-bytes.ts';
export { isLocalName, maskCredentials, parseUrl } from './url.ts';
