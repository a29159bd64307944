export { type App, type AppDependencies, createApp, createFetch } from './app.ts';
export { type CountByAddress, isFromAnotherSite } from './auth.ts';
export { createCors } from './cors.ts';
export { busyResponses, DomainErrorWithHeaders, notFoundResponse } from './errors.ts';
export { forbidden, toResponse } from './fetch.ts';
export {
  type Connection,
  createRecord,
  createRequestIds,
  inProcess,
  languageHeaders,
  noResponse,
  type PlainResponse,
  type RequestContext,
  type RequestRecord,
  type SentRequest,
  type Site,
  varyingBy,
} from './http.ts';
export {
  isCallbackPath,
  isInterfacePath,
  isRouteOrChild,
  ownPaths,
  probePaths,
} from './paths.ts';
export {
  type CodeTarget,
  clientCode,
  curlCommand,
  sdkCall,
} from './request-code.ts';
export type { AppRoom } from './room.ts';
export { createRouter, type MatchedOperation, pathOf } from './router.ts';
export {
  type AppSettings,
  defaultLimits,
  shopRates,
} from './settings.ts';
export { createUrls, paymentPath, pictureFolders, type Urls } from './urls.ts';
export { createRenderers } from './views/invoice.ts';
export { codeGroups, paymentCode } from './views/order.ts';
