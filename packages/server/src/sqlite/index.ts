export * from './backup/index.ts';
export type { ServerHolder, ServerLock } from './server-lock.ts';
export { findServer, lockForServer } from './server-lock.ts';
export type { SqliteStoreOptions } from './sqlite-store.ts';
export { createSqliteStore } from './sqlite-store.ts';
export type { StoreFileProblem } from './store-file-error.ts';
export { StoreFileError } from './store-file-error.ts';
export type { StoreName, StoreNames } from './store-names.ts';
export { readStoreNames } from './store-names.ts';
