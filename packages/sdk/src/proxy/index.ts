export type { Operation } from '@topup-kit/core/contract';
export { isTopupError, TopupUsageError } from '../errors/index.ts';
export type { Fetch } from '../options.ts';
export { createTopupProxy, type ProxyClient, type TopupProxy } from './create-proxy.ts';
export {
  defaultRoutes,
  type ProxyOperation,
  type ProxyRateLimit,
  type TopupProxyOptions,
} from './options.ts';
