export { type BackupOptions, backUpBeside, backUpStore } from './backup/back-up-store.ts';
export type { CopyOptions, CopyProgress } from './backup/copy-database.ts';
export {
  type Inspection,
  type InspectOptions,
  inspectStore,
} from './backup/inspect-store.ts';
export type { CheckDepth } from './backup/long-queries.ts';
export { findOpenOrders, type OpenOrder } from './backup/open-orders.ts';
export { rejectMissing } from './backup/read-database.ts';
export {
  assertNotOwnFile,
  assertNotServed,
  type Restored,
  type RestoreOptions,
  restoreStore,
} from './backup/restore-store.ts';
export { readStoreFacts, readStoreNames, type StoreFacts } from './backup/store-facts.ts';
export {
  isUpgraded,
  type StoreUpgrade,
  type UpgradeOptions,
  upgradeFile,
} from './backup/upgrade-file.ts';
export { type BackupFacts, verifyBackup } from './backup/verify-backup.ts';
export { emptyLog } from './checkpoints.ts';
export {
  findServer,
  lockAgainstServers,
  lockForServer,
  type ServerHolder,
  type ServerLock,
} from './server-lock.ts';
export { createSqliteStore, type SqliteStoreOptions } from './sqlite-store.ts';
export { isPartOfStore, logOf } from './store-file.ts';
export { StoreFileError, type StoreFileProblem } from './store-file-error.ts';
