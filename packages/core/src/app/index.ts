export { type App, type AppDependencies, createApp, fetchBy } from './app.ts';
export { type CountByAddress, isFromAnotherSite } from './auth.ts';
export { faultOf, flakyEvery, readScenarioHeader, slowMs } from './call-scenarios.ts';
export { createCors } from './cors.ts';
export { busyResponses, DomainErrorWithHeaders, notFoundResponse } from './errors.ts';
export {
  type Connection,
  createFacts,
  createRequestIds,
  forbidden,
  inProcess,
  languageHeaders,
  noResponse,
  type PlainResponse,
  type RequestContext,
  type RequestLogFields,
  type SentRequest,
  toResponse,
} from './http.ts';
export { createMatcher, type MatchedOperation, pathOf } from './match-operation.ts';
export { isBelow, isCallbackPath, isInterfacePath, ownPaths, probePaths } from './own-paths.ts';
export { type SandboxRoute, sandboxActionRoutes, sandboxWorldRoutes } from './sandbox.ts';
export {
  type AppSettings,
  createUrls,
  defaultLimits,
  paymentPath,
  pictureFolders,
  type Urls,
} from './settings.ts';
export { codeGroups, createInvoiceRenderer, createResponseRenderer, paymentCode } from './views/order.ts';
