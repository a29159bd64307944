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
export {
  createJournal,
  type JournalEntry,
  type JournalMessage,
  journalSize,
  type RequestJournal,
} from './journal.ts';
export {
  createMatcher,
  isBelow,
  isCallbackPath,
  isInterfacePath,
  type MatchedOperation,
  ownPaths,
  pathOf,
  probePaths,
} from './paths.ts';
export {
  type CodeTarget,
  clientCode,
  curlCommand,
  type RequestCode,
  requestCode,
  sdkCall,
} from './request-code.ts';
export { type SandboxRoute, sandboxActionRoutes, sandboxWorldRoutes } from './sandbox.ts';
export {
  type AppSettings,
  createUrls,
  defaultLimits,
  paymentPath,
  pictureFolders,
  shopRates,
  type Urls,
} from './settings.ts';
export { codeGroups, createRenderers, paymentCode } from './views/order.ts';
