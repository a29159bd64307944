export { type BackupOptions, backUpBeside, backUpStore } from './backup/back-up-store.ts';
export type { CopyOptions, CopyProgress } from './backup/copy-database.ts';
export {
  type Inspection,
  type InspectOptions,
  inspectStore,
} from './backup/inspect-store.ts';
export type { CheckLevel } from './backup/long-queries.ts';
export { findOpenOrders, type OpenOrder } from './backup/open-orders.ts';
export { rejectMissing } from './backup/read-database.ts';
export {
  assertBackupIsNotStore,
  assertNoServerRunning,
  type RestoreOptions,
  type RestoreResult,
  restoreStore,
} from './backup/restore-store.ts';
export { readCompletionNames, readStoreInfo, type StoreInfo } from './backup/store-info.ts';
export {
  isUpgraded,
  type StoreUpgrade,
  type UpgradeOptions,
  upgradeFile,
} from './backup/upgrade-file.ts';
export { type BackupInfo, verifyBackup } from './backup/verify-backup.ts';
export { emptyLog } from './checkpoints.ts';
export {
  findServer,
  type LockOwner,
  lockAgainstServers,
  lockForServer,
  type ServerLock,
} from './server-lock.ts';
export { createSqliteStore, type SqliteStoreOptions } from './sqlite-store.ts';
export { isPartOfStore, logOf } from './store-file.ts';
export { StoreFileError, type StoreFileErrorCode } from './store-file-error.ts';
