export { actionsTo, type ReachableState, type SandboxAction, sandboxActions } from './actions.ts';
export { createCallControl, intendedError, readScenarioHeader, scenarioError, slowMs } from './calls.ts';
export { type Control, readControlInput } from './control.ts';
export { controls } from './controls.ts';
export {
  createFaults,
  type Fault,
  type FaultInput,
  type Faults,
  type FaultsSnapshot,
  flakyEvery,
  IntendedError,
} from './faults.ts';
export { createJournal, maxJournalEntries, type RequestJournal } from './journal.ts';
export type { JournalEntry, JournalMessage } from './journal-entries.ts';
export type { PlayResult, Step, StepsFile } from './play.ts';
export { type RequestCode, requestCode } from './request-code.ts';
export { type SandboxRoute, sandboxActionRoutes, sandboxInApp, sandboxWorldRoutes } from './routes.ts';
export * from './sandbox.ts';
export * from './scenarios.ts';
export { plantSeed, type Seed } from './seed.ts';
export * from './snapshot.ts';
export { checkReason, type TriggerInput, trigger } from './trigger.ts';
export * from './webhooks.ts';
