export { type SandboxAction, sandboxActions } from './actions.ts';
export { faultOf, flakyEvery, readScenarioHeader, slowMs } from './calls.ts';
export { createJournal, journalSize, type RequestJournal } from './journal.ts';
export type { JournalEntry, JournalMessage } from './journal-entries.ts';
export { type RequestCode, requestCode } from './request-code.ts';
export { type SandboxRoute, sandboxActionRoutes, sandboxInApp, sandboxWorldRoutes } from './routes.ts';
export * from './sandbox.ts';
export * from './scenarios.ts';
