export { PostgresError } from './postgres-error.ts';
export { createPostgresStore } from './postgres-store.ts';
