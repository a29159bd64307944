export type { ServerHolder, ServerLock } from './server-lock.ts';
export { lockForServer } from './server-lock.ts';
export type { SqliteStoreOptions } from './sqlite-store.ts';
export { createSqliteStore } from './sqlite-store.ts';
export type { StoreFileProblem } from './store-file-error.ts';
export { StoreFileError } from './store-file-error.ts';
