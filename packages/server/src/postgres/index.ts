export { displayName } from './connection.ts';
export { PostgresError } from './postgres-error.ts';
export { openPostgresStore } from './postgres-store.ts';
