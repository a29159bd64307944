export { type App, type AppDependencies, createApp, type SentHeaders } from './app.ts';
export { isFromAnotherSite } from './auth.ts';
export { busyResponses, DomainErrorWithHeaders } from './errors.ts';
export {
  type Connection,
  createFacts,
  createRequestIds,
  inProcess,
  languageHeaders,
  type PlainResponse,
  type RequestContext,
  type RequestFacts,
} from './http.ts';
export { isBelow, isCallbackPath, isInterfacePath, ownPaths, probePaths } from './own-paths.ts';
export {
  type AppSettings,
  createUrls,
  defaultLimits,
  paymentPath,
  pictureFolders,
  type Urls,
} from './settings.ts';
export { codeGroups, createResponseRenderer, paymentCode } from './views/order.ts';
