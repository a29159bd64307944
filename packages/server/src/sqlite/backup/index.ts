export { type BackupOptions, backUpStore } from './back-up-store.ts';
export type { CopyOptions, CopyProgress } from './copy-database.ts';
export type { CheckDepth } from './find-damage.ts';
export { type Inspection, type InspectOptions, inspectStore } from './inspect-store.ts';
export { readStoreFacts } from './read-store-facts.ts';
export { type Restored, refuseOwnFile, refuseServed, restoreStore } from './restore-store.ts';
export type { StoreFacts } from './store-facts.ts';
export type { OrdersInState, StoreReport } from './store-report.ts';
export { type BackupFacts, verifyBackup } from './verify-backup.ts';
